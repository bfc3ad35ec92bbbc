import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, secretIn } from '../support/identity.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/page-checks.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { THEMES, visit, WIDTHS } from '../support/visit.ts';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

test('the link of the first start leads its owner to an account and a session', async () => {
  const { page } = await visit(program, `/set-up#${secretIn(program.stdout())}`);
  await page.getByLabel('Email address').fill('owner@example.com');
  await page.getByLabel('Your name').fill('Ada Example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();
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

test.each(THEMES.flatMap((theme) => WIDTHS.map((width) => ({ theme, width }))))(
  'the page of an invitation is accessible in $theme colours and fits $width pixels',
  async ({ theme, width }) => {
    const { page } = await visit(sharedSite(), '/invitation#nothing', {
      theme,
      width,
      expectedFaults: [/status of 400/],
    });
    await page.getByText('does not work any more').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  },
);

test('a session that was opened without a page is a session of the browser', async () => {
  const site = sharedSite();
  const person = await signedIn(site, { role: 'viewer' });
  const { page } = await visit(site, '/', { as: person });
  const me = await page.evaluate<object>(`fetch('/admin/v1/me').then((answer) => answer.json())`);
  expect(me).toMatchObject({ user: { email: person.email }, workspaces: [{ id: person.workspaceId, role: 'viewer' }] });
});
