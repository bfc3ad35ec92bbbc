import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, changeProject, granted, openAccount, openKey, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openTopUp } from '../../../test/support/payments.ts';
import { letGrantsAge } from '../../../test/support/moved-time.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { countUsageIn, UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { finishClosing } from '../accounts/closing.ts';
import { closeWorkspace } from '../accounts/workspaces.ts';
import { applyCatalogue } from '../catalogue/price-versions.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../../program/database/partitions.ts';
import type { Rates } from '../../domain/price.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import type { Sql } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { recordAudit } from '../audit/audit.ts';
import { dropAuditEvents } from '../audit/drop-events.ts';
import { redactAll } from '../audit/redact-events.ts';
import { correctReceipt } from './corrections.ts';
import { postExpiries } from './expiring-grants.ts';
import { postCredit } from './postings.ts';
import { sealReceipts } from './seals.ts';
import { type LedgerCheck, RECEIPT_CHECKS, SNAPSHOT_CHECKS, SUM_CHECKS } from './verify-checks.ts';
import { AUDIT_CHECKS } from './verify-audit.ts';
import { COST_CHECKS } from './verify-costs.ts';
import { KEY_USAGE_COMPARISONS } from './verify-key-usage.ts';
import { USAGE_CHECKS } from './verify-usage.ts';

// The proof is itself proven: for each of its conditions there is damage that it reports by name, and something close to
// damage that it doesn't report. The books hold all of the latter; each kind of damage is done to a copy of them.

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const DROPPED_MS = NOW_MS - 100 * DAY_MS;
const SEALED_MS = DROPPED_MS + 7 * DAY_MS;
const CREATOR = '01990000-0000-7000-8000-000000000001';

let db: TestDatabase;
let sql: Sql;
/** Spends, in two budgets and with two keys. */
let main: Account;
/** Owes; has no limits. */
let debtor: Account;
let closed: Account;
let spender: Spender;
let made = 0;

async function spend(
  account: Account,
  amounts: { hold: bigint; charge: bigint; period?: 'day' },
  { timeMs = NOW_MS, ...details }: Partial<Receipt> & { timeMs?: number } = {},
): Promise<string> {
  made += 1;
  const requestId = leastUuid7At(timeMs).slice(0, -12) + made.toString(16).padStart(12, '0');
  await spender.spend(account, amounts, { requestId, ...details });
  return requestId;
}

const correct = async ({ workspace }: Account, requestId: string, charge: bigint): Promise<void> =>
  void granted(await correctReceipt(sql, scopeOf(workspace.id), { requestId, charge, reason: 'a slip' }));

const PAID = `select apply_payment_fact('stripe', 'paid late', 'paid', 'pay 1', $1, $2, 'checkout', null, $3, 'usd', null, null)`;

