import { expect, test } from 'vitest';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';
import { openWorkspace } from '../support/workspace-stage.ts';

// Limits of single end users, on the page of their project.

const site = sharedSite();
const SOON = { timeout: 10_000 };

test('an admin limits an end user, finds how they stand by their name, changes the limit and removes it', async () => {
  const { owner, workspace, project, createKey } = await openWorkspace(site);
  await site.admin.updateProject(project, { end_user_limit_usd: '2' });
  const { key } = await createKey({ name: 'laptop' });
  const { page } = await visit(site, `/workspaces/${workspace}/projects/${project}`, { as: owner });
  await page.getByText('No end user has a limit of their own.').waitFor();

  await page.getByRole('button', { name: 'Limit an end user' }).click();
  const form = page.getByRole('dialog', { name: 'Limit an end user' });
  await form.getByRole('textbox', { name: 'End user' }).fill('ada');
  await form.getByRole('textbox', { name: /^Limit/ }).fill('0.00000001');
  await form.getByRole('button', { name: 'Set limit' }).click();

  const table = page.getByRole('table', { name: 'End users of web' });
  await table.getByRole('cell', { name: 'ada', exact: true }).waitFor();
  const chat = () =>
    fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/echo', user: 'ada', messages: [{ role: 'user', content: 'Hello' }] }),
    });
  await expect.poll(async () => (await chat()).status, SOON).toBe(402);

  await page.getByRole('textbox', { name: 'Find an end user' }).fill('someone else');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('status').getByText('of $2.00').waitFor();

  await table.getByRole('button', { name: 'Change the limit of ada' }).click();
  const change = page.getByRole('dialog', { name: 'Limit of ada' });
  await change.getByRole('textbox', { name: /^Limit/ }).fill('');
  await change.getByRole('button', { name: 'Set limit' }).click();
  await table.getByText('no limit').waitFor();
  await expect.poll(async () => (await chat()).status, SOON).toBe(200);

  await table.getByRole('button', { name: 'Remove the limit of ada' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove limit' }).click();
  await page.getByText('No end user has a limit of their own.').waitFor();
});
