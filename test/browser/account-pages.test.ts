import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PASSWORD, secretIn } from '../support/identity.ts';
import { expectAccessible } from '../support/page-checks.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

let program: Program;

/** The page that a link leads to, with its secret. */
function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

test('the link of the first start leads its owner to an account and a session', async () => {
  const { page } = await visit(program, `/set-up#${secretIn(program.stdout())}`);
  await page.getByLabel('Email address').fill('owner@example.com');
  await page.getByLabel('Your name').fill('Ada Example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const me = await page.evaluate<{ user: { email: string } }>(`fetch('/admin/v1/me').then((answer) => answer.json())`);
  expect(me.user.email).toBe('owner@example.com');
});

test('after 15 minutes a change of the password asks again who it is, and goes on by itself', async () => {
  const person = await signedIn(program);
  const { page } = await visit(program, '/account/security', { as: person, expectedFaults: [/status of 401/] });
  const sql = await program.openDatabase();
  await sql.query(`update sessions set authenticated_at = now() - interval '16 minutes' where user_id = $1`, [
    person.userId,
  ]);
  await page.getByLabel('New password').fill('another long enough secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByLabel('Password').fill(person.password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your password is set. Your other sessions have ended.').first().waitFor();
  const answer = await person.session.post('/session', { email: person.email, password: 'another long enough secret' });
  expect(answer.status).toBe(200);
});

test('a link that has expired says so, keeps what was typed, and leads on to sign-in', async () => {
  const owner = await signedIn(program);
  const member = await signedIn(program, { workspaceId: owner.workspaceId, role: 'developer' });
  const { link: reset } = (
    await owner.session.post(`/workspaces/${owner.workspaceId}/members/${member.userId}/reset-link`)
  ).body;
  const { link: late } = await program.admin.createInvitation(owner.workspaceId, {
    email: 'late@example.com',
    role: 'viewer',
  });
  const sql = await program.openDatabase();
  await sql.query(`update invitations set expires_at = now() - interval '1 minute' where email = 'late@example.com'`);
  await sql.query(`update one_time_links set expires_at = now() - interval '1 minute' where user_id = $1`, [
    member.userId,
  ]);
  const { page } = await visit(program, pathOf(late ?? ''), { expectedFaults: [/status of 400/] });
  await page.getByText('This link does not work any more: it was used, has expired, or was cut off.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
  await page.goto(pathOf(String(reset)));
  await page.getByLabel('Password').fill('another long enough secret');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('This link does not work any more: it was used, has expired, or was cut off.').waitFor();
  expect(await page.getByLabel('Password').inputValue()).toBe('another long enough secret');
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('sign-in refuses too many wrong passwords with the reason, then the right one too, and keeps what was typed', async () => {
  const person = await signedIn(program);
  const { page } = await visit(program, '/sign-in', { expectedFaults: [/status of 4(01|29)/] });
  await page.getByLabel('Email address').fill(person.email);
  const tryWith = async (password: string): Promise<number> => {
    await page.getByLabel('Password').fill(password);
    const answered = page.waitForResponse((response) => response.url().endsWith('/admin/v1/session'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    return (await answered).status();
  };
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 20) statuses.push(await tryWith(`a guess ${statuses.length}`));
  expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true);
  await page.getByText('Too many attempts: wait a while before you try again.').waitFor();
  expect(await tryWith(person.password)).toBe(429);
  expect(await page.getByLabel('Email address').inputValue()).toBe(person.email);
});

/** The program as it is reached by another name. */
async function reachedAs(host: string): Promise<{ readonly url: string }> {
  const server = createServer((message, response) => {
    const { method, headers, url = '/' } = message;
    const forwarded = request(program.url + url, { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    message.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a page that is reached by a host name that is not the instance’s says which, and what to set', async () => {
  const { page } = await visit(await reachedAs('gate.example'), '/sign-in', { expectedFaults: [/status of 400/] });
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const reason = page.getByText('The host name "gate.example" is not this instance\'s');
  expect(await reason.first().innerText()).toContain('name the host in server.public_url');
});

test('a session that was opened without a page is a session of the browser', async () => {
  const site = sharedSite();
  const person = await signedIn(site, { role: 'viewer' });
  const { page } = await visit(site, '/', { as: person });
  const me = await page.evaluate<object>(`fetch('/admin/v1/me').then((answer) => answer.json())`);
  expect(me).toMatchObject({ user: { email: person.email }, workspaces: [{ id: person.workspaceId, role: 'viewer' }] });
});