/** What is close to the damage of each condition, and none. */
const HARMLESS: readonly (readonly [checks: readonly LedgerCheck[], what: string, act: () => Promise<unknown>])[] = [
  [
    ['usage_costs', 'usage_costed_requests', 'usage_day_costs', 'usage_key_costs', 'usage_member_costs'],
    'requests whose costs are known, after one whose cost is not',
    async () => {
      await spend(main, { hold: 10n, charge: 1n }, { admittedAtMs: NOW_MS - DAY_MS });
      const rates = Object.fromEntries(TOKEN_CLASSES.map((one) => [one, 1_000_000n])) as Rates;
      const price = { rates, tiers: [] };
      const media = { imageTokens: null, audioTokens: null, fileTokens: null };
      const terms = { kind: 'chat', price, contextWindow: 100, maxOutput: 10, media } as const;
      const routes = [{ provider: 'local', upstreamModel: 'qwen3', cost: price }];
      await applyCatalogue(sql, [{ id: 'small-chat', terms, routes, reasoning: false }], { accept: [] });
      await spend(main, { hold: 20n, charge: 5n }, { admittedAtMs: Date.now() });
      const other = await openKey(sql, main.project, { name: 'other' });
      await sql.query('update keys set created_by = $1 where id = $2', [CREATOR, other.id]);
      await spend({ ...main, key: other }, { hold: 20n, charge: 6n }, { admittedAtMs: Date.now() });
    },
  ],
  [['receipt_charge'], 'a request that is charged all that it held', () => spend(main, { hold: 40n, charge: 40n })],
  [['lease_overdrawn', 'purse_leased'], 'open leases', () => spend(debtor, { hold: 30n, charge: 30n })],
  [
    ['sealed_totals', 'usage_charges', 'usage_corrections'],
    'a correction of a sealed receipt, and receipts that were dropped',
    async () => {
      for (const timeMs of [DROPPED_MS, SEALED_MS]) {
        await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(timeMs)));
        await spend(main, { hold: 30n, charge: 20n }, { timeMs, admittedAtMs: timeMs });
      }
      const kept = await spend(main, { hold: 30n, charge: 25n }, { timeMs: SEALED_MS, admittedAtMs: SEALED_MS });
      await correct(main, kept, 3n);
      const how = { nowMs: NOW_MS, countUsage: countUsageIn(sql) };
      granted(await sealReceipts(sql, { before: new Date(SEALED_MS), drop: true, ...how }));
      granted(await sealReceipts(sql, { before: new Date(SEALED_MS + 7 * DAY_MS), drop: false, ...how }));
    },
  ],
  [
    ['correction_purses', 'purse_corrected', 'receipt_corrected'],
    'corrections of one receipt to nothing and up to its hold',
    async () => {
      const requestId = await spend(main, { hold: 50n, charge: 10n });
      for (const charge of [0n, 50n]) await correct(main, requestId, charge);
    },
  ],
  [
    ['workspace_owed', 'posting_balance', 'posting_entries', 'purse_overdrawn'],
    'a posting with three entries that takes more than is left',
    async () =>
      granted(await postCredit(sql, scopeOf(debtor.workspace.id), { kind: 'adjustment', amount: -200n, reason: 'x' })),
  ],
  [
    ['receipt_purses', 'purse_spent'],
    'receipts in the purses of two windows, the second of which opened with the first one’s charges',
    async () => {
      await changeProject(sql, main.project, { budgetPeriod: 'day' });
      await spend(main, { hold: 9n, charge: 9n, period: 'day' });
    },
  ],
  [
    ['workspace_balance', 'usage_days', 'usage_keys', 'usage_members', 'usage_key_days', 'usage_key_hours'],
    'charges and corrections that are counted and some that are not',
    async () => {
      const requestId = await spend(main, { hold: 30n, charge: 11n, period: 'day' });
      await countUsageIn(sql)();
      await correct(main, requestId, 2n);
      await correct(main, await spend(main, { hold: 30n, charge: 12n, period: 'day' }), 1n);
    },
  ],
  [
    [
      'usage_day_requests',
      'usage_key_requests',
      'usage_member_requests',
      'usage_key_day_requests',
      'usage_key_hour_requests',
      'usage_key_day_costs',
      'usage_key_hour_costs',
    ],
    'requests that nobody was charged for',
    async () => {
      await spend(main, { hold: 30n, charge: 0n, period: 'day' }, { outcome: 'failed', admittedAtMs: Date.now() });
      await countUsageIn(sql)();
    },
  ],
  [
    ['grant_amount', 'grant_expired', 'grants_covered'],
    'credit that has expired in part, and credit that will',
    async () => {
      for (const days of [1, 9]) {
        const expiresAt = new Date(Date.now() + days * DAY_MS);
        const grant = { kind: 'grant', amount: 70n, reason: 'plan', expiresAt } as const;
        granted(await postCredit(sql, scopeOf(main.workspace.id), grant));
      }
      await spend(main, { hold: 30n, charge: 13n });
      await letGrantsAge(sql, main.workspace.id, '2 days');
      expect(await postExpiries(sql)).toBe(1);
    },
  ],
  [
    ['closed_credit'],
    'a payment that came after its workspace was closed, and goes back',
    async () => {
      const topUp = await openTopUp(sql, closed.workspace.id);
      await sql.transaction((tx) => closeWorkspace(tx, scopeOf(closed.workspace.id), { version: null }));
      await finishClosing(sql);
      await sql.query(PAID, [topUp.id, closed.workspace.id, topUp.amount + topUp.fee]);
    },
  ],
  [
    ['audit_chain', 'audit_dropped', ...AUDIT_CHECKS],
    'audit events of two workspaces and of the instance, some by a former release, some redacted, the oldest ones dropped',
    async () => {
      const later = new Date(NOW_MS + 9 * DAY_MS);
      expect(await dropAuditEvents({ sql, pacer: UNPACED }, later)).toBeGreaterThan(2);
      const change = { action: 'project.update', target: { kind: 'project', id: 'p' } } as const;
      for (const scope of [scopeOf(main.workspace.id), scopeOf(debtor.workspace.id), operatorScope()]) {
        await recordAudit(sql, scope, { ...change, before: { name: 'a' }, after: { name: 'b' } });
        await sql.transaction(async (tx) => {
          await recordAudit(tx, scope, change);
          await recordAudit(tx, scope, change);
        });
      }
      await recordAudit(sql, scopeOf(main.workspace.id), { ...change, after: { mail_to: ['ada@example.com'] } });
      const ada = { userId: CREATOR, ids: [CREATOR], addresses: ['ada@example.com'] };
      expect(await redactAll({ sql, pacer: UNPACED }, scopeOf(main.workspace.id).act, ada)).toBe(1);
      await sql.query(insertEvent('gen_random_uuid()'));
    },
  ],
];

