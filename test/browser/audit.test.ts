import { expect, test } from 'vitest';
import { type SignedInPerson, signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// The audit log: who changed what, from what to what.

const site = sharedSite();

/** A project that its owner has created and then given another budget. */
async function changedProject(owner: SignedInPerson): Promise<string> {
  const path = `/workspaces/${owner.workspaceId}/projects`;
  const { body } = await owner.session.post(path, { name: 'web', budget_usd: '20', budget_period: 'month' });
  const id = String(body['id']);
  const changed = await owner.session.patch(`${path}/${id}`, { budget_usd: '50' }, { 'if-match': '*' });
  expect(changed.status).toBe(200);
  return id;
}

test('a change shows its actor, address, request and each field before and after, and leads to what was changed', async () => {
  const owner = await signedIn(site);
  const project = await changedProject(owner);
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/audit`, { as: owner });
  await page.getByRole('link', { name: 'update project' }).click();
  const sheet = page.getByRole('dialog', { name: 'update project' });
  await sheet.getByRole('row', { name: 'budget $20.00 $50.00' }).waitFor();
  await sheet.getByText(`${owner.email}, in a browser`).waitFor();
  await sheet.getByText('127.0.0.1', { exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'Copy request id' }).waitFor();
  await page.reload();
  await sheet.getByRole('row', { name: 'budget $20.00 $50.00' }).waitFor();
  await sheet.getByRole('link', { name: 'Go to project' }).click();
  await page.getByRole('heading', { name: 'web', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${owner.workspaceId}/projects/${project}`);
});

test('filters stand in the address, and the export has what they let through', async () => {
  const owner = await signedIn(site);
  const project = await changedProject(owner);
  const audit = `/workspaces/${owner.workspaceId}/audit`;
  const { page } = await visit(site, audit, { as: owner });
  const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
  await page.getByRole('link', { name: 'accept invitation' }).waitFor();
  await page.getByLabel('Change', { exact: true }).selectOption({ label: 'update project' });
  await page.getByRole('link', { name: 'accept invitation' }).waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(2);
  await page.getByLabel('By', { exact: true }).selectOption({ label: 'Ada Example' });
  expect(new URL(page.url()).search).toBe(`?action=project.update&user=${owner.userId}`);
  await page.reload();
  await page.getByRole('link', { name: 'update project' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download JSON lines' }).click();
  const file = await (await saved).createReadStream();
  const lines = Buffer.concat(await file.toArray())
    .toString()
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { action: 'project.update', target_id: project, actor: owner.email },
  ]);
  await page.getByLabel('To day, UTC').fill('2020-01-01');
  await page.getByText('No change matches these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'accept invitation' }).waitFor();
});
