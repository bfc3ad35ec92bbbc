import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkspace } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { makeChange } from '../audit/change.ts';
import type { Rates } from '../../domain/price.ts';
import { adjustedPrice } from '../../domain/price-adjustment.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { OfferedModel } from './catalogue-diff.ts';
import { Catalogue } from './catalogue.ts';
import { type AdjustmentChange, adjustPrices, listAdjustments } from './price-adjustments.ts';
import { HISTORY_MAX, readModelPrices } from './model-prices.ts';
import { applyCatalogue, previewCatalogue, readVersionPrice } from './price-versions.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

function model(id: string, perMillion: number): OfferedModel {
  const rates = Object.fromEntries(TOKEN_CLASSES.map((one, index) => [one, BigInt(perMillion + index)]));
  const price = { rates: rates as Rates, tiers: [{ aboveInputTokens: 9, rates: rates as Rates }] };
  const media = { imageTokens: null, audioTokens: null, fileTokens: null };
  // The classes' rates differ, and a discount of everything makes them equal.
  const terms = { kind: 'chat', price, contextWindow: 100, maxOutput: 10, media, sellsAudio: true } as const;
  return { id, terms, routes: [{ provider: 'local', upstreamModel: 'any' }], reasoning: false };
}

const newWorkspace = () => openWorkspace(db.database, `workspace ${randomUUID()}`);
const apply = (models: readonly OfferedModel[]) =>
  applyCatalogue(db.database, models, { accept: models.map(({ id }) => id), mayLoseMost: true });
const adjust = (workspaceId: string, change: AdjustmentChange) =>
  makeChange(db.database, (tx) => adjustPrices(tx, scopeOf(workspaceId), change));

async function loaded(configured: readonly OfferedModel[]): Promise<Catalogue> {
  const catalogue = new Catalogue({ sql: db.database, clock: new SystemClock(), configured, onFault: () => undefined });
  await catalogue.reload();
  return catalogue;
}

const IDS = ['a', 'b', 'c'];
const basisPoints = fc.option(fc.integer({ min: -10_000, max: 90_000 }), { nil: null });
const step = fc.oneof(
  fc.record({ workspace: fc.nat(1), model: fc.option(fc.constantFrom(...IDS), { nil: null }), basisPoints }),
  fc.uniqueArray(fc.record({ id: fc.constantFrom(...IDS), perMillion: fc.nat(5) }), { selector: ({ id }) => id }),
);

