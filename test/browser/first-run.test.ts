import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

const run = promisify(execFile);

test('the first request ticks the last of the first steps within 2 seconds, on the page as it is', async () => {
  const site = sharedSite();
  const person = await signedIn(site);
  const { workspaceId } = person;
  await site.admin.grantCredit(workspaceId, { amount_usd: '5.00', reason: 'a start' });
  const project = await site.admin.createProject(workspaceId, { name: 'web' });
  const { key } = await site.admin.createKey(project.id, { name: 'laptop' });
  const { page } = await visit(site, `/workspaces/${workspaceId}`, { as: person });
  await page.getByText('Waiting for your first request').waitFor();
  await page.evaluate('window.isSamePage = true');
  const command = await page.getByRole('region', { name: 'curl code' }).innerText();
  const { stdout } = await run('sh', ['-c', `${command} -sw '\\n%{http_code}'`], { env: { FAREGATE_KEY: key } });
  const answered = Date.now();
  expect(stdout.trim().split('\n').at(-1)).toBe('200');
  await page.getByText('arrived, and was charged').waitFor();
  expect(Date.now() - answered).toBeLessThan(2_000);
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});
