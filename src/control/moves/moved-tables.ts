import { createHash } from 'node:crypto';

// What a workspace has in the database, table by table: whether it comes along when the workspace moves to another cell, and how. A
// table or column that is not here is noticed by moved-tables.test.ts, so that nobody forgets one.

export interface MovedTable {
  readonly table: string;
  /** The columns that come along, with blanks between them. */
  readonly columns: string;
  /** Columns that don't: they have a value of the other cell's own. */
  readonly left?: readonly string[];
  /** What a row is known by, and how slices are ordered: columns and their types. */
  readonly key: Readonly<Record<string, string>>;
  /** SQL for the rows of the workspace $1; by default those that name it. */
  readonly where?: string;
  /** SQL for values that are sent in the place of what a column has. The row is `t`. */
  readonly sent?: Readonly<Record<string, string>>;
  /**
   * What becomes of rows that are in the other cell, because the workspace was there before. append: rows are only added.
   * upsert: they are replaced by those that come. replace: besides, those that don't come are deleted.
   */
  readonly on: 'append' | 'upsert' | 'replace';
  /** Columns that name users, who may have other ids in the other cell. */
  readonly users?: readonly string[];
  /** Columns that an erasure of a person may have changed in rows that are only added otherwise. */
  readonly amended?: readonly string[];
  /** Of a table of accounts: the column that says whose. */
  readonly account?: string;
  /**
   * How what grows with the workspace's history is sent; all else is sent whole each time. changes: once it was sent, only what has
   * changed since is. slices: likewise, and its rows land as they come.
   */
  readonly sends?: 'changes' | 'slices';
  /** Of rows that are sent in slices: they are deleted in the course of things, so what is gone here goes there. */
  readonly ends?: true;
  /** Columns that follow from what lands, and are not replaced. */
  readonly follows?: readonly string[];
}

/** SQL for the rows of the workspace $1. */
export function rowsOf({ where = 'workspace_id = $1' }: MovedTable): string {
  return where;
}

/** The users that a workspace's rows name. */
const PEOPLE = `(
  select user_id from members where workspace_id = $1
  union select created_by from keys where workspace_id = $1
  union select user_id from member_limits where workspace_id = $1
  union select user_id from directory_users where workspace_id = $1
  union select user_id from directory_leavers where workspace_id = $1
  union select user_id from access_tokens where workspace_id = $1
)`;

