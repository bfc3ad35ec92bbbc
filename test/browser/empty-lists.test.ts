import { expect, test } from 'vitest';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// What pages look like while there is nothing to list.

const site = sharedSite();

test('an empty list offers to create its first thing once, and in the header once there are rows', async () => {
  const as = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${as.workspaceId}/projects`, { as });
  const create = page.getByRole('button', { name: 'Create project' });
  await page.getByText('There is no project yet.').waitFor();
  expect(await create.count()).toBe(1);
  await site.admin.createProject(as.workspaceId, { name: 'web' });
  await page.reload();
  await page.getByRole('link', { name: 'web' }).waitFor();
  expect(await create.count()).toBe(1);
  for (const [path, cause, name] of [
    ['keys', 'There is no key yet.', 'Create key'],
    ['alerts?tab=webhooks', 'No webhook is set up.', 'Add webhook'],
    ['members?tab=invitations', 'No invitation is open.', 'Invite members'],
  ] as const) {
    await page.goto(`/workspaces/${as.workspaceId}/${path}`);
    await page.getByText(cause).waitFor();
    expect(await page.getByRole('button', { name }).count()).toBe(1);
  }
});

test('a list of requests without rows has no histogram', async () => {
  const as = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${as.workspaceId}/requests`, { as });
  await page.getByText('No request was served in this time.').waitFor();
  await expect.poll(() => page.getByRole('figure').count()).toBe(0);
});

test('members see the workspaces that they are in, and others how to get into one', async () => {
  const as = await signedIn(site);
  const { page } = await visit(site, '/workspaces', { as, expectedFaults: [/status of 404/] });
  await page.getByRole('table', { name: 'Your workspaces' }).getByRole('link').click();
  await page.waitForURL(`**/workspaces/${as.workspaceId}`);
  const owner = await signedIn(site, { workspaceId: as.workspaceId });
  const left = await owner.session.delete(`/workspaces/${as.workspaceId}/members/${as.userId}`);
  expect(left.status).toBe(200);
  await page.goto('/workspaces');
  await page.getByText('You are not a member of any workspace.').waitFor();
});
