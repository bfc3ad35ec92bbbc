import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../support/page-checks.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// Passkeys are made and shown by Chromium's virtual authenticator.

const site = sharedSite();

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a passkey is added on the page of the account, and signs in without a password until it is removed', async () => {
  const person = await signedIn(site);
  // An address has no passkeys, a name has.
  const named = { url: site.url.replace('127.0.0.1', 'localhost') };
  const { page, context } = await visit(named, '/account/security', { as: person, expectedFaults: [/status of 401/] });
  await addAuthenticator(page);
  await page.getByText('You have no passkey yet.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Name').fill('This laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('row', { name: /This laptop/ }).waitFor();
  await page.goto(`/workspaces/${person.workspaceId}/members`);
  await page.getByRole('row', { name: person.email }).getByText('passkey', { exact: true }).waitFor();
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: /^Your account/ }).waitFor();
  await page.goto('/account/security');
  // It was added, and used.
  expect(await page.getByRole('row', { name: /This laptop/ }).textContent()).toMatch(/(now|ago)(now|.+ago)/);
  await page.getByRole('button', { name: 'Remove This laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('You have no passkey yet.').waitFor();
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey is unknown here').waitFor();
});