/** What comes along, in an order in which each row finds those that it refers to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    table: 'users',
    columns: 'id email email_verified_at name password_hash is_operator disabled_at created_at version erased_at',
    key: { id: 'uuid' },
    where: `id in ${PEOPLE}`,
    // An operator of one cell is none of another for that.
    sent: { is_operator: 'false' },
    on: 'append',
    account: 'id',
  },
  {
    table: 'authenticators',
    columns: 'user_id secret created_at confirmed_at last_step encrypted_secret',
    key: { user_id: 'uuid' },
    where: `user_id in ${PEOPLE}`,
    on: 'append',
    account: 'user_id',
  },
  {
    table: 'recovery_codes',
    columns: 'user_id code_sha256 used_at',
    key: { user_id: 'uuid', code_sha256: 'bytea' },
    where: `user_id in ${PEOPLE}`,
    on: 'append',
    account: 'user_id',
  },
  {
    table: 'user_identities',
    columns: 'issuer subject user_id created_at',
    key: { issuer: 'text', subject: 'text' },
    where: `user_id in ${PEOPLE}`,
    on: 'append',
    account: 'user_id',
  },
  {
    table: 'workspaces',
    columns:
      'id name created_at archived_at version suspended_at suspension_reason closing_at member_monthly_limit_nano_usd owner_suspended_at billing_name billing_address billing_tax_id',
    left: ['moved_to', 'paused_at'],
    key: { id: 'uuid' },
    where: 'id = $1',
    on: 'upsert',
  },
  {
    table: 'members',
    columns: 'workspace_id user_id role created_at version',
    key: { user_id: 'uuid' },
    on: 'replace',
    users: ['user_id'],
  },
  {
    table: 'projects',
    columns:
      'workspace_id id name requests_per_minute tokens_per_minute concurrency budget_nano_usd budget_period models created_at archived_at version member_key_spend_limit_nano_usd member_keys_max reports_cost raised_limit_nano_usd raised_until end_user_limit_nano_usd end_user_period session_limit_nano_usd model_when_spent',
    key: { id: 'uuid' },
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'end_user_limits',
    columns: 'workspace_id project_id id name limit_nano_usd raised_limit_nano_usd raised_until created_at',
    key: { project_id: 'uuid', id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'keys',
    columns:
      'workspace_id id project_id name public_id last_four secret_sha256 spend_limit_nano_usd models expires_at revoked_at created_at version disabled_at metadata created_by kind allowed_networks raised_limit_nano_usd raised_until',
    key: { id: 'uuid' },
    on: 'upsert',
    users: ['created_by'],
    sends: 'changes',
  },
  {
    table: 'former_secrets',
    columns: 'workspace_id key_id public_id last_four secret_sha256 expires_at',
    key: { key_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'access_tokens',
    columns:
      'workspace_id id user_id name secret_sha256 last_four scopes created_at expires_at last_used_at revoked_at',
    key: { id: 'uuid' },
    on: 'replace',
    users: ['user_id'],
  },
  {
    table: 'member_limits',
    columns: 'workspace_id user_id id monthly_limit_nano_usd raised_limit_nano_usd raised_until',
    key: { id: 'uuid' },
    on: 'replace',
    users: ['user_id'],
  },
  {
    table: 'directories',
    columns: 'workspace_id secret_sha256 last_four created_by created_at last_used_at',
    key: { workspace_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'directory_users',
    columns:
      'workspace_id id user_id user_name external_id display_name given_name family_name active created_at changed_at',
    key: { id: 'uuid' },
    on: 'replace',
    users: ['user_id'],
  },
  {
    table: 'directory_groups',
    columns: 'workspace_id id display_name external_id created_at changed_at',
    key: { id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'directory_group_members',
    columns: 'workspace_id group_id directory_user_id',
    key: { group_id: 'uuid', directory_user_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'directory_leavers',
    columns: 'workspace_id user_id left_at',
    key: { user_id: 'uuid' },
    on: 'replace',
    users: ['user_id'],
  },
  {
    table: 'workspace_access',
    columns:
      'workspace_id issuer client_id encrypted_client_secret trusts_addresses groups_claim group_roles default_role only_openid second_factor allowed_networks version ends_leavers_keys',
    key: { workspace_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'workspace_domains',
    columns: 'workspace_id domain token proven_at proven_by created_at',
    key: { domain: 'text' },
    on: 'replace',
  },
  {
    table: 'price_adjustments',
    columns: 'workspace_id id model basis_points started_at ended_at',
    key: { id: 'uuid' },
    on: 'upsert',
  },
  {
    // Those of the workspace. Receipts name them; what is paid from now on follows from the prices of the other cell.
    table: 'price_versions',
    columns: 'id model version terms created_at retired_at workspace_id list_id adjustment_id',
    key: { id: 'bigint' },
    sent: { retired_at: 'coalesce(t.retired_at, now())' },
    on: 'append',
  },
  {
    table: 'alert_rules',
    columns: 'workspace_id id name kind threshold subject_id mail_roles mail_to enabled version created_at',
    key: { id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'alerts',
    columns:
      'workspace_id id rule_id kind subject_kind subject_id subject_name window_start window_end summary threshold value_nano_usd limit_nano_usd raised_at seen_at resolved_at url',
    key: { id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'alert_watches',
    columns: 'workspace_id credited_nano_usd spent_nano_usd looked_at marks defaults_version',
    key: { workspace_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'webhook_endpoints',
    columns:
      'workspace_id id url description enabled secret former_secret former_until version created_at encrypted_secret encrypted_former_secret',
    key: { id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'recurring_grants',
    columns:
      'workspace_id id amount_nano_usd period expires_with_period expires_after_days reason actor next_at created_at ended_at',
    key: { id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'ledger_postings',
    columns: 'id workspace_id kind actor reason posted_at number balance_nano_usd once receipt_request_id',
    key: { id: 'uuid' },
    on: 'append',
    amended: ['actor'],
    sends: 'changes',
  },
  {
    table: 'ledger_entries',
    columns: 'workspace_id posting_id account amount_nano_usd',
    key: { posting_id: 'uuid', account: 'text' },
    on: 'append',
    sends: 'changes',
  },
  {
    table: 'purses',
    columns:
      'id workspace_id kind subject_id period window_start window_end limit_nano_usd opening_nano_usd spent_nano_usd leased_nano_usd owed_nano_usd mode corrected_nano_usd raised_limit_nano_usd raised_until shut project_id',
    key: { id: 'bigint' },
    // Leases end with the stay in a cell. What is spent begins with what there are no receipts of, and follows from those that land.
    sent: {
      spent_nano_usd: 't.opening_nano_usd',
      leased_nano_usd: '0',
      mode: "'wet'",
      shut: "t.kind = 'credit'",
    },
    on: 'upsert',
    sends: 'changes',
    follows: ['spent_nano_usd'],
  },
  {
    table: 'purse_corrections',
    columns: 'posting_id purse_id amount_nano_usd',
    key: { posting_id: 'uuid', purse_id: 'bigint' },
    where: 'purse_id in (select id from purses where workspace_id = $1)',
    on: 'append',
    sends: 'changes',
  },
  {
    table: 'expiring_grants',
    columns:
      'workspace_id posting_id expires_at given_at amount_nano_usd rest_nano_usd expired_nano_usd other_nano_usd recurring_id looked_at ended_at',
    key: { posting_id: 'uuid' },
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'grant_counts',
    columns: 'workspace_id charged_nano_usd other_nano_usd',
    key: { workspace_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'top_ups',
    columns:
      'workspace_id id provider origin state posting_kind amount_nano_usd fee_nano_usd saves_method actor once checkout_reference checkout_url expires_at payment_reference posting_id failure created_at updated_at tax_nano_usd',
    key: { id: 'uuid' },
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'payment_reversals',
    columns:
      'provider kind reference payment_reference amount_nano_usd state counted workspace_id top_up_id created_at updated_at',
    key: { provider: 'text', kind: 'text', reference: 'text' },
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'payment_settings',
    columns:
      'workspace_id version provider customer_reference auto_enabled auto_threshold_nano_usd auto_amount_nano_usd auto_month_max_nano_usd auto_consent_by auto_consent_at auto_failures auto_failed_at auto_stop auto_stopped_at auto_noticed_at recovery_top_up_id auto_month_noticed_at',
    key: { workspace_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'free_answers',
    columns: 'workspace_id project_id hour cost_nano_usd',
    key: { project_id: 'uuid' },
    on: 'replace',
  },
  {
    table: 'creations',
    columns: 'scope_id once kind request_sha256 target_id created_at',
    key: { once: 'text' },
    where: 'scope_id = $1',
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'audit_redactions',
    columns: 'event_id event_sha256 by_event',
    left: ['number'],
    key: { number: 'bigint' },
    where: 'event_id in (select event_id from audit_links where scope_id = $1)',
    on: 'append',
  },
  {
    table: 'audit_links',
    columns: 'scope_id position event_id event_sha256 chain_sha256',
    key: { position: 'bigint' },
    where: 'scope_id = $1',
    on: 'append',
    sends: 'changes',
  },
  {
    table: 'audit_events',
    columns:
      'id workspace_id at actor_kind user_id actor_name action target_kind target_id target_name before after address request_id',
    key: { id: 'uuid' },
    on: 'append',
    amended: ['actor_name', 'target_name', 'before', 'after', 'address'],
    sends: 'changes',
  },
  {
    table: 'audit_chains',
    columns: 'scope_id length chain_sha256 dropped_to dropped_by',
    key: { scope_id: 'uuid' },
    where: 'scope_id = $1',
    on: 'upsert',
  },
  {
    table: 'refusals',
    columns:
      'request_id workspace_id project_id key_id refused_at code status endpoint model param retry_after_ms shortage rate',
    key: { request_id: 'uuid' },
    on: 'append',
    sends: 'slices',
  },
  {
    table: 'unrecorded_refusals',
    columns: 'workspace_id hour requests',
    key: { hour: 'timestamptz' },
    on: 'upsert',
    sends: 'changes',
  },
  {
    table: 'idempotent_requests',
    columns:
      'workspace_id key_id idempotency_key body_sha256 epoch_id request_id claimed_at completed_at answer superseded_request_id',
    key: { key_id: 'uuid', idempotency_key: 'text' },
    // A repeat of what is left out is refused, and not charged again.
    sent: { answer: 'case when octet_length(t.answer) <= 65536 then t.answer end' },
    on: 'upsert',
    sends: 'slices',
    ends: true,
  },
  {
    table: 'stored_responses',
    columns: 'request_id workspace_id response_id previous_request_id expires_at items input_length response encrypted',
    key: { request_id: 'uuid' },
    where: 'workspace_id = $1 and octet_length(items) + octet_length(response) <= 65536',
    on: 'upsert',
    sends: 'slices',
    ends: true,
  },
  {
    table: 'stored_response_items',
    columns: 'workspace_id item_id request_id starts_at length',
    key: { item_id: 'text', request_id: 'uuid' },
    where: `workspace_id = $1 and request_id in (
      select request_id from stored_responses where workspace_id = $1 and octet_length(items) + octet_length(response) <= 65536
    )`,
    on: 'append',
    sends: 'slices',
  },
  {
    table: 'workspace_sinks',
    columns:
      'workspace_id sink records sample_percent redact version changed_at receipts_from audit_position lost_records last_lost_at',
    key: { sink: 'text' },
    on: 'replace',
  },
  {
    table: 'receipts',
    columns:
      'workspace_id request_id project_id key_id epoch_id credit_purse_id project_purse_id key_purse_id dialect model price_version_id outcome charge_nano_usd hold_nano_usd write_off_nano_usd fees_nano_usd usage_certainty input_tokens cached_input_tokens cache_write_5m_tokens cache_write_1h_tokens audio_input_tokens output_tokens audio_output_tokens shortened_to_tokens streamed admitted_at duration_ms first_event_ms attempts client_request_id settled_at late superseded_by provider upstream_model attempt_ms session left_out retry uses member_purse_id service_tier requested_model end_user_purse_id session_purse_id affinity affinity_missed',
    // Of the database that counts them.
    left: ['settled_xid'],
    key: { request_id: 'uuid' },
    on: 'append',
    sends: 'slices',
  },
];

/** What both cells have to have in common: the tables and columns that come along. */
export const MOVED_DIGEST = createHash('sha256').update(JSON.stringify(MOVED_TABLES)).digest('hex');

