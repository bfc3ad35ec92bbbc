import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { formatUsd, parseUsd } from '../../src/domain/money.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';
import { openWorkspace } from '../support/workspace-stage.ts';

// A budget as people watch it: what is spent, held and left, an alert before its end, and its end.

const site = sharedSite();
const SOON = { timeout: 10_000 };

interface Sending {
  readonly to?: 'chat/completions' | 'quote';
  readonly signal?: AbortSignal;
}

const send = (key: string, body: object, { to = 'chat/completions', signal }: Sending = {}): Promise<Response> =>
  fetch(`${site.url}/v1/${to}`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });

/** The amounts of a bar, in the order in which it says them. */
async function barOf(
  page: Page,
  label: string,
): Promise<{ readonly words: string; readonly amounts: readonly bigint[] }> {
  const bar = page.locator('div[title]').filter({ has: page.getByRole('meter', { name: label, exact: true }) });
  const words = await bar.getAttribute('title');
  const amounts = (words?.match(/\$[\d,.]*\d/g) ?? []).map((text) => parseUsd(text.replaceAll(/[$,]/g, '')) ?? -1n);
  return { words: (words ?? '').replaceAll(/\$[\d,.]*\d/g, '$'), amounts };
}

test('what was charged while a page was being opened, before it was told of changes, is shown', async () => {
  const { owner, workspace, project, createKey } = await openWorkspace(site);
  await site.admin.updateProject(project, { budget_usd: '1' });
  const { key } = await createKey({ name: 'laptop' });
  const { page } = await visit(site, '/account', { as: owner });
  const charged = Promise.withResolvers<undefined>();
  await page.route('**/events', async (route) => {
    await charged.promise;
    await route.continue();
  });
  await page.goto(`/workspaces/${workspace}/projects/${project}`);
  await page.getByText('$0.00 spent').waitFor();
  await (await send(key, { model: 'sandbox/echo' })).text();
  await expect.poll(async () => (await site.admin.showProject(project)).used_nano_usd, SOON).not.toBe('0');
  charged.resolve(undefined);
  await expect.poll(async () => ((await barOf(page, 'Budget of web')).amounts[0] ?? 0n) > 0n, SOON).toBe(true);
});

test('while a request runs, and no longer, the bars of its budget and limit show what it holds beside the rest', async () => {
  const { owner, workspace, project, createKey } = await openWorkspace(site);
  await site.admin.updateProject(project, { budget_usd: '1' });
  const { id, key } = await createKey({ name: 'laptop', spend_limit_usd: '0.5' });
  const { page } = await visit(site, `/workspaces/${workspace}/projects/${project}`, { as: owner });
  await page.getByText('$0.00 spent').waitFor();
  await (await send(key, { model: 'sandbox/echo' })).text();
  // The page follows by itself.
  await expect.poll(async () => ((await barOf(page, 'Budget of web')).amounts[0] ?? 0n) > 0n, SOON).toBe(true);
  const leaving = new AbortController();
  const slow = { model: 'sandbox/slow', stream: true, metadata: { delay_ms: '20000' } };
  const running = await send(key, slow, { signal: leaving.signal });
  expect(running.status).toBe(200);
  const expectHeld = async (label: string, limit: bigint): Promise<void> => {
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('meter', { name: label, exact: true }).waitFor();
        return (await barOf(page, label)).words;
      }, SOON)
      .toMatch(/^\$ spent, \$ held, \$ left of \$(; \$ leased, including holds)?$/);
    const { amounts } = await barOf(page, label);
    const [spent = 0n, held = 0n, left = 0n, whole] = amounts;
    expect([whole, spent + held + left]).toEqual([limit, limit]);
    expect(spent > 0n && held > 0n).toBe(true);
  };
  await expectHeld('Budget of web', 1_000_000_000n);
  await page.goto(`/workspaces/${workspace}/keys/${id}`);
  await expectHeld('Limit of laptop', 500_000_000n);

  const standings = async () => [
    await site.admin.showWorkspace(workspace),
    await site.admin.showProject(project),
    await site.admin.showKey(id),
  ];
  const { hold_nano_usd: hold } = (await (await send(key, slow, { to: 'quote' })).json()) as { hold_nano_usd: string };
  for (const { held_nano_usd: held, leased_nano_usd: leased } of await standings()) {
    expect(held).toBe(hold);
    expect(BigInt(leased)).toBeGreaterThanOrEqual(BigInt(hold));
  }
  leaving.abort();
  const held = async () => (await standings()).map(({ held_nano_usd: each }) => each);
  await expect.poll(held, SOON).toEqual(['0', '0', '0']);
});

test('the home page warns of a nearly spent budget while requests are served, and a refusal names whose it is', async () => {
  const { owner, workspace, project, createKey } = await openWorkspace(site);
  const { key } = await createKey({ name: 'laptop' });
  const ask = async (
    content: string,
    more: object = {},
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await send(key, { model: 'sandbox/echo', messages: [{ role: 'user', content }], ...more });
    return { status: answer.status, text: await answer.text() };
  };
  const long = 'many words '.repeat(1_000);
  expect((await ask(long)).status).toBe(200);
  const spent = await vi.waitFor(async () => {
    const { used_nano_usd: used } = await site.admin.showProject(project);
    expect(used).not.toBe('0');
    return BigInt(used);
  }, SOON);
  await site.admin.updateProject(project, { budget_usd: formatUsd((spent * 100n) / 85n) });
  const { page } = await visit(site, `/workspaces/${workspace}`, { as: owner });
  const item = page.getByRole('listitem').filter({ hasText: 'Project web has spent' });
  await item.getByRole('link', { name: 'Raise the budget' }).waitFor();
  expect((await ask('few', { max_tokens: 10 })).status).toBe(200);

  const refused = await ask(long);
  expect(refused.status).toBe(402);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'PROJECT_BUDGET_EXCEEDED' } });
  expect(refused.text).toMatch(/project/i);
  await item.getByRole('link', { name: 'Raise the budget' }).click();
  await page.getByRole('heading', { name: 'Change web' }).waitFor();
});
