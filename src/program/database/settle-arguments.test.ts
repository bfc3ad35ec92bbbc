import { randomUUID, randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, drawAll, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { anyExtras, anyReceipt, anyTokens } from '../../../test/support/any-receipts.ts';
import { EVERY_EXTRA, NO_EXTRAS, receiptWith } from '../../../test/support/receipts.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { receiptColumn, type ReceiptField } from '../../domain/receipt-field.ts';
import { type AttemptRecord, EXTRA_FIELDS, type Receipt, RECEIPT_FIELDS } from '../../domain/receipt.ts';
import { NO_TOKENS, type Usage } from '../../domain/usage.ts';
import { windowAt } from '../../domain/window.ts';
import { findWorkspaceReceipt } from '../../control/ledger/receipts.ts';
import { PostgresIdempotencyStore } from './idempotency-store.ts';
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
  callers = [one, other];
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

/** A field's columns as the database should have them. */
function columnsOf(field: ReceiptField, value: unknown): object {
  const { kind } = field;
  if (kind === 'usage') {
    const { tokens, certainty } = value as Usage;
    const counts = Object.entries(tokens).map(([tokenClass, tokenCount]) => [`${tokenClass}_tokens`, tokenCount]);
    return { usage_certainty: certainty, ...Object.fromEntries(counts) };
  }
  if (kind === 'attempts') {
    const last = (value as readonly AttemptRecord[]).at(-1);
    const { provider = null, upstreamModel = null, durationMs = null } = last ?? {};
    return { provider, upstream_model: upstreamModel, attempt_ms: durationMs };
  }
  return { [receiptColumn(field)]: kind === 'time' ? new Date(value as number) : value };
}

/** A receipt's row as the database should have it. */
function rowOf(receipt: Receipt): object {
  const columns = Object.entries<ReceiptField>(RECEIPT_FIELDS).map(([name, field]) =>
    columnsOf(field, receipt[name as keyof Receipt]),
  );
  const extras = Object.entries<ReceiptField>(EXTRA_FIELDS).map(([name, field]) =>
    columnsOf(field, receipt.extras?.[name as keyof typeof EXTRA_FIELDS] ?? null),
  );
  return Object.assign({ epoch_id: epoch, late: false }, ...columns, ...extras) as object;
}

const count = fc.nat({ max: 2 ** 31 - 1 });
// PostgreSQL's text has no NUL; its jsonb has no lone surrogates.
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const anyUsage = fc.record({ tokens: anyTokens(count), certainty: fc.constantFrom('exact', 'estimated') });
const route = { provider: text, upstreamModel: fc.constantFrom('mock', 'NULL', 'a "model", {of} ours') };
const anySuccess: fc.Arbitrary<AttemptRecord> = fc.record({
  ...route,
  status: fc.constant(200),
  durationMs: count,
  fault: fc.constant(null),
});
const anyAttempt: fc.Arbitrary<AttemptRecord> = fc.record(
  {
    ...route,
    status: fc.constantFrom(200, 500, null),
    durationMs: count,
    fault: fc.option(fc.constantFrom('timeout', 'broken')),
    strategy: text,
    charged: anyUsage,
  },
  { requiredKeys: ['provider', 'upstreamModel', 'status', 'durationMs', 'fault'] },
);
const anyAttempts = fc.oneof(fc.tuple(anySuccess), fc.array(fc.oneof(anySuccess, anyAttempt), { maxLength: 3 }));
const facts = anyReceipt({
  text: fc.constantFrom('small-chat', 'another "model"'),
  usd: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  usage: anyUsage,
  optional_count: fc.option(count),
  flag: fc.boolean(),
  time: fc.nat({ max: 4_000_000_000_000 }),
  ms: count,
  optional_ms: fc.option(count),
  attempts: anyAttempts,
  optional_text: fc.option(text),
});
/** Receipts of either caller, whose amounts leases and columns can hold, and which complete no claim. */
const drafts = fc.record({
  facts,
  caller: fc.nat({ max: 1 }),
  charge: fc.bigInt({ min: 0n, max: 1_000n }),
  unused: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  feesPercent: fc.bigInt({ min: 0n, max: 100n }),
  extras: fc.option(anyExtras(text)),
});

async function attemptsOf({ workspaceId, requestId }: Receipt): Promise<readonly AttemptRecord[] | undefined> {
  return (await findWorkspaceReceipt(testDatabase.database, scopeOf(workspaceId), requestId))?.attempts;
}

async function fencedEpoch(): Promise<bigint> {
  const fenced = await store.beginEpoch(randomUUID(), 'test', 30_000);
  await store.fence(fenced);
  return fenced;
}

async function chargedByPurse(): Promise<ReadonlyMap<bigint, bigint>> {
  const rows = await testDatabase.database.query<{ purse: bigint; charged: bigint }>(
    'select purse_id as purse, charged_nano_usd as charged from leases where epoch_id = $1',
    [epoch],
  );
  return new Map(rows.map(({ purse, charged }) => [purse, charged]));
}

test('a settlement keeps all that receipts say, and charges each lease what they say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drafts, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const receipts = drawn.map(({ facts: said, caller, charge, unused, feesPercent, extras }): Receipt => ({
        ...said,
        ...callers[caller],
        requestId: randomUUIDv7(),
        charge,
        hold: charge + unused,
        fees: (said.writeOff * feesPercent) / 100n,
        idempotencyKey: null,
        ...(extras && { extras }),
      }));
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
        expect(row).toMatchObject(rowOf(receipt));
        expect(await attemptsOf(receipt)).toEqual(receipt.attempts);
      }
    }),
  );
});

