import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { withServiceTiers } from '../../../test/support/random-tiers.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { costOf, type Fees, feesOf, type Price, type Rates } from '../../domain/price.ts';
import { SERVICE_TIERS } from '../../domain/service-tier.ts';
import { priceIn } from '../../domain/tier-price.ts';
import { TOKEN_CLASSES, type TokenCounts } from '../../domain/usage.ts';
import { USE_CLASSES, type Uses, USES_MAX } from '../../domain/uses.ts';
import type { OfferedModel } from './catalogue-diff.ts';
import { readActiveCosts, readCostHistory } from './cost-versions.ts';
import { applyCatalogue, previewCatalogue } from './price-versions.ts';

// Stays open for as long as the file runs, so that its server does.
let anchor: TestDatabase;
beforeAll(async () => {
  anchor = await startTestDatabase({ migrated: false });
});
afterAll(() => anchor.stop());

let db: TestDatabase;
beforeEach(async () => {
  db = await startTestDatabase();
});
afterEach(() => db.stop());

function flat(perMillion: bigint): Price {
  return { rates: Object.fromEntries(TOKEN_CLASSES.map((one) => [one, perMillion])) as Rates, tiers: [] };
}

/** A model with one route for each of these costs; null: not known. */
function model(id: string, ...costs: readonly (Price | null)[]): OfferedModel {
  const media = { imageTokens: null, audioTokens: null, fileTokens: null };
  const routes = costs.map((cost, index) => ({
    provider: `p${index}`,
    upstreamModel: 'm',
    ...(cost === null ? {} : { cost }),
  }));
  const terms = { kind: 'chat', price: flat(100n), contextWindow: 100, maxOutput: 10, media } as const;
  return { id, terms, routes, reasoning: false };
}

const apply = (...models: readonly OfferedModel[]) =>
  applyCatalogue(db.database, models, { accept: [], mayLoseMost: true });

async function active(): Promise<readonly (readonly [string, string, bigint])[]> {
  const costs = await readActiveCosts(db.database);
  return costs.map(({ model: id, provider, cost }) => [id, provider, cost.rates.input]);
}

test('a changed cost becomes a new version from a moment on, is shown before it is applied, and asks nobody', async () => {
  const first = await apply(model('a', flat(1n), null));
  expect(first.applied.map(({ change }) => change)).toEqual(['add', 'cost']);
  const changed = [model('a', flat(1_000_000n), flat(3n))];
  const preview = await previewCatalogue(db.database, changed);
  expect(preview).toMatchObject([{ model: 'a', change: 'cost', needsAccept: false }]);
  expect(preview[0]?.fields).toContainEqual({ field: 'cost.p0/m.input', from: '0.000000001', to: '0.001' });
  expect(preview[0]?.fields).toContainEqual({ field: 'cost.p1/m.output', from: null, to: '0.000000003' });
  expect(await apply(...changed)).toMatchObject({ applied: [{ change: 'cost' }], withheld: [] });
  expect(await apply(...changed)).toEqual({ applied: [], withheld: [] });
  expect(await active()).toEqual([
    ['a', 'p0', 1_000_000n],
    ['a', 'p1', 3n],
  ]);
  const [newest, other, former] = await readCostHistory(db.database);
  expect([newest?.to, other?.to]).toEqual([null, null]);
  expect(former?.to).toEqual(newest?.from);
  const prices = await db.database.query('select 1 from price_versions');
  expect(prices).toHaveLength(1);
});

test('costs end with their model, with their route, and when they are no longer known', async () => {
  await apply(model('a', flat(1n)), model('b', flat(2n), flat(3n)), model('c', flat(4n)));
  await apply(model('b', flat(2n)), model('c', null));
  expect(await active()).toEqual([['b', 'p0', 2n]]);
});

test('costs of a model that stays on sale until somebody accepts its end stay in force', async () => {
  await apply(model('a', flat(1n)), model('b', flat(2n)));
  await applyCatalogue(db.database, [], { accept: ['b'] });
  expect(await active()).toEqual([['a', 'p0', 1n]]);
  await applyCatalogue(db.database, [], { accept: ['a'] });
  expect(await active()).toEqual([]);
});

test('a price that waits for approval keeps no cost from coming into force', async () => {
  await apply(model('a', flat(1n)));
  const { terms } = model('a');
  const slip = { ...model('a', flat(2n)), terms: { ...terms, price: flat(100_000n) } };
  expect(await apply(slip)).toMatchObject({ applied: [{ change: 'cost' }], withheld: [{ change: 'update' }] });
  expect(await active()).toEqual([['a', 'p0', 2n]]);
});

