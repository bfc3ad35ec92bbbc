import { expect, test } from 'vitest';
import { Browser } from '../support/browser.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// The end of a session, as the page that is open in it sees it.

const site = sharedSite();

/** Groups the usage by project, and resolves once the address says so. */
const CHOOSE_PROJECT = `new Promise((resolve) => {
  const control = document.querySelector('select[aria-label="Group by"]');
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(control, 'project');
  control.dispatchEvent(new Event('change', { bubbles: true }));
  const look = () => (location.search.includes('by=project') ? resolve() : setTimeout(look, 10));
  look();
})`;

test('after its session is ended a page leads to sign-in, and back to the same address with its search part', async () => {
  const person = await signedIn(site);
  const usage = `/workspaces/${person.workspaceId}/usage`;
  const { page } = await visit(site, `${usage}?period=7d&measure=tokens`, {
    as: person,
    expectedFaults: [/status of 401/],
  });
  await page.getByText('Nothing was used in this time.').waitFor();
  // Chosen first: once the session has ended, the page may lead away before anything can be chosen on it.
  const ended = Promise.withResolvers<void>();
  await page.route(/\/usage\?.*group_by=key/, async (route) => {
    await ended.promise;
    await route.continue();
  });
  await page.getByLabel('Group by').selectOption('key');
  expect((await person.session.delete('/session')).status).toBe(200);
  ended.resolve();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Nothing was used in this time.').waitFor();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe(`${usage}?period=7d&measure=tokens&by=key`);
  expect(await page.getByLabel('Group by').inputValue()).toBe('key');
  expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('7d');
});

test.each(['/', '/workspaces/w/usage?period=7d'])(
  'a visit of %s without a session leads to sign-in, and leaves no error in the console of the browser',
  async (path) => {
    const { page, faults } = await visit(site, path);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe(path === '/' ? null : path);
    expect(faults).toEqual([]);
  },
);

test('"/keys" leads to the keys of the present workspace, also through the sign-in', async () => {
  const person = await signedIn(site);
  const { page } = await visit(site, '/keys', { as: person });
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${person.workspaceId}/keys`);
  const other = await visit(site, '/keys');
  await other.page.getByLabel('Email address').fill(person.email);
  await other.page.getByLabel('Password').fill(person.password);
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.waitForURL((url) => url.pathname === `/workspaces/${person.workspaceId}/keys`);
});

test('the page is painted before its scripts run', async () => {
  const { page, context } = await visit(site, '/sign-up');
  const hasScripts = Promise.withResolvers<void>();
  const early = await context.newPage();
  await early.route('**/assets/*.js', async (route) => {
    await hasScripts.promise;
    await route.continue();
  });
  await early.goto('/sign-in', { waitUntil: 'commit' });
  await early.getByRole('img', { name: 'Faregate' }).waitFor();
  expect(await early.getByRole('heading').count()).toBe(0);
  hasScripts.resolve();
  await early.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.close();
});

test('the page of a failed sign-in says why by a name in its address, and shows no text that a link brings along', async () => {
  const { page } = await visit(site, '/sign-in?error=Call+0900+1234+to+unlock');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('0900').count()).toBe(0);
  await page.goto(`${site.url}/?sign_in_error=no_sign_ups`);
  await page.getByText('This instance takes no sign-ups: ask for an invitation.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});

test('a choice that is made while the page leads to sign-in does not keep it from there', async () => {
  const person = await signedIn(site);
  const usage = `/workspaces/${person.workspaceId}/usage`;
  const { page } = await visit(site, usage, { as: person, expectedFaults: [/status of 401/] });
  await page.getByText('Nothing was used in this time.').waitFor();
  expect((await person.session.delete('/session')).status).toBe(200);
  const isChosen = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  await page.route('**/sign-in?*', async (route) => {
    isAsked.resolve();
    await isChosen.promise;
    await route.continue();
  });
  await page.getByLabel('Group by').selectOption('key');
  await isAsked.promise;
  // selectOption would wait for the page that is on its way.
  await page.evaluate(CHOOSE_PROJECT);
  isChosen.resolve();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe(`${usage}?by=key`);
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
