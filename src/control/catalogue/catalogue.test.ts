import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withServiceTiers } from '../../../test/support/random-tiers.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { ModelTerms } from '../../domain/model.ts';
import type { Rates } from '../../domain/price.ts';
import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql } from '../../lib/sql.ts';
import { diffCatalogue, type ActiveVersion, type OfferedModel } from './catalogue-diff.ts';
import { Catalogue } from './catalogue.ts';
import { applyCatalogue, previewCatalogue, readActiveVersions } from './price-versions.ts';
import { decodeTerms, encodeTerms } from './terms.ts';

/** No workspace with prices of its own. */
const WORKSPACE = '00000000-0000-7000-8000-000000000000';

const rate = fc.bigInt({ min: 0n, max: 10n ** 18n });
const rates = fc.record(
  Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, rate])) as Record<TokenClass, typeof rate>,
);
const cap = fc.option(fc.nat(), { nil: null });
const anyTerms: fc.Arbitrary<ModelTerms> = fc
  .record({
    kind: fc.constantFrom('chat', 'embedding'),
    price: fc
      .record({ rates, tiers: fc.array(fc.record({ aboveInputTokens: fc.nat(), rates }), { maxLength: 3 }) })
      .chain((price) => withServiceTiers(price, rates)),
    contextWindow: fc.nat(),
    maxOutput: fc.nat(),
    media: fc.record({ imageTokens: cap, audioTokens: cap, fileTokens: cap }),
    audio: fc.constantFrom('at its own rate', 'at the rate of text', 'not sold'),
  })
  .map(({ audio, ...terms }) => {
    const own = audio === 'at its own rate' ? terms.price.rates.audio_output : terms.price.rates.output;
    const price = { ...terms.price, rates: { ...terms.price.rates, audio_output: own } };
    const isSold = terms.kind === 'chat' && (audio === 'at the rate of text' || own !== price.rates.output);
    return { ...terms, price, ...(isSold && { sellsAudio: true }) };
  });

function flat(perMillion: bigint): Rates {
  return Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, perMillion])) as Record<TokenClass, bigint>;
}

function model(id: string, perMillion: bigint, more: Partial<ModelTerms> = {}): OfferedModel {
  const price = { rates: flat(perMillion), tiers: [] };
  const media = { imageTokens: null, audioTokens: null, fileTokens: null };
  const terms: ModelTerms = { kind: 'chat', price, contextWindow: 8_192, maxOutput: 1_024, media, ...more };
  return { id, terms, routes: [{ provider: 'local', upstreamModel: 'qwen3' }], reasoning: false };
}

function active(...models: OfferedModel[]): ActiveVersion[] {
  return models.map(({ id, terms }, index) => ({
    id: BigInt(index + 1),
    model: id,
    version: 1,
    workspaceId: null,
    terms,
    createdAtMs: 0,
  }));
}

test('terms come back from JSON as they went, to the last digit', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      expect(decodeTerms(JSON.parse(encodeTerms(terms)))).toEqual(terms);
    }),
  );
});

test.each([
  ['an amount as a number', (json: string) => json.replace('"input":"5"', '"input":5')],
  ['a negative amount', (json: string) => json.replace('"input":"5"', '"input":"-5"')],
  ['a class too many', (json: string) => json.replace('"input":"5"', '"input":"5","thought":"1"')],
  ['a class too few', (json: string) => json.replace('"input":"5",', '')],
  ['a field too many', (json: string) => json.replace('"kind"', '"since":1,"kind"')],
  ['another kind', (json: string) => json.replace('"chat"', '"image"')],
])('terms of another form are refused: %s', (_, spoil) => {
  const json = encodeTerms(model('m', 5n).terms);
  expect(spoil(json)).not.toBe(json);
  expect(() => decodeTerms(JSON.parse(spoil(json)))).toThrow('does not know');
});

