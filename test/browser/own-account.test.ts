import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { codeOf, stepAt } from '../../src/control/identity/one-time-passwords.ts';
import { expectAccessible } from '../support/page-checks.ts';
import { type SignedInPerson, signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// The signed-in user's own account.

const site = sharedSite();

/** Reads the QR code that is on the page, as a phone would. */
async function scan(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'QR code for your authenticator app' });
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const fillOf = (part: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('svg[role="img"] > ${part}')).fill`);
  expect([await fillOf('rect'), await fillOf('path')]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const from = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++) data.fill(0, from + pixel * 4, from + pixel * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function signInAs(page: Page, person: SignedInPerson): Promise<void> {
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a scanned QR code sets up two-step sign-in, its codes are asked for, and each recovery code works once', async () => {
  const person = await signedIn(site);
  const { page } = await visit(site, '/account/security', {
    as: person,
    theme: 'dark',
    expectedFaults: [/status of 401/],
  });
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  const uri = new URL(await scan(page));
  await expectAccessible(page);
  expect(uri.href).toContain(encodeURIComponent(person.email));
  const secret = bytesOf(uri.searchParams.get('secret') ?? '');
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The code is wrong, or was used before.').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, stepAt(Date.now()) - 1));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = (await page.getByRole('region', { name: 'list of recovery codes' }).textContent())?.split('\n') ?? [];
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
  expect(await page.getByText(codes[0] ?? '').count()).toBe(0);

  for (const [given, isRight] of [
    [codes[0], true],
    [codes[0], false],
  ] as const) {
    const other = await visit(site, '/sign-in', { expectedFaults: [/status of 401/] });
    await signInAs(other.page, person);
    await other.page.getByLabel('Code').fill(given ?? '');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    const menu = other.page.getByRole('button', { name: /^Your account/ });
    await (isRight ? menu : other.page.getByText('The code is wrong, or was used before.')).waitFor();
  }
});

test('a new password ends the other sessions and keeps this one', async () => {
  const person = await signedIn(site);
  const { page } = await visit(site, '/account/security', { as: person });
  const elsewhere = await visit(site, '/sign-in', { expectedFaults: [/status of 401/] });
  await signInAs(elsewhere.page, person);
  await elsewhere.page.getByRole('button', { name: /^Your account/ }).waitFor();
  // An open page would notice by itself that its session has ended, and go to the sign-in.
  await elsewhere.page.goto('about:blank');
  await page.getByLabel('New password').fill('another long enough secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is set. Your other sessions have ended.').first().waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await elsewhere.page.goto('/account');
  await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(elsewhere.page.url()).searchParams.get('next')).toBe('/account');
});

test('of the sessions this one is marked, one is ended, and the rest by one button', async () => {
  const person = await signedIn(site);
  for (let count = 0; count < 2; count++) {
    // It learns that its session is over as soon as it asks again.
    const { page } = await visit(site, '/sign-in', { expectedFaults: [/status of 401/] });
    await signInAs(page, person);
    await page.getByRole('button', { name: /^Your account/ }).waitFor();
  }
  const { page } = await visit(site, '/account/sessions', { as: person });
  const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row');
  await rows.nth(3).waitFor();
  expect(await rows.filter({ hasText: 'this session' }).getByRole('button').count()).toBe(0);
  await rows.getByRole('button', { name: 'End the session of Chrome on Linux' }).first().click();
  await rows.nth(3).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await rows.nth(2).waitFor({ state: 'detached' });
  const button = page.getByRole('button', { name: 'Sign out everywhere else' });
  await button.and(page.locator('[aria-disabled="true"]')).waitFor();
});

test('an access token has rights of the role alone, is shown once, works, and is refused once revoked', async () => {
  const person = await signedIn(site, { role: 'viewer' });
  const { page } = await visit(site, '/account/access-tokens?create=true', { as: person });
  const sheet = page.getByRole('dialog', { name: 'Create access token' });
  await sheet.getByLabel('Name').fill('Nightly export');
  const beyond = sheet.getByLabel('members:write');
  expect(await beyond.getAttribute('aria-disabled')).toBe('true');
  await beyond.press('Space');
  expect(await beyond.isChecked()).toBe(false);
  await sheet.getByLabel('workspace:read').check();
  await sheet.getByRole('button', { name: 'Create access token' }).click();
  const shown = page.getByRole('dialog', { name: 'Access token Nightly export' });
  const secret = (await shown.getByRole('region', { name: 'access token' }).textContent()) ?? '';
  expect(secret).toMatch(/^fg_pat_/);
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  const call = () =>
    fetch(`${site.url}/admin/v1/workspaces/${person.workspaceId}`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await call()).status).toBe(200);
  await page.getByRole('row', { name: /Nightly export.*workspace:read.*expires/ }).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
  await page.getByRole('button', { name: 'Revoke access token' }).click();
  await page.getByRole('row', { name: /Nightly export.*revoked/ }).waitFor();
  expect((await call()).status).toBe(401);
});

test('the user menu leads to the account, where a name is changed and the theme is kept', async () => {
  const person = await signedIn(site);
  const { page } = await visit(site, '/', { as: person });
  await page.getByRole('button', { name: 'Your account, Ada Example' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByRole('button', { name: 'Your account, Ada Lovelace' }).waitFor();
  await page.getByLabel('Dark theme').check();
  await page.reload();
  await page.getByLabel('Dark theme').and(page.locator(':checked')).waitFor();
  expect(await page.evaluate(`document.documentElement.dataset.theme`)).toBe('dark');
});
