import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAdminClient } from '../../src/control/admin/client.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, secretIn } from '../support/identity.ts';
import { type Program, type ProgramOptions, startProgram } from '../support/program.ts';

async function started(options: ProgramOptions = {}): Promise<Program> {
  const program = await startProgram(options);
  onTestFinished(() => program.dispose());
  return program;
}

const browserAt = (program: Program): Browser => new Browser(fetch, program.url);

const SELLING = `
providers: { sandbox: { kind: sandbox } }
models:
  - id: sandbox/echo
    routes: [{ provider: sandbox, model: echo }]
    price: { input: "0", output: "0" }
    context_window: 4000
    max_output: 1000
`;

async function setUp(program: Program): Promise<Browser> {
  const browser = browserAt(program);
  const token = secretIn(program.stdout());
  const owner = { token, email: 'owner@example.com', name: 'Owner', password: PASSWORD };
  expect((await browser.post('/set-up', owner)).status).toBe(200);
  return browser;
}

test('the first start prints a link by which its owner gets an account, and the next start prints none', async () => {
  const program = await started();
  const browser = await setUp(program);
  expect((await browser.get('/me')).body).toMatchObject({
    user: { email: 'owner@example.com', is_operator: true },
    workspaces: [{ name: 'Default', role: 'owner' }],
  });
  expect((await browser.get('/users')).status).toBe(200);
  expect((await program.cli('user', 'list')).stdout).toContain('owner@example.com');
  await program.signal('SIGINT');
  const next = await program.restart();
  onTestFinished(() => next.dispose());
  expect(next.stdout()).not.toContain('/set-up#');
  expect((await next.cli('user', 'set-up-link')).stderr).toContain('CONFLICT');
});

test('the cookie of a session opens nothing below /v1', async () => {
  const program = await started();
  const browser = await setUp(program);
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${program.url}/v1/models`, { headers: { cookie } });
  expect(answer.status).toBe(401);
  const [, secret = ''] = cookie.split('=');
  const asKey = await fetch(`${program.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
  expect(asKey.status).toBe(401);
});

test('a rotated operator token counts in every worker, and the former one in none', async () => {
  const program = await started({ args: ['--workers', '2'] });
  const former = program.operatorToken;
  const { token } = await program.json<{ token: string }>('token', 'rotate');
  expect((await readFile(join(program.data, 'operator-token'), 'utf8')).trim()).toBe(token);
  const status = async (given: string): Promise<number> => {
    const headers = { authorization: `Bearer ${given}`, connection: 'close' };
    return (await fetch(`${program.url}/admin/v1/users`, { headers })).status;
  };
  const inRow = async (given: string): Promise<readonly number[]> => {
    const answers: number[] = [];
    for (let request = 0; request < 20; request++) answers.push(await status(given));
    return [...new Set(answers)];
  };
  await vi.waitFor(async () => expect(await inRow(former)).toEqual([401]), { timeout: 25_000, interval: 50 });
  expect(await inRow(token)).toEqual([200]);
  expect((await program.cli('token', 'list')).code).toBe(0);
});

test('an operator token of the environment takes the place of the one in the data directory', async () => {
  const token = 'a-token-that-several-instances-share';
  const program = await started({ env: { FAREGATE_OPERATOR_TOKEN: token } });
  const kept = createAdminClient({ url: program.url, token: program.operatorToken });
  await expect(kept.listUsers()).rejects.toMatchObject({ status: 401 });
  expect((await program.cli('user', 'list')).code).toBe(0);
  expect((await program.cli('token', 'rotate')).stderr).toContain('FAREGATE_OPERATOR_TOKEN');
});

test('a hundred sign-ins at the same time hardly delay a chat request', async () => {
  const program = await started({ config: SELLING + 'server: { trusted_proxies: [127.0.0.1] }\n' });
  await setUp(program);
  const chat = async (): Promise<number> => {
    const before = performance.now();
    const answer = await program.chat(program.key, {
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(answer.status).toBe(200);
    await answer.text();
    return performance.now() - before;
  };
  const p99 = async (): Promise<number> => {
    const times: number[] = [];
    for (let request = 0; request < 150; request++) times.push(await chat());
    return times.toSorted((one, other) => one - other)[148] ?? 0;
  };
  await p99();
  const quiet = await p99();
  const over = new AbortController();
  const statuses = new Set<number>();
  const signIn = async (person: number): Promise<void> => {
    const given = { email: `user-${person}@example.com`, password: PASSWORD };
    // Each from a network of its own, so that the queue is what limits them.
    const from = { 'x-forwarded-for': `198.51.100.${person}` };
    statuses.add((await browserAt(program).post('/session', given, from)).status);
  };
  const signIns = (async () => {
    // As people do who come back when they were asked to.
    for (; !over.signal.aborted; await sleep(1_000)) {
      await Promise.all(Array.from({ length: 100 }, (_, person) => signIn(person)));
    }
  })();
  const beside = await p99();
  over.abort();
  await signIns;
  expect(statuses).toContain(401);
  expect(statuses).toContain(503);
  // Hashes on the event loop would stop it for seconds.
  expect(beside).toBeLessThan(quiet * 10 + 1_000);
});