test('terms from before audio was for sale sell it where its rate shows that it was named, and stay the same text', () => {
  const price = { rates: { ...flat(5n), audio_output: 6n }, tiers: [] };
  const before = model('m', 5n, { price });
  const now = model('m', 5n, { price, sellsAudio: true });
  expect(encodeTerms(now.terms)).toBe(encodeTerms(before.terms));
  expect(decodeTerms(JSON.parse(encodeTerms(before.terms))).sellsAudio).toBe(true);
  expect(diffCatalogue(active(before), [now])).toEqual([]);
  expect(decodeTerms(JSON.parse(encodeTerms(model('m', 5n).terms)))).not.toHaveProperty('sellsAudio');
});

test('audio that comes on sale at the rate of text is a change of its terms', () => {
  expect(diffCatalogue(active(model('m', 5n)), [model('m', 5n, { sellsAudio: true })])).toMatchObject([
    { change: 'update', fields: [{ field: 'sells_audio', from: null, to: 'true' }], needsAccept: false },
  ]);
});

test('a diff is empty between models and themselves, and speaks of each model once', () => {
  const models = fc.uniqueArray(fc.record({ id: fc.string(), terms: anyTerms }), { selector: ({ id }) => id });
  fc.assert(
    fc.property(models, models, (before, after) => {
      const [old, now] = [
        before.map((one) => ({ ...one, routes: [], reasoning: false })),
        after.map((one) => ({ ...one, routes: [], reasoning: false })),
      ];
      expect(diffCatalogue(active(...old), old)).toEqual([]);
      const changed = diffCatalogue(active(...old), now).map((change) => change.model);
      expect(new Set(changed).size).toBe(changed.length);
    }),
  );
});

test('a diff names what is new, gone and changed, field by field', () => {
  const changes = diffCatalogue(active(model('gone', 1n), model('same', 1n), model('wider', 1n)), [
    model('new', 250_000_000n),
    model('same', 1n),
    model('wider', 1n, { contextWindow: 9_000 }),
  ]);
  expect(changes).toMatchObject([
    { model: 'gone', change: 'retire', fields: [], needsAccept: false },
    { model: 'new', change: 'add', needsAccept: false },
    { model: 'wider', change: 'update', fields: [{ field: 'context_window', from: '8192', to: '9000' }] },
  ]);
  expect(changes[1]?.fields).toContainEqual({ field: 'price.input', from: null, to: '0.25' });
});

test.each([
  [1, 1, true],
  [1, 2, false],
  [2, 3, true],
  [5, 10, false],
  [6, 10, true],
])('a diff asks before %d of %d models go: %s', (lost, all, asks) => {
  const models = Array.from({ length: all }, (_, index) => model(`m${index}`, 1n));
  const changes = diffCatalogue(active(...models), [...models.slice(lost), model('new', 1n)]);
  const retired = changes.filter(({ change }) => change === 'retire');
  expect(retired.map(({ needsAccept }) => needsAccept)).toEqual(Array.from({ length: lost }, () => asks));
});

test.each([
  [10n, 100n, false],
  [10n, 101n, true],
  [100n, 10n, false],
  [101n, 10n, true],
  [0n, 1n, true],
  [1n, 0n, true],
])('a diff asks before a price goes from %d to %d: %s', (from, to, needsAccept) => {
  const [change] = diffCatalogue(active(model('m', from)), [model('m', to)]);
  expect(change?.needsAccept).toBe(needsAccept);
});

test('a diff asks when only a tier moves that far, and not when a tier merely moves', () => {
  const tiered = (aboveInputTokens: number, perMillion: bigint) =>
    model('m', 10n, { price: { rates: flat(10n), tiers: [{ aboveInputTokens, rates: flat(perMillion) }] } });
  const needsAccept = (from: OfferedModel, to: OfferedModel) => diffCatalogue(active(from), [to])[0]?.needsAccept;
  expect(needsAccept(tiered(200, 20n), tiered(200, 201n))).toBe(true);
  expect(needsAccept(tiered(200, 20n), tiered(300, 20n))).toBe(false);
  expect(needsAccept(model('m', 10n), tiered(200, 101n))).toBe(true);
  expect(needsAccept(tiered(200, 101n), model('m', 10n))).toBe(true);
});

