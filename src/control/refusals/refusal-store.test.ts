import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { principalOf, refusedRequest } from '../../../test/support/refused-requests.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import type { Principal } from '../../domain/principal.ts';
import { type RefusalCode, refuse } from '../../domain/refusals.ts';
import { recordOf } from './recorded-refusal.ts';
import { countAllRefusals } from './refusal-counts.ts';
import { findRefusal, listAllRefusals, listRefusals, locateRefusal } from './refusal-search.ts';
import { KEPT_OF_CODE, pruneRefusals, writeRefusals } from './refusal-store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

const NONE = new Map<string, number>();

async function openCaller(): Promise<Principal> {
  return principalOf(await openAccount(db.database));
}

/** Writes so many refusals of the caller; answers with their ids, newest first. */
async function write(caller: Principal, count: number, code: RefusalCode = 'MODEL_NOT_FOUND'): Promise<string[]> {
  const records = Array.from({ length: count }, () => recordOf(refusedRequest(caller, code), caller, Date.now()));
  await writeRefusals(db.control, { records, unrecorded: NONE });
  return records.map(({ requestId }) => requestId).toReversed();
}

const idsOf = (items: readonly { readonly requestId: string }[]): readonly string[] =>
  items.map(({ requestId }) => requestId);

test('a flood of refusals with one code drops no refusal with another, however old', async () => {
  const caller = await openCaller();
  const scope = scopeOf(caller.workspaceId);
  const [old = ''] = await write(caller, 1, 'INSUFFICIENT_BALANCE');
  for (let n = 0; n < 3; n++) await write(caller, 600, 'RATE_LIMITED');
  expect(await findRefusal(db.control, scope, old)).toMatchObject({ requestId: old, code: 'INSUFFICIENT_BALANCE' });
});

test('a workspace keeps its newest 1,000 refusals with a code, another keeps its own', async () => {
  const [busy, calm] = [await openCaller(), await openCaller()];
  const kept = await write(calm, 1);
  const first = await write(busy, 600);
  const last = await write(busy, 600);

  const [{ count } = { count: 0 }] = await db.database.query<{ count: number }>(
    'select count(*)::int from refusals where workspace_id = $1',
    [busy.workspaceId],
  );
  expect(count).toBe(KEPT_OF_CODE);
  const scope = scopeOf(busy.workspaceId);
  expect(await findRefusal(db.control, scope, first.at(-1) ?? '')).toBeNull();
  expect(await findRefusal(db.control, scope, last[0] ?? '')).toMatchObject({ requestId: last[0] });
  expect(await findRefusal(db.control, scopeOf(calm.workspaceId), kept[0] ?? '')).not.toBeNull();
});

test('lists go page by page, newest first, filtered, and say how many refusals were not recorded', async () => {
  const caller = await openCaller();
  const scope = scopeOf(caller.workspaceId);
  const ids = [...(await write(caller, 2, 'RATE_LIMITED')), ...(await write(caller, 3))];
  const newest = [...ids.slice(2), ...ids.slice(0, 2)];
  await writeRefusals(db.control, { records: [], unrecorded: new Map([[caller.workspaceId, 4]]) });
  await writeRefusals(db.control, { records: [], unrecorded: new Map([[caller.workspaceId, 3]]) });
  const now = Date.now();

  const page = await listRefusals(db.control, scope, {}, { limit: 3 });
  expect(idsOf(page.items)).toEqual(newest.slice(0, 3));
  expect(page.unrecorded).toBe(7);
  const rest = await listRefusals(db.control, scope, {}, { limit: 3, after: page.next });
  expect([idsOf(rest.items), rest.next]).toEqual([newest.slice(3), null]);
  const filtered = async (filter: Parameters<typeof listRefusals>[2]) =>
    idsOf((await listRefusals(db.control, scope, filter, {})).items);
  expect(await filtered({ code: 'RATE_LIMITED', keyId: caller.keyId, projectId: caller.projectId })).toEqual(
    newest.slice(3),
  );
  expect(await filtered({ keyId: caller.projectId })).toEqual([]);
  expect(await filtered({ model: 'other' })).toEqual([]);
  expect(await filtered({ from: new Date(now + 60_000) })).toEqual([]);
  expect(await filtered({ to: new Date(now - 60_000) })).toEqual([]);
  const all = await listAllRefusals(db.control, operatorScope(), {}, { limit: 5 });
  expect(idsOf(all.items)).toEqual(newest);
});

