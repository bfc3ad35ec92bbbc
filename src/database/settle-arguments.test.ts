import { randomUUID, randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, drawAll, openAccount } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { receiptWith } from '../../test/support/receipts.ts';
import { DIALECTS, OUTCOMES, type Receipt } from '../domain/receipt.ts';
import { windowAt } from '../domain/window.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { settleArguments } from './settle-arguments.ts';

// What a batch's receipts say is what the database has of them afterwards, whatever is in them, and what it has charged.

const LEASED = 10n ** 15n;

let testDatabase: TestDatabase;
let store: PostgresPurseStore;
let epoch: bigint;
let callers: readonly Partial<Receipt>[];

beforeAll(async () => {
  testDatabase = await startTestDatabase({ connectionsMax: 1 });
  store = new PostgresPurseStore(testDatabase.database);
  epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const [one, other] = [await open(), await open()];
  callers = [one, { ...one, model: 'another "model"' }, other];
});
afterAll(() => testDatabase.stop());

/** Opens an account and leases its purses; answers with what its receipts have in common. */
async function open(): Promise<Partial<Receipt>> {
  const account: Account = await openAccount(testDatabase.database, { credit: LEASED });
  const { workspace, project, key } = account;
  const named = [
    ['credit', workspace.id, 'never'],
    ['project', project.id, 'month'],
    ['key', key.id, 'month'],
  ] as const;
  const purses = named.map(([kind, subjectId, period]) => {
    const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, Date.now());
    return { workspaceId: workspace.id, kind, subjectId, period, windowStartMs, windowEndMs };
  });
  const draw = { sequence: 1n, keep: 0n, slack: 0n, needs: [LEASED], ahead: 0n };
  const leases = await drawAll(
    store,
    epoch,
    purses.map((purse) => ({ purse, ...draw })),
  );
  const [creditPurseId = 0n, projectPurseId = 0n, keyPurseId = 0n] = leases.map(({ purseId }) => purseId);
  const ids = { workspaceId: workspace.id, projectId: project.id, keyId: key.id };
  return { ...ids, creditPurseId, projectPurseId, keyPurseId };
}

/** A receipt's columns as the database should have them. */
function columnsOf(receipt: Receipt): object {
  const { tokens, certainty } = receipt.usage;
  return {
    workspace_id: receipt.workspaceId,
    project_id: receipt.projectId,
    key_id: receipt.keyId,
    epoch_id: epoch,
    credit_purse_id: receipt.creditPurseId,
    project_purse_id: receipt.projectPurseId,
    key_purse_id: receipt.keyPurseId,
    dialect: receipt.dialect,
    model: receipt.model,
    price_version_id: receipt.priceVersionId,
    outcome: receipt.outcome,
    charge_nano_usd: receipt.charge,
    hold_nano_usd: receipt.hold,
    write_off_nano_usd: receipt.writeOff,
    fees_nano_usd: receipt.fees,
    usage_certainty: certainty,
    input_tokens: tokens.input,
    cached_input_tokens: tokens.cached_input,
    cache_write_5m_tokens: tokens.cache_write_5m,
    cache_write_1h_tokens: tokens.cache_write_1h,
    audio_input_tokens: tokens.audio_input,
    output_tokens: tokens.output,
    audio_output_tokens: tokens.audio_output,
    shortened_to_tokens: receipt.shortenedToTokens,
    streamed: receipt.streamed,
    admitted_at: new Date(receipt.admittedAtMs),
    duration_ms: receipt.durationMs,
    first_event_ms: receipt.firstEventMs,
    attempts: receipt.attempts.map(({ upstreamModel, durationMs, ...attempt }) => ({
      ...attempt,
      upstream_model: upstreamModel,
      duration_ms: durationMs,
    })),
    client_request_id: receipt.clientRequestId,
    late: false,
  };
}

const count = fc.nat({ max: 2 ** 31 - 1 });
// PostgreSQL's text has no NUL; its jsonb has no lone surrogates.
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const facts = fc.record({
  caller: fc.nat({ max: 2 }),
  charge: fc.bigInt({ min: 0n, max: 1_000n }),
  unused: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  dialect: fc.constantFrom(...DIALECTS),
  writeOff: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  feesPercent: fc.bigInt({ min: 0n, max: 100n }),
  tokens: fc.record({
    input: count,
    cached_input: count,
    cache_write_5m: count,
    cache_write_1h: count,
    audio_input: count,
    output: count,
    audio_output: count,
  }),
  certainty: fc.constantFrom('exact', 'estimated'),
  outcome: fc.constantFrom(...OUTCOMES),
  shortenedToTokens: fc.option(count),
  streamed: fc.boolean(),
  admittedAtMs: fc.nat({ max: 4_000_000_000_000 }),
  durationMs: count,
  firstEventMs: fc.option(count),
  provider: text,
  clientRequestId: fc.option(text),
});

async function chargedByPurse(): Promise<ReadonlyMap<bigint, bigint>> {
  const rows = await testDatabase.database.query<{ purse: bigint; charged: bigint }>(
    'select purse_id as purse, charged_nano_usd as charged from leases where epoch_id = $1',
    [epoch],
  );
  return new Map(rows.map(({ purse, charged }) => [purse, charged]));
}

test('a settlement keeps all that receipts say, and charges each lease what they say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: 1, maxLength: 6 }), async (drafts) => {
      const receipts = drafts.map(({ caller, unused, tokens, certainty, provider, feesPercent, ...rest }) =>
        receiptWith({
          ...callers[caller],
          ...rest,
          requestId: randomUUIDv7(),
          hold: rest.charge + unused,
          fees: (rest.writeOff * feesPercent) / 100n,
          usage: { tokens, certainty },
          attempts: [{ provider, upstreamModel: 'mock', status: 200, durationMs: 1, fault: null }],
        }),
      );
      const expected = new Map(await chargedByPurse());
      for (const { creditPurseId, projectPurseId, keyPurseId, charge } of receipts) {
        for (const purse of [creditPurseId, projectPurseId, keyPurseId]) {
          expected.set(purse, (expected.get(purse) ?? 0n) + charge);
        }
      }
      await store.settle(epoch, receipts, new Map());
      expect(await chargedByPurse()).toEqual(expected);
      for (const receipt of receipts) {
        const [row] = await testDatabase.database.query('select * from receipts where request_id = $1', [
          receipt.requestId,
        ]);
        expect(row).toMatchObject(columnsOf(receipt));
      }
    }),
  );
});

test.each([['NULL'], ['null'], [''], ['{}'], ['a,b'], ['"'], ['\\'], ['\\"{'], [' x '], ['ü\n\t']])(
  'a settlement keeps %j as text',
  async (awkward) => {
    const clients = settleArguments([receiptWith({ clientRequestId: awkward }), receiptWith()]).at(-1) ?? '';
    const rows = await testDatabase.database.query<{ value: unknown }>('select unnest($1::text[]) as value', [clients]);
    expect(rows.map(({ value }) => value)).toEqual([awkward, null]);
  },
);
