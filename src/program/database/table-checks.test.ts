import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, Spender } from '../../../test/support/accounts.ts';
import { openTopUp } from '../../../test/support/payments.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';

// The last line of defence of money: what no statement may write, whatever the functions and the program make of it.

const POSTING = 'select id from ledger_postings where workspace_id = $1';
const post = (kind: string, receipt: string): string => `
  insert into ledger_postings (id, workspace_id, kind, actor, reason, balance_nano_usd, receipt_request_id)
  values (gen_random_uuid(), $1, '${kind}', 'test', 'a test', 0, ${receipt})`;
const enter = (account: string, amount: number): string => `
  insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
  select $1, (${POSTING}), '${account}', ${amount}`;
const setOf = (table: string, values: string, more = 'true'): string =>
  `update ${table} set ${values} where workspace_id = $1 and ${more}`;
const setLease = (values: string): string =>
  `update leases set ${values} where purse_id in (select id from purses where workspace_id = $1)`;
const rule = (kind: string, threshold: string): string => `
  insert into alert_rules (workspace_id, id, name, kind, threshold, mail_roles, mail_to)
  values ($1, gen_random_uuid(), 'a rule', '${kind}', ${threshold}, '{}', '{}')`;
const notice = (fields: string, values: string): string => `
  insert into notices (workspace_id, id, recipient, channel${fields}) values ($1, gen_random_uuid(), 'a', ${values})`;
const endpoint = (columns: string, values: string): string => `
  insert into webhook_endpoints (workspace_id, id, url, description, ${columns})
  values ($1, gen_random_uuid(), 'https://hooks.example/', '', ${values})`;
const limitEndUser = (name: string, limit: number): string => `
  insert into end_user_limits (workspace_id, project_id, id, name, limit_nano_usd)
  select $1, id, gen_random_uuid(), ${name}, ${limit} from projects where workspace_id = $1 limit 1`;
const credit = (values: string): string => setOf('purses', values, `kind = 'credit'`);

const pay = (columns: string, values: string): string => `
  insert into top_ups (workspace_id, id, provider, actor, origin, amount_nano_usd${columns})
  values ($1, gen_random_uuid(), 'codes', 'test', 'code', 1${values})`;
const reverse = (kind: string, state: string, amount: number): string => `
  insert into payment_reversals (provider, kind, reference, payment_reference, state, amount_nano_usd)
  values ('stripe', '${kind}', $1::uuid::text, 'pi', '${state}', ${amount})`;
const settle = (column: string, value: string): string => `
  insert into payment_settings (workspace_id, ${column}) values ($1, ${value})`;
const batch = (count: number, amount: number, kind: string): string => `
  insert into redemption_batches (id, count, amount_nano_usd, posting_kind, expires_at, reason, actor)
  values ($1, ${count}, ${amount}, '${kind}', now(), 'a test', 'test')`;

const costVersion = (sizes: string, retired = 'null'): string => `
  insert into cost_versions (model, provider, upstream_model, created_at, retired_at, input_from, input_to, input_rate,
    cached_input_rate, cache_write_5m_rate, cache_write_1h_rate, audio_input_rate, output_rate, audio_output_rate)
  select 'm', 'p', $1::text, now(), ${retired}, ${sizes}, 0, 0, 0, 0, 0, 0, 0`;

const expiring = (amounts: string): string => `
  insert into expiring_grants (workspace_id, posting_id, expires_at, given_at, other_nano_usd, amount_nano_usd, rest_nano_usd,
    expired_nano_usd)
  values ($1, gen_random_uuid(), now(), now(), 0, ${amounts})`;
const recurring = (period: string, amount: number, expires: string): string => `
  insert into recurring_grants (workspace_id, id, reason, actor, next_at, period, amount_nano_usd, expires_with_period,
    expires_after_days)
  values ($1, gen_random_uuid(), '', '', now(), '${period}', ${amount}, ${expires})`;