/** An event of the main workspace. Triggers link it, unless they are off. */
const insertEvent = (id: string): string =>
  `insert into audit_events (id, workspace_id, actor_kind, actor_name, action, target_kind, target_id)
   values (${id}, '${main.workspace.id}', 'operator', '', 'project.update', 'project', 'p')`;

/** The link of the main workspace that has this position. */
const linkAt = (position: string): string => `scope_id = '${main.workspace.id}' and position = ${position}`;

/** The event that this link names. */
const eventAt = (position: string): string => `id = (select event_id from audit_links where ${linkAt(position)})`;

const lastLink = (): string => `(select length from audit_chains where scope_id = '${main.workspace.id}')`;

/** The link of the main workspace after the one whose event says what was dropped. */
const laterKept = (): string => `2 + (select dropped_to from audit_chains where scope_id = '${main.workspace.id}')`;

/** The event from which an address was erased. */
const REDACTED = `after::text like '%erased.invalid%'`;

/** Adds to a column of one of the main workspace's rows. */
const one = (table: string, column: string, where = 'true'): string =>
  `update ${table} set ${column} = ${column} + 1
   where ctid = (select ctid from ${table} where workspace_id = '${main.workspace.id}' and ${where} limit 1)`;

const purse = (column: string, kind: string): string => one('purses', column, `kind = '${kind}' and period <> 'day'`);

/** A receipt that is neither sealed nor corrected. */
const RECEIPT = 'hold_nano_usd = 40';

/** The buckets of dropped receipts are compared with nothing. */
const OF_THIS_MONTH = `starts_at > now() - interval '30 days'`;

/** Exchanges a receipt's purse for one of another account's, or of another kind. */
const otherPurse = (column: string, kind: string): string =>
  `update receipts set ${column} = (
     select id from purses where kind = '${kind}' and workspace_id <> receipts.workspace_id limit 1
   ) where ${RECEIPT}`;

const BALANCE: readonly LedgerCheck[] = ['purse_spent', 'workspace_balance'];

/** Damage for each condition, with all conditions that it breaks. */
const DAMAGES: Readonly<
  Record<LedgerCheck, () => readonly (readonly [damage: string, broken: readonly LedgerCheck[]])[]>