test('another workspace finds no refusal by its id, the operator finds its workspace', async () => {
  const [one, other] = [await openCaller(), await openCaller()];
  const [id = ''] = await write(one, 1);

  expect(await findRefusal(db.control, scopeOf(other.workspaceId), id)).toBeNull();
  expect((await listRefusals(db.control, scopeOf(other.workspaceId), {}, {})).items).toEqual([]);
  expect(await locateRefusal(db.control, id)).toBe(one.workspaceId);
  expect(await locateRefusal(db.control, 'none')).toBeNull();
});

test('refusals are listed for as many days as they are kept, and deleted by the round after', async () => {
  const caller = await openCaller();
  const [id = ''] = await write(caller, 1);
  const kept = Date.now() + 30 * 86_400_000 - 60_000;

  await pruneRefusals(db.control, 30, kept);
  const { items } = await listRefusals(db.control, scopeOf(caller.workspaceId), {}, {});
  expect(idsOf(items)).toEqual([id]);
  await pruneRefusals(db.control, 30, kept + 60_001);
  expect(await locateRefusal(db.control, id)).toBeNull();
});

test('amounts beyond what JSON numbers hold are recorded exactly', async () => {
  const caller = await openCaller();
  const amount = 9_007_199_254_740_993n;
  const shortage = {
    levels: [
      {
        level: 'key',
        code: 'KEY_SPEND_LIMIT_EXCEEDED',
        limit: amount,
        used: amount,
        held: 0n,
        resetsAtMs: 1_800_000_000_000,
      },
    ],
    needed: amount,
    transient: false,
    maxTokensThatFit: null,
    fix: 'Raise it.',
  } as const;
  const refusal = refuse('KEY_SPEND_LIMIT_EXCEEDED', 'No.', { shortage, retryAfterMs: 60_000_000_000 });
  const record = recordOf(refusedRequest(caller, 'KEY_SPEND_LIMIT_EXCEEDED', { refusal }), caller, Date.now());
  await writeRefusals(db.control, { records: [record], unrecorded: NONE });

  const found = await findRefusal(db.control, scopeOf(caller.workspaceId), record.requestId);
  expect(found).toMatchObject({ shortage, retryAfterMs: 60_000_000_000, atMs: record.atMs });
});

test('refusals of all workspaces are counted by hour, code, workspace and model, as far as a filter lets them', async () => {
  const [loud, quiet] = [await openCaller(), await openCaller()];
  await write(loud, 3, 'RATE_LIMITED');
  await write(loud, 2, 'INSUFFICIENT_BALANCE');
  await write(quiet, 1, 'RATE_LIMITED');
  await writeRefusals(db.control, { records: [], unrecorded: new Map([[quiet.workspaceId, 9]]) });
  const count = (filter: Parameters<typeof countAllRefusals>[2]) =>
    countAllRefusals(db.control, operatorScope(), filter, Date.now());
  const codesOf = ({ hours }: Awaited<ReturnType<typeof count>>) =>
    Object.entries(Object.groupBy(hours, ({ code }) => code))
      .map(([code, counted]) => `${code} ${counted.reduce((sum, { requests }) => sum + requests, 0)}`)
      .toSorted();

  const all = await count({});
  const known = all.workspaces.filter(({ id }) => id === loud.workspaceId || id === quiet.workspaceId);
  expect(known.map(({ requests }) => requests)).toEqual([5, 1]);
  expect(all).toMatchObject({ countedFrom: null });
  const ofLoud = await count({ workspaceId: loud.workspaceId });
  expect(codesOf(ofLoud)).toEqual(['INSUFFICIENT_BALANCE 2', 'RATE_LIMITED 3']);
  expect(ofLoud.hours.every(({ hour }) => hour.getTime() % 3_600_000 === 0)).toBe(true);
  expect(ofLoud.models.map(({ requests }) => requests)).toEqual([5]);
  expect(ofLoud.unrecorded).toBe(0);
  expect(codesOf(await count({ workspaceId: loud.workspaceId, statuses: { least: 402, most: 402 } }))).toEqual([
    'INSUFFICIENT_BALANCE 2',
  ]);
  expect((await count({ workspaceId: quiet.workspaceId })).unrecorded).toBe(9);
  expect((await count({ model: 'no such model' })).hours).toEqual([]);
  const listed = await listAllRefusals(db.control, operatorScope(), { workspaceId: quiet.workspaceId }, {});
  expect(listed.items.map(({ workspaceId }) => workspaceId)).toEqual([quiet.workspaceId]);
});