test('a diff asks when only the price of a service tier moves that far, and names what changes', () => {
  const served = (perMillion: bigint) =>
    model('m', 10n, {
      price: { rates: flat(10n), tiers: [], serviceTiers: { flex: { rates: flat(perMillion), tiers: [] } } },
    });
  const [far, near] = [201n, 20n].map((to) => diffCatalogue(active(served(20n)), [served(to)])[0]);
  expect(far?.needsAccept).toBe(true);
  expect(far?.fields).toContainEqual({ field: 'price.flex.input', from: '0.00000002', to: '0.000000201' });
  expect(near).toBeUndefined();
  expect(diffCatalogue(active(model('m', 10n)), [served(2_000n)])[0]?.needsAccept).toBe(false);
});

describe('price versions', () => {
  // Stays open for as long as the file runs, so that its server does.
  let anchor: TestDatabase;
  beforeAll(async () => {
    anchor = await startTestDatabase({ migrated: false });
  });
  afterAll(() => anchor.stop());

  let testDatabase: TestDatabase;
  let sql: Sql;

  beforeEach(async () => {
    testDatabase = await startTestDatabase();
    sql = testDatabase.database;
  });
  afterEach(() => testDatabase.stop());

  const apply = (models: OfferedModel[], accept: string[] = []) => applyCatalogue(sql, models, { accept });

  async function versions(): Promise<string[]> {
    const rows = await sql.query<{ model: string; version: number; retired_at: Date | null }>(
      'select model, version, retired_at from price_versions order by model, version',
    );
    return rows.map((row) => `${row.model} ${row.version}${row.retired_at === null ? '' : ' retired'}`);
  }

  test('price versions are made once, replaced when terms change, and kept when they are retired', async () => {
    expect(await apply([model('a', 10n), model('b', 10n)])).toMatchObject({
      applied: [{ model: 'a' }, { model: 'b' }],
    });
    expect(await apply([model('a', 10n), model('b', 10n)])).toEqual({ applied: [], withheld: [] });
    await apply([model('a', 20n)]);
    expect(await versions()).toEqual(['a 1 retired', 'a 2', 'b 1 retired']);
    await apply([model('a', 20n), model('b', 10n)]);
    expect(await versions()).toEqual(['a 1 retired', 'a 2', 'b 1 retired', 'b 2']);
    const [a] = await readActiveVersions(sql);
    expect(a).toMatchObject({ model: 'a', terms: model('a', 20n).terms });
    const rows = await sql.query<{ subject_id: string }>(
      `select subject_id from changes where kind = 'catalogue' order by id`,
    );
    expect(rows.map((row) => row.subject_id)).toEqual(['a', 'b', 'a', 'b', 'b']);
  });

  test('price versions of a price that looks like a slip wait for a yes, while the rest goes ahead', async () => {
    await apply([model('a', 10n), model('b', 10n)]);
    const slip = [model('a', 1_000n), model('b', 20n)];
    expect(await apply(slip, ['b'])).toMatchObject({ applied: [{ model: 'b' }], withheld: [{ model: 'a' }] });
    expect(await previewCatalogue(sql, slip)).toMatchObject([{ model: 'a', needsAccept: true }]);
    expect(await apply(slip, ['a'])).toMatchObject({ applied: [{ model: 'a' }], withheld: [] });
    expect(await versions()).toEqual(['a 1 retired', 'a 2', 'b 1 retired', 'b 2']);
  });

  test('price versions of most models together are retired only as far as somebody says so', async () => {
    await apply([model('a', 10n), model('b', 10n), model('c', 10n)]);
    const all = [{ model: 'a' }, { model: 'b' }, { model: 'c' }];
    expect(await apply([])).toMatchObject({ applied: [], withheld: all });
    expect(await apply([], ['b'])).toMatchObject({
      applied: [{ model: 'b' }],
      withheld: [{ model: 'a' }, { model: 'c' }],
    });
    expect(await applyCatalogue(sql, [], { accept: [], mayLoseMost: true })).toMatchObject({ withheld: [] });
    expect(await versions()).toEqual(['a 1 retired', 'b 1 retired', 'c 1 retired']);
  });

  test('price versions are applied by one process at a time', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => apply([model('a', BigInt(10 + index))])));
    const made = await versions();
    expect(made).toHaveLength(6);
    expect(made.filter((version) => !version.endsWith('retired'))).toHaveLength(1);
  });

  test('price versions make a model callable only together with its routes', async () => {
    await apply([model('sold', 10n), model('unrouted', 10n), model('file-less', 10n)]);
    const faults: unknown[] = [];
    const catalogue = new Catalogue({
      sql,
      clock: new SystemClock(),
      configured: [model('unsold', 1n), model('sold', 99n), { ...model('unrouted', 10n), routes: [] }],
      onFault: (fault) => faults.push(fault),
    });
    expect(catalogue.list()).toEqual([]);
    await catalogue.reload();
    expect(catalogue.list().map(({ id }) => id)).toEqual(['sold']);
    expect(catalogue.find('unsold', WORKSPACE)).toBeUndefined();
    const sold = catalogue.find('sold', WORKSPACE);
    expect(sold).toMatchObject({ id: 'sold', terms: model('sold', 10n).terms, routes: [{ provider: 'local' }] });
    await apply([model('sold', 20n), model('unsold', 1n)]);
    await catalogue.reload();
    expect(catalogue.list().map(({ id }) => id)).toEqual(['unsold', 'sold']);
    expect(catalogue.find('sold', WORKSPACE)).toMatchObject({
      terms: model('sold', 20n).terms,
      createdAtMs: sold?.createdAtMs,
    });
    expect(catalogue.find('sold', WORKSPACE)?.priceVersionId).not.toBe(sold?.priceVersionId);
    catalogue.configure([model('sold', 20n)], []);
    await catalogue.reload();
    expect(catalogue.list()).toHaveLength(1);
    catalogue.configure([], [model('sold', 20n), model('unpriced', 1n)]);
    await catalogue.reload();
    expect(catalogue.list().map(({ id }) => id)).toEqual(['sold']);
    expect(faults).toEqual([]);
  });

  test('price versions stay as they were while the database is away, and are read again once it is back', async () => {
    await apply([model('a', 10n)]);
    let away = false;
    const faults: unknown[] = [];
    const catalogue = new Catalogue({
      sql: { query: (...query) => (away ? Promise.reject(new DatabaseUnavailable('away')) : sql.query(...query)) },
      clock: new SystemClock(),
      configured: [model('a', 10n)],
      onFault: (fault) => faults.push(fault),
    });
    await catalogue.reload();
    await apply([model('a', 20n)]);
    away = true;
    await expect(catalogue.reload()).rejects.toThrow(DatabaseUnavailable);
    catalogue.invalidate();
    await eventually(() => expect(faults.length).toBeGreaterThan(1));
    expect(catalogue.find('a', WORKSPACE)?.terms).toEqual(model('a', 10n).terms);
    away = false;
    await eventually(() => expect(catalogue.find('a', WORKSPACE)?.terms).toEqual(model('a', 20n).terms));
    catalogue.stop();
  });

  test('price versions that were applied are seen by a reload called after that, even while another reads', async () => {
    await apply([model('a', 10n)]);
    const catalogue = new Catalogue({
      sql,
      clock: new SystemClock(),
      configured: [model('a', 10n)],
      onFault: () => {},
    });
    const first = catalogue.reload();
    await apply([model('a', 20n)]);
    const more = Promise.all([catalogue.reload(), catalogue.reload()]);
    await Promise.all([first, more]);
    expect(catalogue.find('a', WORKSPACE)?.terms).toEqual(model('a', 20n).terms);
  });
});