test('a settlement completes the claim of a receipt that says what few receipts say', async () => {
  const requestId = randomUUIDv7();
  const extras = { session: 'a session' };
  const idempotencyKey = 'order-7';
  const receipt = receiptWith({ ...callers[0], requestId, charge: 1n, hold: 1n, idempotencyKey, extras });
  const claims = new PostgresIdempotencyStore(testDatabase.database);
  await claims.claim(epoch, { ...receipt, idempotencyKey }, Buffer.alloc(32));
  await store.settle(epoch, [receipt], new Map([[requestId, Buffer.from('the answer')]]));
  const repeat = { ...receipt, idempotencyKey, requestId: randomUUIDv7() };
  expect(await claims.claim(epoch, repeat, Buffer.alloc(32))).toMatchObject({
    state: 'done',
    answer: Buffer.from('the answer'),
  });
  const found = await findWorkspaceReceipt(testDatabase.database, scopeOf(receipt.workspaceId), requestId);
  expect(found).toMatchObject(extras);
});

const ORDINARY: AttemptRecord = { provider: 'p', upstreamModel: 'm', status: 200, durationMs: 9, fault: null };
const USAGE = { tokens: { ...NO_TOKENS, output: 3 }, certainty: 'exact' } as const;

const STORED: readonly (readonly [what: string, isStored: boolean, attempts: readonly AttemptRecord[]])[] = [
  ['no attempt', false, []],
  ['one attempt that succeeded', false, [ORDINARY]],
  ['two attempts that succeeded', true, [ORDINARY, ORDINARY]],
  ['an attempt that failed before', true, [{ ...ORDINARY, status: 500, fault: 'failed' }, ORDINARY]],
  ['one attempt that broke off', true, [{ ...ORDINARY, fault: 'broken' }]],
  ['one attempt without a status', true, [{ ...ORDINARY, status: null }]],
  ['one attempt by a strategy', true, [{ ...ORDINARY, strategy: 'tool' }]],
  ['one attempt with a charge of its own', true, [{ ...ORDINARY, charged: USAGE }]],
];

