import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createLogTo, hideSecrets, type Log } from './log.ts';

function logged(write: (log: Log) => void): string {
  const lines: string[] = [];
  write(createLogTo('debug', { write: (line) => lines.push(line) }));
  return lines.join('');
}

const KEY = `fg_live_00abcdefghijkl${'S'.repeat(33)}123456`;
const KEY_WITHOUT_SHARD = `fg_live_abcdefghijkl${'S'.repeat(33)}123456`;

test.each([
  ['a header', { headers: { authorization: 'Bearer hunter2hunter2' } }],
  ['a nested provider', { a: { b: { c: { api_key: 'hunter2"hunter2' } } } }],
  ['JSON inside a string', { body: JSON.stringify({ api_key: 'hunter2', x: 1 }) }],
  ['a header inside a text', { text: 'sent Authorization: Bearer hunter2hunter2' }],
  ['an address', { url: 'postgres://user:hunter2@host/db' }],
  ["a provider's key in an error", { err: new Error('refused sk-hunter2hunter2hunter2') }],
  ['a cause', { err: new Error('outer', { cause: new Error('postgres://u:hunter2@h') }) }],
  ['what a library hung on its error', { err: Object.assign(new Error('x'), { request: { body: 'hunter2' } }) }],
])('a secret in %s is not logged, and the line stays JSON', (_, fields) => {
  const line = logged((log) => log.info(fields, 'message'));
  expect(line).not.toContain('hunter2');
  expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'message' });
});

test.each([
  [KEY, 'fg_live_00abcdefghijkl***'],
  [KEY_WITHOUT_SHARD, 'fg_live_abcdefghijkl***'],
  [KEY.slice(0, 40), 'fg_live_00abcdefghij***'],
])(
  "of the gateway key %s no more than its public id is logged, so that it can be found and can't be used",
  (key, shown) => {
    const line = logged((log) => log.warn({ [key]: key }, `key ${key}`));
    expect(line).not.toContain('SSSSSS');
    expect(line).toContain(shown);
  },
);

test('a log line leaves what is no secret as it is', () => {
  const line = '{"keyId":"abc","model":"a/b","url":"http://127.0.0.1:8080/v1?x=a@b","secretary":"x"}';
  expect(hideSecrets(line)).toBe(line);
});

test('an error is logged with its causes, six deep at most, and without what is no error', () => {
  let fault: Error = new Error('0', { cause: 'no error' });
  for (let depth = 1; depth < 9; depth++) fault = new Error(String(depth), { cause: fault });
  interface Logged {
    readonly message: string;
    readonly cause?: Logged;
  }
  const messages = (error: Error): readonly string[] => {
    const line = JSON.parse(logged((log) => log.error({ err: error }, 'message'))) as { err: Logged };
    const said: string[] = [];
    for (let each: Logged | undefined = line.err; each !== undefined; each = each.cause) said.push(each.message);
    return said;
  };
  expect(messages(fault)).toEqual(['8', '7', '6', '5', '4', '3']);
  expect(messages(new Error('alone', { cause: 'a text' }))).toEqual(['alone']);
});

test('the last lines before an exit are on stderr', () => {
  const module = fileURLToPath(new URL('log.ts', import.meta.url));
  const program = `import { createLog } from ${JSON.stringify(module)}; const log = createLog('info'); for (let i = 0; i < 3000; i++) log.info({ i }, 'line'); process.exit(3);`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(status).toBe(3);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n').length).toBe(3000);
});

/** A device that takes nothing: every write to it fails, as those to a full disk or a closed terminal do. */
const FULL = '/dev/full';

test.skipIf(!existsSync(FULL))(
  'a log that can not be written neither ends the program nor keeps it from ending',
  async () => {
    const log = new URL('log.ts', import.meta.url).href;
    const program = `
    const { createLog } = await import(${JSON.stringify(log)});
    const log = createLog('info');
    for (let line = 0; line < 3; line++) {
      log.info({}, 'a line');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log('still here');
  `;
    const full = openSync(FULL, 'w');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      {
        stdio: ['ignore', 'pipe', full],
        timeout: 10_000,
        killSignal: 'SIGKILL',
      },
    );
    closeSync(full);
    let said = '';
    child.stdout?.on('data', (chunk) => (said += String(chunk)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect({ code, signal, said }).toEqual({ code: 0, signal: null, said: 'still here\n' });
  },
);