> = {
  audit_chain: () => [
    [`delete from audit_events where ${eventAt(lastLink())}; delete from audit_links where ${linkAt(lastLink())}`, []],
    [`update audit_chains set length = length + 1 where scope_id = '${main.workspace.id}'`, []],
    [`update audit_chains set chain_sha256 = 'x' where scope_id = '${main.workspace.id}'`, []],
    [`delete from audit_links; delete from audit_events`, ['audit_dropped']],
  ],
  audit_event: () => [
    [`update audit_events set after = '{"name": "c"}' where ${eventAt(laterKept())}`, []],
    [`update audit_events set at = at - interval '1 day' where ${eventAt(laterKept())}`, []],
    [`update audit_events set workspace_id = '${debtor.workspace.id}' where ${eventAt(laterKept())}`, []],
    [`delete from audit_events where ${eventAt(laterKept())}`, []],
    [`update audit_events set after = '{"mail_to": []}' where ${REDACTED}`, []],
    [
      `update audit_redactions set event_sha256 = 'x' where event_id in (select id from audit_events where ${REDACTED})`,
      ['audit_redaction'],
    ],
  ],
  audit_dropped: () => [
    [`update audit_chains set dropped_to = dropped_to + 1 where scope_id = '${main.workspace.id}'`, []],
    [`update audit_chains set dropped_by = null where scope_id = '${main.workspace.id}'`, []],
    [`update audit_events set after = after || '{"chain_sha256": "x"}' where action = 'audit.drop'`, ['audit_event']],
    [`delete from audit_events where action = 'audit.drop'`, ['audit_event']],
  ],
  audit_redaction: () => [
    [`delete from audit_redactions`, ['audit_event']],
    [
      `update audit_events set after = '{"mail_to": []}' where ${REDACTED};
       update audit_redactions set event_sha256 = audit_event_digest(e) from audit_events e where e.id = event_id`,
      [],
    ],
  ],
  audit_link: () => [
    [`delete from audit_events where ${eventAt('2')}; delete from audit_links where ${linkAt('2')}`, []],
    [
      `update audit_links set position = -position where ${linkAt('position')} and position in (1, 2);
      update audit_links set position = 3 + position where position < 0`,
      [],
    ],
    [
      `update audit_events set actor_name = 'else' where ${eventAt(laterKept())};
       update audit_links set event_sha256 = audit_event_digest(e) from audit_events e
         where e.id = event_id and not (${REDACTED})`,
      [],
    ],
    [
      `${insertEvent(`'${CREATOR}'`)};
       insert into audit_links select '${main.workspace.id}', ${lastLink()} + 1, id, audit_event_digest(e), 'x'
         from audit_events e where id = '${CREATOR}'`,
      ['audit_chain'],
    ],
    [`delete from audit_chains where scope_id = '${main.workspace.id}'`, ['audit_event']],
  ],
  audit_event_link: () => [[insertEvent('gen_random_uuid()'), []]],
  closed_credit: () => [
    [
      `update purses set limit_nano_usd = limit_nano_usd + 1 where workspace_id = '${closed.workspace.id}' and kind = 'credit'`,
      ['workspace_balance'],
    ],
    [`update top_ups set payment_reference = null`, []],
    [
      `update ledger_postings q set posted_at = w.archived_at from workspaces w where w.id = q.workspace_id and w.id = '${closed.workspace.id}'`,
      [],
    ],
    [`update workspaces set archived_at = now() where id = '${main.workspace.id}'`, []],
  ],
  correction_purses: () => [
    [one('purse_corrections p', 'amount_nano_usd').replaceAll('workspace_id', 'true or null'), ['purse_corrected']],
  ],
  grant_amount: () => [
    [`update expiring_grants set amount_nano_usd = amount_nano_usd + 1 where expired_nano_usd > 0`, []],
    [
      `delete from expiring_grants where expired_nano_usd = 0; update expiring_grants set posting_id = gen_random_uuid()`,
      ['grant_expired'],
    ],
  ],
  grant_expired: () => [
    [`update expiring_grants set expired_nano_usd = expired_nano_usd - 1 where expired_nano_usd > 0`, []],
    [`update ledger_postings set once = null where kind = 'expiry'`, []],
  ],
  grants_covered: () => [
    [
      `update expiring_grants set amount_nano_usd = 8e18, rest_nano_usd = 8e18 where expired_nano_usd = 0`,
      ['grant_amount'],
    ],
  ],
  lease_overdrawn: () => [
    ['update leases set charged_nano_usd = granted_nano_usd + 1 where not open', [...BALANCE, 'usage_charges']],
  ],
  posting_balance: () => [
    [`update ledger_entries set amount_nano_usd = amount_nano_usd + 1 where account = 'promotions'`, []],
  ],
  posting_entries: () => [
    [
      `insert into ledger_postings (id, workspace_id, kind, actor, reason, balance_nano_usd)
         values (gen_random_uuid(), '${main.workspace.id}', 'grant', '', '', 0)`,
      [],
    ],
  ],
  purse_corrected: () => [
    [purse('corrected_nano_usd', 'project'), []],
    [purse('corrected_nano_usd', 'key'), []],
  ],
  purse_leased: () => [
    [purse('leased_nano_usd', 'credit'), []],
    [purse('leased_nano_usd', 'key'), []],
    ['update leases set granted_nano_usd = granted_nano_usd + 1 where not open', []],
  ],
  purse_overdrawn: () => [
    [
      `update purses set limit_nano_usd = spent_nano_usd + leased_nano_usd - 1
       where kind = 'credit' and workspace_id = '${main.workspace.id}'`,
      ['grants_covered', 'workspace_balance'],
    ],
  ],
  workspace_owed: () => [
    [
      `update purses set owed_nano_usd = owed_nano_usd + 1 where kind = 'credit' and workspace_id = '${debtor.workspace.id}'`,
      [],
    ],
  ],
  receipt_charge: () => [
    [`update receipts set hold_nano_usd = charge_nano_usd - 1 where ${RECEIPT}`, []],
    [`update receipts set charge_nano_usd = -1 where ${RECEIPT}`, BALANCE],
  ],
  receipt_corrected: () => [
    ['update receipts set hold_nano_usd = 49 where hold_nano_usd = 50', []],
    [`update receipts set charge_nano_usd = 21 where charge_nano_usd = 25`, ['sealed_totals']],
  ],
  receipt_purses: () => [
    [otherPurse('credit_purse_id', 'credit'), ['purse_spent']],
    [otherPurse('project_purse_id', 'project'), ['purse_spent']],
    [otherPurse('key_purse_id', 'key'), ['purse_spent']],
    [`update receipts set key_purse_id = project_purse_id where ${RECEIPT}`, ['purse_spent']],
    [`update receipts set project_purse_id = credit_purse_id where ${RECEIPT}`, ['purse_spent']],
    [`update receipts set credit_purse_id = key_purse_id where ${RECEIPT}`, ['purse_spent']],
    [`update receipts set key_purse_id = 0 where ${RECEIPT}`, ['purse_spent']],
    [
      `update receipts set key_purse_id = (
         select other.key_purse_id from receipts other
         where other.workspace_id = receipts.workspace_id and other.key_id <> receipts.key_id
       ) where ${RECEIPT}`,
      ['purse_spent'],
    ],
  ],
  purse_spent: () => [
    [purse('spent_nano_usd', 'project'), []],
    [purse('spent_nano_usd', 'key'), []],
    [one('purses', 'opening_nano_usd', `period = 'day'`), []],
  ],
  sealed_totals: () => [
    ['update partition_totals set charge_nano_usd = charge_nano_usd + 1', [...BALANCE, 'usage_charges']],
    ['delete from receipts where charge_nano_usd = 25', []],
  ],
  workspace_balance: () => [
    [purse('limit_nano_usd', 'credit'), []],
    [`delete from receipts where ${RECEIPT}`, ['purse_spent', 'usage_costs', 'usage_costed_requests']],
  ],
  usage_costs: () => [[one('usage_hours', 'cost_nano_usd', 'costed_requests > 0'), ['usage_day_costs']]],
  usage_costed_requests: () => [[one('usage_hours', 'costed_requests', OF_THIS_MONTH), []]],
  usage_charges: () => [[one('usage_hours', 'charge_nano_usd', OF_THIS_MONTH), ['usage_days']]],
  usage_corrections: () => [[one('usage_hours', 'corrected_nano_usd', OF_THIS_MONTH), ['usage_days']]],
  usage_days: () => [[one('usage_days', 'charge_nano_usd'), ['usage_keys', 'usage_members']]],
  usage_day_requests: () => [[one('usage_hours', 'requests'), []]],
  usage_day_costs: () => [[one('usage_days', 'cost_nano_usd'), ['usage_key_costs', 'usage_member_costs']]],
  usage_keys: () => [[one('usage_key_months', 'charge_nano_usd'), ['usage_key_days']]],
  usage_key_requests: () => [[one('usage_key_months', 'requests'), ['usage_key_day_requests']]],
  usage_key_costs: () => [[one('usage_key_months', 'cost_nano_usd'), ['usage_key_day_costs']]],
  usage_members: () => [
    [one('usage_member_days', 'charge_nano_usd'), []],
    [one('usage_member_days', 'corrected_nano_usd'), []],
  ],
  usage_member_requests: () => [[one('usage_member_days', 'requests'), []]],
  usage_member_costs: () => [[one('usage_member_days', 'cost_nano_usd'), []]],
  usage_key_days: () => [[one('usage_key_days', 'charge_nano_usd'), ['usage_key_hours']]],
  usage_key_day_requests: () => [[one('usage_key_days', 'requests'), ['usage_key_hour_requests']]],
  usage_key_day_costs: () => [[one('usage_key_days', 'cost_nano_usd'), ['usage_key_hour_costs']]],
  usage_key_hours: () => [
    [one('usage_key_hours', 'charge_nano_usd'), []],
    [one('usage_key_hours', 'corrected_nano_usd'), []],
  ],
  usage_key_hour_requests: () => [[one('usage_key_hours', 'requests'), []]],
  usage_key_hour_costs: () => [[one('usage_key_hours', 'cost_nano_usd'), []]],
};