const WAYS: readonly (readonly [when: string, isLate: boolean, settle: (receipt: Receipt) => Promise<void>])[] = [
  ['in time', false, (receipt) => store.settle(epoch, [receiptWith(callers[0]), receipt], new Map())],
  [
    'with one that was settled before',
    false,
    async (receipt) => {
      const before = receiptWith(callers[0]);
      await store.settle(epoch, [before], new Map());
      await store.settle(epoch, [before, receipt], new Map());
    },
  ],
  ['late', true, async (receipt) => store.settleLate(await fencedEpoch(), [receipt], new Map())],
];

test.each(
  STORED.flatMap(([what, isStored, given]) =>
    WAYS.map(([when, isLate, settle]) => ({ what, isStored, given, when, isLate, settle })),
  ),
)(
  'a receipt of $what that is settled $when stores attempts only if they say more than columns, and is read whole',
  async ({ isStored, given, isLate, settle }) => {
    const receipt = receiptWith({ ...callers[0], requestId: randomUUIDv7(), attempts: given });
    await settle(receipt);
    const [row] = await testDatabase.database.query(
      'select attempts is not null as "isStored", late from receipts where request_id = $1',
      [receipt.requestId],
    );
    expect(row).toEqual({ isStored, late: isLate });
    expect(await attemptsOf(receipt)).toEqual(given);
  },
);

test.each(WAYS)('the extras of a receipt that is settled %s are read with it', async (_, _isLate, settle) => {
  const receipt = receiptWith({ ...callers[0], requestId: randomUUIDv7(), extras: EVERY_EXTRA });
  await settle(receipt);
  expect(
    await findWorkspaceReceipt(testDatabase.database, scopeOf(receipt.workspaceId), receipt.requestId),
  ).toMatchObject(EVERY_EXTRA);
});

test('a program from before there were extras settles its receipts, with and without claims', async () => {
  for (const claims of [0, 5]) {
    const receipt = receiptWith({ ...callers[0], requestId: randomUUIDv7() });
    const values = [epoch, ...settleArguments([receipt]), ...Array.from({ length: claims }, () => null)];
    const parameters = values.map((_, index) => `$${index + 1}`).join(',');
    await testDatabase.database.query(`call commit_settle_receipts(${parameters})`, values);
    const scope = scopeOf(receipt.workspaceId);
    const stored = await findWorkspaceReceipt(testDatabase.database, scope, receipt.requestId);
    expect(stored).toMatchObject(NO_EXTRAS);
  }
});

test('receipts of a program of another version, whose contexts say less, stay in its journal', async () => {
  const receipt = receiptWith({ ...callers[0], requestId: randomUUIDv7() });
  const values: (string | bigint)[] = [epoch, ...settleArguments([receipt])];
  values[5] = '{{model,provider,upstream}}';
  const parameters = values.map((_, index) => `$${index + 1}`).join(',');
  await expect(testDatabase.database.query(`call commit_settle_receipts(${parameters})`, values)).rejects.toThrow(
    /^the database is not available: receipts of another version of the program \(42883\)/,
  );
});

test('a receipt of a version whose columns named no route is read with the attempts that it has', async () => {
  const receipt = receiptWith({ ...callers[0], requestId: randomUUIDv7() });
  await store.settle(epoch, [receipt], new Map());
  await testDatabase.database.query('update receipts set attempts = $2 where request_id = $1', [
    receipt.requestId,
    '[{"provider": "p", "upstream_model": "m", "status": 200, "duration_ms": 9, "fault": null}]',
  ]);
  expect(await attemptsOf(receipt)).toEqual([ORDINARY]);
});

test.each([['NULL'], ['null'], [''], ['{}'], ['a,b'], ['"'], ['\\'], ['\\"{'], [' x '], ['ü\n\t']])(
  'a settlement keeps %j as text',
  async (awkward) => {
    const clients = settleArguments([receiptWith({ clientRequestId: awkward }), receiptWith()]).at(-1) ?? '';
    const rows = await testDatabase.database.query<{ value: unknown }>('select unnest($1::text[]) as value', [clients]);
    expect(rows.map(({ value }) => value)).toEqual([awkward, null]);
  },
);
