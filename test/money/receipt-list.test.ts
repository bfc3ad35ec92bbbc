import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';

// Operators find a workspace's requests, through the admin API and by the command.

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});

afterAll(() => shop.program.dispose());

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };

async function pay(key: string, body: object = {}): Promise<string> {
  const response = await shop.post('chat/completions', key, { ...CHAT, ...body });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

test('the requests of a workspace are listed newest first, and found by key, project, model and charge', async () => {
  const { key, keyId, projectId, workspaceId } = await shop.program.createTenant();
  const sibling = await shop.program.admin.createKey(projectId, {});
  const ids = [await pay(key), await pay(key, { model: 'free' }), await pay(sibling.key)];
  const { admin } = shop.program;
  const found = async (query: Parameters<typeof admin.listReceipts>[1]): Promise<readonly string[]> =>
    (await admin.listReceipts(workspaceId, query)).data.map((each) => each.request_id);

  expect(await found({})).toEqual(ids.toReversed());
  expect(await found({ key: keyId })).toEqual([ids[1], ids[0]]);
  expect(await found({ project: 'project', model: 'free' })).toEqual([ids[1]]);
  expect(await found({ min_charge_usd: '0.00001' })).toEqual([ids[2], ids[0]]);
  const page = await admin.listReceipts(workspaceId, { limit: 1 });
  expect(await found({ limit: 1, cursor: page.next_cursor ?? '' })).toEqual([ids[1]]);
  expect(await admin.listReceipts(workspaceId)).toMatchObject({ next_cursor: null, searched_until: null });
  const { charge_usd: charge } = await admin.showReceipt(ids[0] ?? '');
  expect(page.data[0]).toMatchObject({ charge_usd: charge, outcome: 'completed', streamed: false, usage: {} });
  await expect(found({ key: 'none' })).rejects.toThrow('There is no');
});

test('the command lists requests, and with -f prints each new one until Ctrl-C', async () => {
  const { key, workspaceId } = await shop.program.createTenant();
  const first = await pay(key);

  const listed = await shop.program.cli('requests', workspaceId, '--model', 'chat');
  expect(listed.stdout).toMatch(new RegExp(`ADMITTED.*\\n.*  chat  .*0\\.0000225.*${first}`));
  expect((await shop.program.json<{ data: unknown[] }>('requests', workspaceId, '--model', 'free')).data).toEqual([]);

  const following = shop.program.startCli('requests', workspaceId, '-f');
  try {
    await expect.poll(following.stdout, { timeout: 60_000 }).toContain(first);
    const second = await pay(key, { model: 'free' });
    await expect.poll(following.stdout, { timeout: 60_000 }).toContain(second);
    expect(following.stdout().split(first)).toHaveLength(2);
    expect(await following.interrupt()).toBe(0);
    expect(following.stdout()).toMatch(/\n$/);
  } finally {
    await following.stop();
  }
});