test('costs come into force after all that usage has counted, even if a clock was wrong', async () => {
  await apply(model('a', flat(1n)));
  const future = new Date(Date.now() + 3_600_000);
  await db.database.query(
    'insert into usage_keys (workspace_id, key_id, last_used_at) values (gen_random_uuid(), gen_random_uuid(), $1)',
    [future],
  );
  await apply(model('a', flat(2n)));
  await apply(model('a', flat(3n)));
  const history = await readCostHistory(db.database);
  expect(history.map(({ cost }) => cost.rates.input)).toEqual([3n, 2n, 1n]);
  expect(history.slice(1).map(({ to }) => to)).toEqual(history.slice(0, 2).map(({ from }) => from));
  expect(history[1]?.from.getTime()).toBeGreaterThanOrEqual(future.getTime());
});

const rate = fc.bigInt({ min: 0n, max: 10n ** 13n });
const rates = fc.record(Object.fromEntries(TOKEN_CLASSES.map((one) => [one, rate]))) as fc.Arbitrary<Rates>;
const fees = fc
  .record(Object.fromEntries(USE_CLASSES.map((one) => [one, fc.option(rate)])))
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, fee]) => fee !== null)) as Fees);
const ratesAndTiers = fc.record({
  rates,
  tiers: fc
    .uniqueArray(fc.record({ aboveInputTokens: fc.integer({ min: 1, max: 60 }), rates }), {
      selector: ({ aboveInputTokens }) => aboveInputTokens,
      maxLength: 3,
    })
    .map((tiers) => tiers.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens)),
});
const anyCost: fc.Arbitrary<Price> = fc
  .tuple(ratesAndTiers, fees)
  .map(([price, asked]) => (Object.keys(asked).length === 0 ? price : { ...price, fees: asked }))
  .chain((price) => withServiceTiers(price, rates));
const count = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
const tokens = fc.record(Object.fromEntries(TOKEN_CLASSES.map((one) => [one, count]))) as fc.Arbitrary<TokenCounts>;

const someUses: fc.Arbitrary<Uses | null> = fc.option(
  fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.integer({ min: 1, max: USES_MAX })),
);

/** So many tokens of input, of two classes, and some of output. */
function inputOf(all: number): TokenCounts {
  const cached = Math.floor(all / 2);
  const none = Object.fromEntries(TOKEN_CLASSES.map((one) => [one, 0])) as TokenCounts;
  return { ...none, input: all - cached, cached_input: cached, output: 7 };
}

test('the database computes the cost of tokens and uses as the domain does, in each tier, to the last nano-USD', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyCost,
      fc.array(fc.tuple(tokens, someUses), { minLength: 1, maxLength: 8 }),
      async (cost, used) => {
        await apply(model('a', cost));
        expect((await readActiveCosts(db.database)).map((version) => version.cost)).toEqual([cost]);
        const bounds = cost.tiers.flatMap(({ aboveInputTokens: bound }) => [bound - 1, bound, bound + 1]);
        // The database counts in bigint, as usage does.
        const total = (each: TokenCounts, uses: Uses | null): bigint => costOf(cost, each) + feesOf(cost, uses ?? {});
        const atBounds = bounds.map((input) => [inputOf(input), null] as const);
        const counted = [...used, ...atBounds].filter(([each, uses]) => total(each, uses) < 2n ** 63n);
        for (const [each, uses] of counted) {
          const rows = await db.database.query<{ cost_nano_usd: bigint }>(
            `select * from receipt_cost('a', 'p0', 'm', now() + interval '2 hours', $1, $2, $3, $4, $5, $6, $7, $8::jsonb)`,
            [...TOKEN_CLASSES.map((one) => each[one]), uses === null ? null : JSON.stringify(uses)],
          );
          expect(rows).toEqual([{ cost_nano_usd: total(each, uses) }]);
        }
        for (const tier of SERVICE_TIERS) {
          const own = priceIn(cost, tier);
          for (const [each] of counted.filter(([one]) => own === null || costOf(own, one) < 2n ** 63n)) {
            const rows = await db.database.query<{ cost_nano_usd: bigint }>(
              `select * from receipt_cost('a', 'p0', 'm', now() + interval '2 hours', $1, $2, $3, $4, $5, $6, $7, null, $8)`,
              [...TOKEN_CLASSES.map((one) => each[one]), tier],
            );
            expect(rows).toEqual(own === null ? [] : [{ cost_nano_usd: costOf(own, each) }]);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});