test('after any course of changes each workspace pays the list price as its narrowest adjustment changes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (course) => {
      await apply([]);
      const workspaces = [await newWorkspace(), await newWorkspace()];
      const adjusted = new Map<string, number>();
      let offered: readonly OfferedModel[] = [];
      for (const each of course) {
        if (Array.isArray(each)) {
          offered = each.map(({ id, perMillion }) => model(id, perMillion));
          await apply(offered);
          continue;
        }
        const outcome = await adjust(workspaces[each.workspace]?.id ?? '', each);
        const name = `${each.workspace} ${each.model}`;
        if (each.basisPoints === null) adjusted.delete(name);
        else if (!isRefusal(outcome)) adjusted.set(name, each.basisPoints);
      }
      const catalogue = await loaded(offered);
      for (const [index, { id }] of workspaces.entries()) {
        for (const { id: modelId, terms } of offered) {
          const points = adjusted.get(`${index} ${modelId}`) ?? adjusted.get(`${index} null`) ?? 0;
          const sold = catalogue.find(modelId, id);
          expect(sold?.terms).toEqual({ ...terms, price: adjustedPrice(terms.price, points) });
          const version = { model: modelId, version: sold?.priceVersion ?? 0, workspaceId: id };
          const pinned = await readVersionPrice(db.database, version);
          expect(pinned?.price).toEqual(sold?.terms.price);
          expect(pinned?.adjustment?.basisPoints ?? 0).toBe(points);
        }
      }
      expect(await previewCatalogue(db.database, offered)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('a price version of one workspace is not shown to another, and stays as it was once it is replaced', async () => {
  await apply([model('a', 100)]);
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  await adjust(one.id, { model: null, basisPoints: -5_000 });
  const { priceVersion, priceVersionId } = (await loaded([model('a', 100)])).find('a', one.id) ?? {};
  const version = { model: 'a', version: priceVersion ?? 0 };
  await adjust(one.id, { model: null, basisPoints: 1_000 });
  await apply([model('a', 200)]);
  expect(await readVersionPrice(db.database, { ...version, workspaceId: other.id })).toBeNull();
  expect(await readVersionPrice(db.database, { ...version, workspaceId: one.id })).toMatchObject({
    price: adjustedPrice(model('a', 100).terms.price, -5_000),
    adjustment: { basisPoints: -5_000 },
  });
  const now = (await loaded([model('a', 200)])).find('a', one.id);
  expect(now?.terms.price.rates.input).toBe(220n);
  expect(now?.priceVersionId).not.toBe(priceVersionId);
});

test('an adjustment is recorded, announced to other processes, and kept in the history when another takes its place', async () => {
  await apply([model('a', 100)]);
  const { id } = await newWorkspace();
  const [mark] = await db.database.query<{ id: bigint }>('select coalesce(max(id), 0) as id from changes');
  for (const points of [-1_000, -1_000, 2_000, null]) await adjust(id, { model: 'a', basisPoints: points });
  const { items } = await listAdjustments(db.database, scopeOf(id), {});
  expect(items.map((each) => each.basisPoints)).toEqual([2_000, -1_000]);
  expect(items.every(({ endedAt }) => endedAt !== null)).toBe(true);
  const changes = await db.database.query(`select 1 from changes where kind = 'catalogue' and id > $1`, [
    mark?.id ?? 0n,
  ]);
  expect(changes).toHaveLength(3);
  const events = await db.database.query<{ after: object }>(
    `select after from audit_events where workspace_id = $1 and action = 'price.adjust' order by id`,
    [id],
  );
  expect(events.map(({ after }) => after)).toEqual(
    ['-10', '20', null].map((percent) => ({ model: 'a', change_percent: percent })),
  );
});

test('an adjustment of an unknown model, and the end of one that there is not, are refused', async () => {
  const { id } = await newWorkspace();
  expect(await adjust(id, { model: 'unknown', basisPoints: 5 })).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await adjust(id, { model: null, basisPoints: null })).toMatchObject({ code: 'NOT_FOUND' });
});

test('an adjustment of a model that is not on sale any more is refused', async () => {
  const { id } = await newWorkspace();
  await apply([model('former', 1)]);
  await apply([]);
  expect(await adjust(id, { model: 'former', basisPoints: 5 })).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the history of a model has one price for each moment since it was first sold, with none of another workspace', async () => {
  await apply([]);
  await apply([model('h', 100)]);
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  await adjust(other.id, { model: 'h', basisPoints: 700 });
  for (const points of [-1_000, null, 2_000]) await adjust(one.id, { model: 'h', basisPoints: points });
  await apply([model('h', 200)]);
  await adjust(one.id, { model: 'h', basisPoints: null });
  const request = { model: 'h', withHistory: true };
  const [shown] = await readModelPrices(db.database, scopeOf(one.id, 'models:read'), request);
  const periods = shown?.periods ?? [];
  expect(periods.map(({ terms, adjustment }) => [terms.price.rates.input, adjustment?.basisPoints ?? 0])).toEqual([
    [200n, 0],
    [240n, 2_000],
    [120n, 2_000],
    [100n, 0],
    [90n, -1_000],
    [100n, 0],
  ]);
  expect(periods.slice(1).map(({ to }) => to)).toEqual(periods.slice(0, -1).map(({ from }) => from));
  expect(periods[0]?.to).toBeNull();
  const [present] = await readModelPrices(db.database, scopeOf(other.id, 'models:read'), {
    model: 'h',
    withHistory: false,
  });
  expect(present?.periods).toMatchObject([{ adjustment: { basisPoints: 700 }, to: null }]);
});

test('the history of a model that had very many prices is that of the last ones, with no gap', async () => {
  await apply([]);
  const { id } = await newWorkspace();
  for (let n = 0; n <= HISTORY_MAX; n++) {
    await apply([model('busy', n % 2)]);
    if (n % 5 === 0) await adjust(id, { model: 'busy', basisPoints: n % 2 === 0 ? 1_000 : null });
  }
  const [shown] = await readModelPrices(db.database, scopeOf(id, 'models:read'), { model: 'busy', withHistory: true });
  const periods = shown?.periods ?? [];
  expect(periods.length).toBeGreaterThan(HISTORY_MAX / 2);
  expect(periods.slice(1).map(({ to }) => to)).toEqual(periods.slice(0, -1).map(({ from }) => from));
});