/** Statements about one account's rows; each breaks the one check and no other. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  database_shard_shard_check: [`insert into database_shard (shard) values (left($1::text, 3))`],
  database_shard_is_only_check: [`insert into database_shard (shard, is_only) values (left($1::text, 2), false)`],
  alert_rules_compare_or_not: [
    rule('runway', 'null'),
    ...['ledger_difference', 'auto_top_up_stopped', 'payment_after_closing'].map((kind) => rule(kind, '1')),
  ],
  alert_rules_kind_check: [rule('mood', '1')],
  alert_rules_threshold_check: [rule('runway', '0')],
  alerts_subject_kind_check: [
    `insert into alerts (workspace_id, id, rule_id, kind, subject_kind, subject_id, subject_name, summary)
     values ($1, gen_random_uuid(), gen_random_uuid(), 'runway', 'planet', '', '', '')`,
  ],
  audit_events_actor_kind_check: [
    `insert into audit_events (id, workspace_id, actor_kind, actor_name, action, target_kind, target_id)
     values (gen_random_uuid(), $1, 'ghost', '', '', '', '')`,
  ],
  authenticators_have_one_secret: [
    `insert into authenticators (user_id) values ($1::uuid)`,
    `insert into authenticators (user_id, secret, encrypted_secret) values ($1::uuid, 'a', 'b')`,
  ],
  changes_kind_check: [`insert into changes (kind, subject_id) values ('gossip', $1::uuid::text)`],
  cost_versions_have_sizes: [costVersion('0, 0')],
  cost_versions_last: [costVersion('0, null', 'now()')],
  end_user_limits_limit_nano_usd_check: [limitEndUser("'ada'", -1)],
  end_user_limits_name_check: [limitEndUser("''", 1), limitEndUser("repeat('x', 513)", 1)],
  epochs_timeout_ms_check: [
    'update epochs set timeout_ms = 0 where id in (select epoch_id from receipts where workspace_id = $1)',
  ],
  expiring_grants_amount_nano_usd_check: [expiring('-1, -1, 0')],
  expiring_grants_are_whole: [expiring('5, -1, 0'), expiring('5, 4, 2')],
  expiring_grants_expired_nano_usd_check: [expiring('5, 0, -1')],
  free_answers_cost_nano_usd_check: [
    'insert into free_answers select workspace_id, id, now(), -1 from projects where workspace_id = $1',
  ],
  invitations_role_check: [
    `insert into invitations (workspace_id, id, email, role, token_sha256, mailed, expires_at)
     values ($1, gen_random_uuid(), 'a@example.com', 'king', '', false, now())`,
  ],
  keys_kind_check: [setOf('keys', `kind = 'skeleton'`)],
  keys_spend_limit_nano_usd_check: [setOf('keys', 'spend_limit_nano_usd = -1')],
  leases_charged_within_grant: [
    setLease('open = true, charged_nano_usd = -1'),
    setLease('open = true, granted_nano_usd = -1'),
    setLease('open = false, charged_nano_usd = granted_nano_usd + 1'),
  ],
  ledger_entries_account_check: [enter('petty cash', 1)],
  ledger_entries_amount_nano_usd_check: [enter('adjustments', 0)],
  ledger_postings_corrections_adjust: [post('grant', 'gen_random_uuid()')],
  ledger_postings_kind_check: [post('gift', 'null')],
  member_limits_monthly_limit_nano_usd_check: [
    `insert into member_limits (workspace_id, user_id, monthly_limit_nano_usd) values ($1, gen_random_uuid(), -1)`,
  ],
  members_role_check: [`insert into members (workspace_id, user_id, role) values ($1, gen_random_uuid(), 'king')`],
  arrivals_state_check: [
    `insert into arrivals (workspace_id, move_id, shard, state) values (gen_random_uuid(), $1, '01', 'lost')`,
  ],
  workspace_moves_state_check: [
    `insert into workspace_moves (workspace_id, id, shard, state, wait_ms, actor) values ($1, gen_random_uuid(), '01', 'lost', 1, '')`,
  ],
  workspace_moves_wait_ms_check: [
    `insert into workspace_moves (workspace_id, id, shard, state, wait_ms, actor) values ($1, gen_random_uuid(), '01', 'moved', 0, '')`,
  ],
  cells_shard_check: [
    `insert into cells (shard, url, encrypted_token) values (left($1::uuid::text, 1), 'https://a', 'a')`,
  ],
  offer_declarations_kind_check: [
    `insert into offer_declarations (kind, name, declaration) values ('wish', $1::uuid::text, '{}')`,
  ],
  offer_declarations_providers_have_keys: [
    `insert into offer_declarations (kind, name, declaration, encrypted_key) values ('model', $1::uuid::text, '{}', 'a')`,
  ],
  one_time_links_purpose_check: [
    `insert into one_time_links (id, purpose, token_sha256, mailed, expires_at)
     values ($1, 'fun', '', false, now())`,
  ],
  notices_channel_check: [notice('', `'pigeon'`)],
  notices_state_check: [notice(', state, finished_at', `'mail', 'lost', now()`)],
  notices_wait_or_are_finished: [notice(', state', `'mail', 'sent'`), notice(', finished_at', `'mail', now()`)],
  notices_webhooks_have_endpoints: [notice('', `'webhook'`), notice(', endpoint_id', `'mail', gen_random_uuid()`)],
  operator_tokens_check: [
    `insert into operator_tokens (id, name, secret_sha256, last_four, read_only, downloads_backups, created_by)
     values ($1, $1::uuid::text, 'x', 'abcd', false, true, 'test')`,
  ],
  payment_events_outcome_check: [
    `insert into payment_events (provider, id, fact, outcome) values ('stripe', $1::uuid::text, 'paid', 'lost')`,
  ],
  payment_reversals_amount_nano_usd_check: [reverse('refund', 'taken', 0)],
  payment_reversals_kind_check: [reverse('gift', 'taken', 1)],
  payment_reversals_state_check: [reverse('refund', 'undone', 1)],
  payment_settings_auto_amount_nano_usd_check: [settle('auto_amount_nano_usd', '0')],
  payment_settings_auto_is_whole: [settle('auto_enabled', 'true')],
  payment_settings_auto_month_max_nano_usd_check: [settle('auto_month_max_nano_usd', '0')],
  payment_settings_auto_stop_check: [settle('auto_stop', `'tired'`)],
  payment_settings_auto_threshold_nano_usd_check: [settle('auto_threshold_nano_usd', '0')],
  price_adjustments_basis_points_check: [-10_001, 90_001].map(
    (points) => `
      insert into price_adjustments (workspace_id, id, basis_points) values ($1, gen_random_uuid(), ${points})`,
  ),
  price_versions_of_workspaces: [
    `insert into price_versions (model, version, terms, workspace_id) values ('m', 1, '{}', $1)`,
  ],
  projects_budget_nano_usd_check: [setOf('projects', 'budget_nano_usd = -1')],
  projects_budget_period_check: [setOf('projects', `budget_period = 'year'`)],
  projects_concurrency_check: [setOf('projects', 'concurrency = 0')],
  projects_member_key_spend_limit_nano_usd_check: [setOf('projects', 'member_key_spend_limit_nano_usd = -1')],
  projects_member_keys_max_check: [setOf('projects', 'member_keys_max = 0')],
  projects_requests_per_minute_check: [setOf('projects', 'requests_per_minute = 0')],
  projects_tokens_per_minute_check: [setOf('projects', 'tokens_per_minute = 0')],
  purse_corrections_amount_nano_usd_check: [
    `insert into purse_corrections select (${POSTING}), id, 0 from purses where workspace_id = $1`,
  ],
  purses_credit_is_limited: [credit('limit_nano_usd = null')],
  purses_credit_never_overdrawn: [
    credit('spent_nano_usd = limit_nano_usd - leased_nano_usd + 1'),
    credit('leased_nano_usd = limit_nano_usd - spent_nano_usd + 1'),
  ],
  purses_kind_check: [setOf('purses', `kind = 'team'`, `kind = 'key'`)],
  purses_mode_check: [setOf('purses', `mode = 'damp'`)],
  purses_owed_nano_usd_check: [setOf('purses', 'owed_nano_usd = -1')],
  purses_period_check: [setOf('purses', `period = 'year'`)],
  purses_spent_not_negative: [setOf('purses', 'spent_nano_usd = -1'), setOf('purses', 'leased_nano_usd = -1')],
  recurring_grants_amount_nano_usd_check: [recurring('day', 0, 'true, null')],
  recurring_grants_expire_once: [recurring('day', 1, 'true, 3')],
  recurring_grants_expires_after_days_check: [recurring('day', 1, 'false, 0')],
  recurring_grants_period_check: [recurring('year', 1, 'true, null')],
  redemption_batches_amount_nano_usd_check: [batch(1, 0, 'grant')],
  redemption_batches_count_check: [batch(0, 1, 'grant')],
  redemption_batches_posting_kind_check: [batch(1, 1, 'refund')],
  top_ups_amount_nano_usd_check: [setOf('top_ups', 'amount_nano_usd = 0')],
  top_ups_fee_nano_usd_check: [pay(', fee_nano_usd', ', -1')],
  top_ups_origin_check: [setOf('top_ups', `origin = 'street'`)],
  top_ups_paid_are_posted: [pay(', state', `, 'paid'`), pay(', posting_id', `, (${POSTING})`)],
  top_ups_posting_kind_check: [pay(', posting_kind', `, 'refund'`)],
  top_ups_state_check: [pay(', state', `, 'lost'`)],
  schema_files_kind_check: [`insert into schema_files (kind, name, sha256) values ('view', $1::uuid::text, '')`],
  receipts_are_sound: [
    setOf('receipts', 'charge_nano_usd = -1'),
    setOf('receipts', 'charge_nano_usd = hold_nano_usd + 1'),
    setOf('receipts', 'write_off_nano_usd = -1'),
    setOf('receipts', `usage_certainty = 'guessed'`),
  ],
  workspace_access_default_role_check: [
    `insert into workspace_access (workspace_id, default_role) values ($1, 'owner')`,
  ],
  workspace_domains_proven_by_check: [
    `insert into workspace_domains (workspace_id, domain, token, proven_at, proven_by) values ($1, 'a.example', 't', now(), 'mail')`,
  ],
  workspace_domains_proven_or_not: [
    `insert into workspace_domains (workspace_id, domain, token, proven_at) values ($1, 'a.example', 't', now())`,
    `insert into workspace_domains (workspace_id, domain, token, proven_by) values ($1, 'a.example', 't', 'dns')`,
  ],
  usage_folding_is_only_check: [
    `insert into usage_folding (is_only, folded, server, unbuilt) select false, pg_current_snapshot(), 0, '{}' where $1::uuid is not null`,
  ],
  webhook_endpoints_have_one_former_secret: [
    endpoint('encrypted_secret, former_secret, encrypted_former_secret', `'a', 'b', 'c'`),
  ],
  webhook_endpoints_have_one_secret: [
    endpoint('former_secret', `'a'`),
    endpoint('secret, encrypted_secret', `'a', 'b'`),
  ],
  workspaces_suspended_for_a_reason: [`update workspaces set suspended_at = now() where id = $1`],
};

let db: TestDatabase;
let account: Account;

beforeAll(async () => {
  db = await startTestDatabase();
  account = await openAccount(db.database, { credit: 1_000n });
  await (await Spender.begin(db.database)).spend(account, { hold: 30n, charge: 20n });
  await openTopUp(db.database, account.workspace.id);
});
afterAll(() => db.stop());

const cases = Object.entries(REFUSED).flatMap(([check, statements]) =>
  statements.map((statement) => [check, statement] as const),
);

test.each(cases)('a statement is refused by the check %s: %s', async (constraint, statement) => {
  await expect(db.database.query(statement, [account.workspace.id])).rejects.toMatchObject({ constraint });
});

test('there is no check of a table but those that a statement here breaks', async () => {
  const checks = await db.database.query<{ name: string }>(`
    select conname as name from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and conislocal order by 1`);
  expect(checks.map(({ name }) => name)).toEqual(Object.keys(REFUSED).toSorted());
});
