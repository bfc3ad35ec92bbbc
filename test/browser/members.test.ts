import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD, someEmail } from '../support/identity.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// Members, and the way of an invitation from the inviter to the new member.

const site = sharedSite();

async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Invite member' });
  await sheet.getByLabel('Email address').fill(email);
  await sheet.getByLabel(role, { exact: true }).check();
  await sheet.getByLabel('Link works for').selectOption({ label: 'a day' });
  await sheet.getByRole('button', { name: 'Invite member' }).click();
  const shown = page.getByRole('dialog', { name: `Invitation of ${email}` });
  const link = await shown.getByRole('region', { name: 'invitation link' }).textContent();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  return link ?? '';
}

test('an invitation names the right host, role and expiry, makes one member once, and then explains itself', async () => {
  const owner = await signedIn(site);
  const email = someEmail();
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/members`, { as: owner });
  const link = await invite(page, email, 'developer');
  expect(new URL(link).origin).toBe(site.url);
  const invited = page.getByRole('row', { name: new RegExp(email) });
  await invited.getByText('developer').waitFor();

  const { pathname, hash } = new URL(link);
  const guest = await visit(site, pathname + hash);
  await guest.page.getByText(`${email} is invited as a developer. The invitation expires`).waitFor();
  const expiry = (await guest.page.locator('time').getAttribute('datetime')) ?? '';
  expect((Date.parse(expiry) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  await guest.page.getByLabel('Your name').fill('Grace Example');
  await guest.page.getByLabel('Password').fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Create account and join' }).click();
  await guest.page.getByRole('button', { name: 'Your account, Grace Example' }).waitFor();

  const second = await visit(site, pathname + hash, { expectedFaults: [/status of 409/] });
  await second.page.getByText(`The invitation of ${email} to`).waitFor();
  await second.page.getByText('was accepted already').waitFor();
  await second.page.getByRole('link', { name: 'Sign in' }).waitFor();

  await page.goto(`/workspaces/${owner.workspaceId}/members`);
  await page.getByRole('row', { name: /Grace Example.*developer/ }).waitFor();
});

test('an invitation is sent again by a new link, which ends the former one, and can be revoked', async () => {
  const owner = await signedIn(site);
  const email = someEmail();
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/members?tab=invitations`, { as: owner });
  const first = await invite(page, email, 'viewer');
  await page.getByRole('button', { name: `Resend the invitation of ${email}` }).click();
  const again = page.getByRole('dialog', { name: `Invitation of ${email}` });
  expect(await again.getByRole('region', { name: 'invitation link' }).textContent()).not.toBe(first);
  await again.getByRole('button', { name: 'I have saved it' }).click();
  const dead = await visit(site, new URL(first).pathname + new URL(first).hash, { expectedFaults: [/status of 400/] });
  await dead.page.getByText('does not work any more').waitFor();
  await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await page.getByText('No invitation is open.').waitFor();
});

test('the last owner keeps the role and the membership, and the page says why before anybody tries', async () => {
  const owner = await signedIn(site);
  const reason = 'A workspace has one owner at least. Make another member an owner first.';
  const address = `/workspaces/${owner.workspaceId}/members?member=${owner.userId}`;
  const { page } = await visit(site, address, { as: owner });
  const sheet = page.getByRole('dialog');
  for (const name of ['Change role', 'Leave workspace']) {
    const button = sheet.getByRole('button', { name });
    await button.and(page.locator('[aria-disabled="true"]')).waitFor();
    await button.focus();
    expect(await page.getByRole('tooltip').textContent()).toBe(reason);
  }
  await signedIn(site, { workspaceId: owner.workspaceId, name: 'Olga Owner' });
  await page.reload();
  await sheet.getByRole('button', { name: 'Leave workspace' }).and(page.locator(':not([aria-disabled])')).waitFor();
});

test('an owner changes a role, is told what happens to keys, removes the member, and the list follows', async () => {
  const owner = await signedIn(site);
  const { workspaceId } = owner;
  const member = await signedIn(site, { workspaceId, role: 'developer', name: 'Dora Developer' });
  const project = await site.admin.createProject(workspaceId, { name: 'web' });
  const made = await member.session.post(`/workspaces/${workspaceId}/projects/${project.id}/keys`, { name: 'laptop' });
  expect(made.status).toBe(201);
  const { page } = await visit(site, `/workspaces/${workspaceId}/members`, { as: owner });
  await page.getByRole('link', { name: 'Dora Developer' }).click();
  const sheet = page.getByRole('dialog', { name: 'Dora Developer' });
  await sheet.getByLabel('billing', { exact: true }).check();
  await sheet.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('row', { name: /Dora Developer.*billing/ }).waitFor();
  await page.getByRole('link', { name: 'Dora Developer' }).click();
  await sheet.getByRole('button', { name: 'Remove member' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Dora Developer?' });
  await question.getByText('1 key that they have created keeps working, because keys belong to projects.').waitFor();
  await question.getByRole('button', { name: 'Remove member' }).click();
  await page.getByRole('row', { name: /Dora Developer/ }).waitFor({ state: 'detached' });
  expect((await member.session.get(`/workspaces/${workspaceId}`)).status).toBe(404);
});

test('an owner makes a link by which a member sets a new password', async () => {
  const owner = await signedIn(site);
  const member = await signedIn(site, { workspaceId: owner.workspaceId, role: 'viewer', name: 'Vera Viewer' });
  const address = `/workspaces/${owner.workspaceId}/members?member=${member.userId}`;
  const { page } = await visit(site, address, { as: owner });
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = new URL((await page.getByRole('region', { name: 'link for a new password' }).textContent()) ?? '');
  const { page: reset } = await visit(site, link.pathname + link.hash);
  await reset.getByLabel('Password').fill('a new and longer secret');
  await reset.getByRole('button', { name: 'Set the password' }).click();
  await reset.getByRole('button', { name: 'Your account, Vera Viewer' }).waitFor();
  expect((await member.session.get('/me')).status).toBe(401);
});
