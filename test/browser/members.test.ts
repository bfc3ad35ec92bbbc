import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD, someEmail } from '../support/identity.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// Members, and the way of an invitation from the inviter to the new member.

const site = sharedSite();

async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite members' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Invite members' });
  await sheet.getByLabel('Email addresses').fill(email);
  await sheet.getByLabel(role, { exact: true }).check();
  await sheet.getByLabel('Links work for').selectOption({ label: 'a day' });
  await sheet.getByRole('button', { name: 'Invite member', exact: true }).click();
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

test('a member who sees their own alone leaves the workspace from their profile, which says what ends', async () => {
  const { workspaceId } = await signedIn(site);
  const member = await signedIn(site, { workspaceId, role: 'member' });
  const { page } = await visit(site, '/account', { as: member });
  await page.getByRole('button', { name: /^Leave / }).click();
  const question = page.getByRole('dialog', { name: /^Leave / });
  await question.getByText(/Your access tokens for this workspace.* end\./).waitFor();
  // It is opened in a cell that is aligned right.
  expect(
    await question.evaluate((dialog) => dialog.ownerDocument.defaultView?.getComputedStyle(dialog).textAlign),
  ).toBe('left');
  // Nothing waits for the server any more, whose answer may come later than the stream of events is opened again and refused.
  await page.route('**/admin/v1/me', () => new Promise(() => undefined));
  await question.getByRole('button', { name: 'Leave workspace' }).click();
  await page.getByText('You are not a member of any workspace.').waitFor();
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

test('five colleagues have 20 USD a month and a key each after five clicks and three fields from the home page', async () => {
  const owner = await signedIn(site);
  await site.admin.postCredit(owner.workspaceId, { kind: 'grant', amount_usd: '1', reason: 'a test' });
  await site.admin.createProject(owner.workspaceId, { name: 'web' });
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}`, { as: owner });
  const emails = Array.from({ length: 5 }, () => someEmail());
  const done = { clicks: 0, fields: 0 };
  const click = async (role: 'link' | 'button' | 'radio', name: RegExp | string): Promise<void> => {
    done.clicks += 1;
    await page.getByRole(role, { name }).first().click();
  };
  await click('link', 'Members');
  await click('button', 'Invite members');
  const sheet = page.getByRole('dialog', { name: 'Invite members' });
  await sheet
    .getByRole('textbox', { name: 'Email addresses' })
    .fill(emails.map((each) => `Someone <${each}>`).join('\n'));
  await click('radio', /^member/);
  await sheet.getByRole('textbox', { name: 'Limit a month' }).fill('20');
  await sheet.getByRole('combobox', { name: 'A key for each' }).selectOption({ index: 1 });
  done.fields += 3;
  done.clicks += 1;
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.getByRole('button', { name: 'Invite 5 members' }).dblclick();
  const shown = page.getByRole('dialog', { name: '5 members are invited.' });
  const [header, ...lines] = (
    (await shown.getByRole('region', { name: 'list of invitations' }).textContent()) ?? ''
  ).split('\n');
  expect(header).toBe('email,link,key');
  expect(lines.map((line) => line.split(',')[0])).toEqual(emails);
  await click('button', 'I have saved it');
  await page.getByRole('row', { name: new RegExp(emails[4] ?? '') }).waitFor();
  expect(done).toEqual({ clicks: 5, fields: 3 });
  // A double click sends the form once.
  expect(sent).toHaveLength(1);

  const [, link = '', key = ''] = (lines[0] ?? '').split(',');
  const answer = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(answer.status).toBe(200);
  const { pathname, hash } = new URL(link);
  const guest = await visit(site, pathname + hash);
  await guest.page.getByLabel('Your name').fill('Grace Example');
  await guest.page.getByLabel('Password').fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Create account and join' }).click();
  await guest.page.getByText('of $20.00 over all your keys').waitFor();
  await guest.page.getByRole('link', { name: 'Keys', exact: true }).click();
  await guest.page.getByRole('row', { name: new RegExp((emails[0] ?? '').split('@')[0] ?? '') }).waitFor();
});

test('a part of a list of colleagues that has no address is named, and nobody is invited', async () => {
  const owner = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/members?invite=true`, {
    as: owner,
    expectedFaults: [/status of 400/],
  });
  const addresses = page.getByRole('textbox', { name: 'Email addresses' });
  await addresses.fill(`${someEmail()}\ngrace.example.com; Ada <${someEmail()}>`);
  await page.getByRole('button', { name: 'Invite 3 members' }).click();
  await page.getByRole('alert').filter({ hasText: 'grace.example.com' }).waitFor();
  expect((await site.admin.listInvitations(owner.workspaceId)).data).toEqual([]);
});