/** What is a workspace's and stays, or is made again, and why. */
export const STAYING_TABLES: Readonly<Record<string, string>> = {
  arrivals: 'what arrives is not there yet',
  arriving_rows: 'what arrives is not there yet',
  invitations: 'open ones end: their links lead to the console that sent them',
  leases: 'all are back before the last rows are copied, and charges are spent',
  notices: 'those that wait are sent by the cell that wrote them',
  one_time_links: 'they lead to the console that sent them',
  partition_totals: 'of receipts that were sealed; a workspace with dropped ones does not move',
  passkeys: 'they are bound to the name of the console',
  payment_events: 'by which a cell knows the events of payments that it has received',
  proof_corrections: 'of a proof that runs',
  proof_purses: 'of a proof that runs',
  proof_sealed_totals: 'of a proof that runs',
  proof_workspaces: 'of a proof that runs',
  rate_buckets: 'limits of rates begin with full buckets',
  rate_leases: 'limits of rates begin with full buckets',
  redemption_codes: 'those that were redeemed are top-ups; all belong to batches of the cell',
  sessions: 'people sign in at each console',
  sign_in_networks: 'people sign in at each console',
  stored_response_bytes: 'counted from the responses that come along',
  usage_days: 'counted there from the receipts',
  usage_hours: 'counted there from the receipts',
  usage_key_days: 'counted there from the receipts',
  usage_key_hours: 'counted there from the receipts',
  usage_key_months: 'counted there from the receipts',
  usage_keys: 'counted there from the receipts',
  usage_member_days: 'counted there from the receipts',
  workspace_moves: 'of each cell',
  departing_rows: 'on their way',
};
