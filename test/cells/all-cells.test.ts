import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Commands } from '../support/commands.ts';
import { addCell, moveBySql, pointCell, SANDBOX, startCells } from '../support/cells.ts';
import type { Program } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// What an operator sees of all cells from one of them, which know each other.

let zero: Program;
let one: Program;
let commands: Commands;
let moved: Tenant;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  [zero, one] = await startCells(running, SANDBOX);
  await addCell(zero, '01', one);
  await addCell(one, '00', zero);
  commands = new Commands(zero);
  moved = await zero.createTenant();
  await moveBySql({ from: zero, to: one, shard: '01' }, moved);
});
afterAll(() => running.disposeAsync());

interface AllProofs {
  readonly data: readonly { readonly shard: string; readonly report?: Readonly<Record<string, string>> }[];
  readonly sum: Readonly<Record<string, string>>;
  readonly missing: number;
}

const ask = (key: string): Promise<Response> =>
  zero.chat(key, { model: 'small-chat', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });

/** Has cell 00 find something else in the place of cell 01, until the end of the test. */
async function withCellAt(url: string): Promise<void> {
  await pointCell(zero, '01', url);
  onTestFinished(() => pointCell(zero, '01', one.url));
}

test('the sum over all cells is that of each proof, with the charges of forwarded requests once', async () => {
  const stays = await zero.createTenant();
  for (const key of [stays.key, moved.key]) expect((await ask(key)).status).toBe(200);
  const { data, sum, missing } = await commands.json<AllProofs>('ledger verify --all-cells');
  expect(missing).toBe(0);
  expect(data.map(({ shard }) => shard)).toEqual(['00', '01']);
  for (const amount of ['credit', 'charges', 'write_offs', 'balance', 'owed'].map((name) => `${name}_nano_usd`)) {
    const parts = data.map(({ report }) => BigInt(report?.[amount] ?? ''));
    expect(BigInt(sum[amount] ?? '')).toBe(parts.reduce((total, part) => total + part, 0n));
  }
  expect(BigInt(sum['credit_nano_usd'] ?? '') - BigInt(sum['charges_nano_usd'] ?? '')).toBe(
    BigInt(sum['balance_nano_usd'] ?? '') + BigInt(sum['owed_nano_usd'] ?? ''),
  );
  for (const { report } of data) expect(BigInt(report?.['charges_nano_usd'] ?? '')).toBeGreaterThan(0n);
  expect(await commands.text('ledger verify --all-cells')).toMatch(
    /^Cell 00\n[^]*\nCell 01\n[^]*\nAll cells\n\ncredit +\d+ nano-USD\n/,
  );
});

test('the list has the figures of each cell, and the console of the other one is at its address', async () => {
  await commands.text('ledger verify --all-cells');
  const { own, data } = await zero.admin.listCells();
  expect(own).toMatchObject({ shard: '00', last_proof_differences: 0 });
  expect(data).toMatchObject([
    { shard: '01', url: one.url, problem: null, figures: { shard: '01', last_proof_differences: 0 } },
  ]);
  expect(data[0]?.figures).toEqual((await one.admin.listCells()).own);
  expect(await commands.text('cell list')).toMatch(new RegExp(`\\n00 +this cell +[^]*\\n01 +${one.url} `));
});

test('a workspace and a request are found in other cells by a name or an id', async () => {
  const { id } = await one.admin.createWorkspace({ name: 'far away' });
  expect(await commands.text('cell find away')).toContain(`01     far away   ${id}  ${one.url}`);
  const answer = await ask(moved.key);
  const requestId = answer.headers.get('x-request-id') ?? '';
  expect((await zero.admin.searchCells({ request_id: requestId })).data).toMatchObject([
    { shard: '01', url: one.url, problem: null, workspaces: [{ name: expect.stringContaining('tenant') }] },
  ]);
  await (await one.openDatabase()).query(`update workspaces set moved_to = '00' where id = $1`, [id]);
  expect(await commands.text('cell find away')).toBe('Nothing was found in other cells.\n');
  await (await one.openDatabase()).query('update workspaces set moved_to = null where id = $1', [id]);
  expect(await commands.text('cell find nowhere')).toBe('Nothing was found in other cells.\n');
});

test('a cell that is away or wrong is named with the reason, and no proof of all cells succeeds without it', async () => {
  const wrong = createServer((_, response) => response.end('{"credit_nano_usd":"1"}'));
  await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void wrong.close());
  for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`]) {
    await withCellAt(url);
    const { code, stdout, stderr } = await zero.cli('ledger', 'verify', '--all-cells');
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nCell 01\n\nNo proof: The cell 01 has not proven its ledger: .*\n\nAll cells but 1\n/);
    expect(stderr).toContain('not all cells have proven their ledgers');
    expect((await zero.admin.listCells()).data).toMatchObject([
      { shard: '01', problem: expect.any(String), figures: null },
    ]);
    expect(await commands.text('cell find away')).toMatch(/^Nothing was found in other cells\.\nCell 01: .+\n$/);
  }
});

test('a ledger of another cell that does not add up fails the proof of all', async () => {
  const sql = await one.openDatabase();
  await sql.query(
    `update purses set spent_nano_usd = spent_nano_usd + 1 where kind = 'credit' and limit_nano_usd > 1000`,
  );
  const { code, stderr } = await zero.cli('ledger', 'verify', '--all-cells');
  expect(code).toBe(1);
  expect(stderr).toContain('a ledger does not add up');
});