const CHECKS: readonly string[] = [
  ...Object.keys({ ...SNAPSHOT_CHECKS, ...RECEIPT_CHECKS, ...SUM_CHECKS, ...COST_CHECKS, ...USAGE_CHECKS }),
  ...AUDIT_CHECKS,
  ...KEY_USAGE_COMPARISONS.flatMap(({ check, requests, costs }) => [check, requests, costs]),
].toSorted();

/** Tables whose rows are damaged, or are put back as they were. */
const TABLES = [
  'expiring_grants',
  'audit_events',
  'audit_links',
  'audit_chains',
  'audit_redactions',
  'workspaces',
  'purses',
  'leases',
  'receipts',
  'ledger_postings',
  'ledger_entries',
  'purse_corrections',
  'top_ups',
  'partition_totals',
  'usage_hours',
  'usage_days',
  'usage_key_hours',
  'usage_key_days',
  'usage_key_months',
  'usage_member_days',
];

/** Copies the tables, and lets damage pass the database's own checks. */
const COPY_TABLES = `
  create schema kept;
  ${TABLES.map((table) => `create table kept.${table} as table public.${table};`).join(' ')}
  do $$
  declare c record;
  begin
    for c in select conrelid::regclass as of, conname as name from pg_constraint where contype = 'c' and conislocal
        and connamespace = 'public'::regnamespace and conrelid <> 0 loop
      execute format('alter table %s drop constraint if exists %I', c.of, c.name);
    end loop;
  end $$`;

