import { expect, test } from 'vitest';
import { Browser } from '../support/browser.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// The end of a session, as the page that is open in it sees it.

const site = sharedSite();

test('after its session is ended a page leads to sign-in, and back to the same address', async () => {
  const person = await signedIn(site);
  const address = `/workspaces/${person.workspaceId}/members?tab=invitations`;
  const { page } = await visit(site, address, { as: person, expectedFaults: [/status of 401/] });
  await page.getByText('No invitation is open.').waitFor();
  expect((await person.session.delete('/session')).status).toBe(200);
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Ada Example' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${person.workspaceId}/members`);

  await page.goto(address);
  await page.getByText('No invitation is open.').waitFor();
});

test('signing out everywhere else ends an open stream of events of another session within two seconds', async () => {
  const person = await signedIn(site);
  const elsewhere = new Browser(fetch, site.url);
  expect((await elsewhere.post('/session', { email: person.email, password: person.password })).status).toBe(200);
  const cookie = Array.from(elsewhere.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${site.url}/admin/v1/workspaces/${person.workspaceId}/events`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text().then(
    () => performance.now(),
    () => performance.now(),
  );
  const { page } = await visit(site, '/account/sessions', { as: person });
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('The other session has ended.').first().waitFor();
  const signedOutMs = performance.now();
  expect((await ended) - signedOutMs).toBeLessThan(2_000);
});
