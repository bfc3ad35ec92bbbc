import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

let owner: SignedInPerson;

beforeEach(async () => {
  owner = await signedIn(sharedSite());
});

async function openSettings(as = owner, more: Parameters<typeof visit>[2] = {}): Promise<Page> {
  const { page } = await visit(sharedSite(), `/workspaces/${owner.workspaceId}/settings`, { as, ...more });
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  return page;
}

const shown = () => sharedSite().admin.showWorkspace(owner.workspaceId);

test('a workspace is renamed everywhere without a reload, but not on top of a name that was not seen', async () => {
  const page = await openSettings(owner, { expectedFaults: [/status of 412/] });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill(`Renamed ${owner.userId}`);
  await name.press('Enter');
  await page.getByRole('button', { name: `Renamed ${owner.userId}` }).waitFor();
  expect((await shown()).name).toBe(`Renamed ${owner.userId}`);

  await sharedSite().admin.changeWorkspace(owner.workspaceId, { name: `Theirs ${owner.userId}` });
  await name.fill(`Mine ${owner.userId}`);
  await name.press('Enter');
  await page.getByText('Somebody else has changed this workspace').waitFor();
  await page.getByRole('button', { name: 'Load their version' }).click();
  await page.getByText('Somebody else has changed this workspace').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rename workspace' }).click();
  await page.getByRole('button', { name: `Mine ${owner.userId}` }).waitFor();
  expect((await shown()).name).toBe(`Mine ${owner.userId}`);
});

test('Enter renames a workspace while pages are still reading the name before', async () => {
  const page = await openSettings();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const held: (() => void)[] = [];
  await page.route(/\/admin\/v1\/(me|workspaces\/[^/]+)$/, async (route) => {
    if (route.request().method() === 'GET') await new Promise<void>((release) => held.push(release));
    await route.continue();
  });
  for (const each of ['First', 'Second']) {
    await name.fill(`${each} ${owner.userId}`);
    await name.press('Enter');
    await page.getByText(`The workspace is named ${each} ${owner.userId} now.`).first().waitFor();
  }
  expect((await shown()).name).toBe(`Second ${owner.userId}`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const release of held) release();
});

test('a workspace is closed by its typed name alone, after it was said what becomes of its credit', async () => {
  await sharedSite().admin.postCredit(owner.workspaceId, { kind: 'grant', amount_usd: '12.5', reason: 'a test' });
  const payment = { kind: 'top_up', amount_usd: '4', reason: 'an invoice' } as const;
  await sharedSite().admin.postCredit(owner.workspaceId, payment);
  const { name } = await shown();
  const page = await openSettings(owner, { expectedFaults: [/status of 40[34]/] });
  await page.getByRole('button', { name: 'Close workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$16.50 as of now: $4.00 that was paid is refunded, and $12.50 that was granted').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Close workspace' });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByRole('textbox').fill(name);
  await confirm.click();
  // Its pages go as soon as its last requests are charged, which may be now.
  const isExplained = page.getByText(/This workspace (is closed for good|was closed)/);
  await isExplained.waitFor();
  const state = await shown().then(
    (workspace) => workspace.state,
    () => 'closed',
  );
  expect(['closing', 'closed']).toContain(state);
  await page.goto(`/workspaces/${owner.workspaceId}/projects`);
  await isExplained.waitFor();
});

test('an owner suspends and resumes their own workspace, but not what an operator has suspended', async () => {
  const person = await signedIn(sharedSite());
  const { page } = await visit(sharedSite(), `/workspaces/${person.workspaceId}/settings`, { as: person });
  await page.getByRole('button', { name: 'Suspend workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('a leaked key');
  await dialog.getByRole('button', { name: 'Suspend workspace' }).click();
  await page.getByRole('alert').getByText('a leaked key').waitFor();
  await page.getByRole('alert').getByText('until an owner resumes it').waitFor();
  await page.getByRole('button', { name: 'Resume workspace' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await sharedSite().admin.suspendWorkspace(person.workspaceId, { reason: 'unpaid' });
  await page.reload();
  await page.getByRole('alert').getByText('until the operator of this instance resumes it').waitFor();
  await page.getByRole('button', { name: 'Resume workspace' }).and(page.locator('[aria-disabled="true"]')).waitFor();
  const refused = await person.session.post(`/workspaces/${person.workspaceId}/resume`, {});
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  const taken = await person.session.post(`/workspaces/${person.workspaceId}/suspend`, { reason: 'mine' });
  expect(taken.status).toBe(403);
});

test('an operator takes over a suspension by an owner, and resumes it', async () => {
  const person = await signedIn(sharedSite());
  const { admin } = sharedSite();
  const own = await person.session.post(`/workspaces/${person.workspaceId}/suspend`, { reason: 'mine' });
  expect(own.body).toMatchObject({ state: 'suspended', suspended_by: 'owner' });
  const taken = await admin.suspendWorkspace(person.workspaceId, { reason: 'unpaid' });
  expect(taken).toMatchObject({ suspended_by: 'operator', suspension_reason: 'unpaid' });
  expect((await person.session.post(`/workspaces/${person.workspaceId}/resume`, {})).status).toBe(403);
  expect(await admin.resumeWorkspace(person.workspaceId)).toMatchObject({ state: 'active', suspended_by: null });
});

test('a suspended workspace says so with its reason on every page, until it is resumed', async () => {
  const { workspaceId } = owner;
  const operator = await signedIn(sharedSite(), { workspaceId, isOperator: true });
  const page = await openSettings(operator);
  await page.getByRole('button', { name: 'Suspend workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('the payment is disputed');
  await dialog.getByText(`faregate workspace suspend ${workspaceId} --reason 'the payment is disputed'`).waitFor();
  await dialog.getByRole('button', { name: 'Suspend workspace' }).click();
  for (const place of ['projects', 'credit', 'settings']) {
    await page.goto(`/workspaces/${workspaceId}/${place}`);
    await page.getByRole('alert').getByText('the payment is disputed').waitFor();
  }
  await page.getByRole('button', { name: 'Resume workspace' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect((await shown()).state).toBe('active');
});

test('pages of a workspace that is out of reach say that it was closed or belongs to others, and lead away', async () => {
  const stranger = await signedIn(sharedSite());
  const path = `/workspaces/${owner.workspaceId}/projects`;
  const { page } = await visit(sharedSite(), path, { as: stranger, expectedFaults: [/status of 40[34]/] });
  await page.getByText('This workspace was closed, or you are not a member of it.').waitFor();
  await page.getByRole('link', { name: 'Go to your workspaces' }).click();
  await page.getByRole('table', { name: 'Your workspaces' }).getByRole('link').click();
  await page.waitForURL(`**/workspaces/${stranger.workspaceId}`);
  await page.getByText('This workspace was closed').waitFor({ state: 'detached' });
  expect(page.url()).toContain(stranger.workspaceId);
});