const RESTORE_TABLES = TABLES.map(
  (table) => `delete from ${table}; insert into ${table} overriding system value select * from kept.${table}`,
).join('; ');

/** Runs statements without triggers and references. */
async function runUnchecked(statements: string): Promise<void> {
  await sql.query(`do $do$ begin set local session_replication_role = replica; ${statements}; end $do$`);
}

async function reported(): Promise<readonly string[]> {
  const { differences } = await verifyLedger(sql);
  return [...new Set(differences.map(({ check }) => check))].toSorted();
}

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.database;
  const limits = { project: { budget: 5_000n }, key: { spendLimit: 4_000n } };
  main = await openAccount(sql, { credit: 10_000n, ...limits });
  debtor = await openAccount(sql, { credit: 100n });
  closed = await openAccount(sql, { credit: 100n });
  spender = await Spender.begin(sql);
  for (const [, , act] of HARMLESS) await act();
  for (const statement of COPY_TABLES.split('\n  ').filter((line) => line.startsWith('create'))) {
    for (const each of statement.split(';')) if (each.trim() !== '') await sql.query(each);
  }
  await sql.query(COPY_TABLES.slice(COPY_TABLES.indexOf('do $$')));
});
afterAll(() => db.stop());

test('each condition of the proof has damage that it reports, and something harmless that it does not', () => {
  expect(Object.keys(DAMAGES).toSorted()).toEqual(CHECKS);
  expect([...new Set(HARMLESS.flatMap(([checks]) => checks))].toSorted()).toEqual(CHECKS);
});

test('the proof reports nothing of what is no damage', async () => {
  await runUnchecked(RESTORE_TABLES);
  const { ok, differences, receipts } = await verifyLedger(sql);
  expect([ok, differences]).toEqual([true, []]);
  expect(receipts).toBeGreaterThan(10n);
});

test.each(Object.entries(DAMAGES))('the proof reports damage to its condition %s by name', async (check, damages) => {
  for (const [damage, others] of damages()) {
    await runUnchecked(RESTORE_TABLES);
    await runUnchecked(damage);
    expect([damage, await reported()]).toEqual([damage, [...others, check].toSorted()]);
  }
});
