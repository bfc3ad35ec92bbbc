import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

// What signals do to a process can be seen on a process of its own alone.

const SIGNALS = fileURLToPath(new URL('signals.ts', import.meta.url));

const children = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** Runs a script that has all of signals.ts, and says when it has printed something. */
function run(script: string) {
  const code = `import { endAtLatest, StopSignals } from ${JSON.stringify(SIGNALS)};\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const exited = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  const untilSaid = async (word: string): Promise<void> => {
    while (!said.out.includes(word))
      await Promise.race([once(child.stdout, 'data'), exited.then(() => expect(said.out).toContain(word))]);
  };
  return { said, exited, untilSaid, signal: (name: NodeJS.Signals) => child.kill(name) };
}

const STAY = 'setInterval(() => undefined, 1_000);';

test('a process that something keeps ends in time, with a line, as a failed one', async () => {
  const { said, exited } = run(`${STAY} endAtLatest(50);`);
  expect(await exited).toBe(1);
  expect(said.err).toMatch(/^faregate: .*\n$/);
});

test('a process that something keeps though its work is done ends in time with the code that it has', async () => {
  expect(await run(`${STAY} process.exitCode = 0; endAtLatest(50);`).exited).toBe(0);
});

test('a process that ends by itself is not kept until it must end', async () => {
  const { said, exited } = run('endAtLatest(3_600_000);');
  expect(await exited).toBe(0);
  expect(said.err).toBe('');
});

test('the second signal ends the process immediately, unless somebody waits for it', async () => {
  const stop = `${STAY} const signals = new StopSignals(); console.log('ready');
    signals.first.then(async (signal) => { console.log('first', signal);`;
  const plain = run(`${stop} });`);
  await plain.untilSaid('ready');
  plain.signal('SIGTERM');
  await plain.untilSaid('first SIGTERM');
  plain.signal('SIGINT');
  expect(await plain.exited).toBe(1);

  const patient = run(`${stop} console.log('second', await signals.next()); });`);
  await patient.untilSaid('ready');
  patient.signal('SIGTERM');
  await patient.untilSaid('first SIGTERM');
  patient.signal('SIGTERM');
  await patient.untilSaid('second SIGTERM');
  patient.signal('SIGTERM');
  expect(await patient.exited).toBe(1);
});
