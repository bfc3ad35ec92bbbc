set local check_function_bodies = off;

create table if not exists schema_migrations (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
create table if not exists schema_functions (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
create table if not exists schema_files (
  kind text not null check (kind in ('migration', 'function')),
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now(),
  primary key (kind, name)
);
create table if not exists schema_programs (
  digest text primary key,
  version text not null
);
insert into schema_files (kind, name, sha256, applied_at)
  select record.kind, record.name, record.sha256, record.applied_at from (
    select 'migration' as kind, name, sha256, applied_at from schema_migrations
    union all select 'function', name, sha256, applied_at from schema_functions
  ) record
  where not exists (select from schema_files);

-- The tables, types and indexes of version 1. Later migrations change them; schema.sql shows the result.
--
-- Amounts are whole nano-USD in a bigint. Times are timestamptz, windows are UTC. Rows of a workspace lead with its id.

-- Tables name these functions. The files of functions/ define them, and replace these in the same transaction.
create function fresh_id() returns bigint language plpgsql as $$ begin raise exception 'only declared'; end $$;
create function ledger_is_append_only() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create function ledger_posting_balances() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;

-- Counts the last bits of ids that must never mean two things, even after a failover: see fresh_id.
create sequence fresh_ids as bigint;

-- Who may spend: workspaces, their projects, their keys ---------------------------------------------------------------

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
-- The name of an archived workspace is free again.
create unique index workspaces_name on workspaces (name) where archived_at is null;

create table projects (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  name text not null,
  -- Limits; null: none.
  requests_per_minute integer check (requests_per_minute > 0),
  tokens_per_minute bigint check (tokens_per_minute > 0),
  concurrency integer check (concurrency > 0),
  budget_nano_usd bigint check (budget_nano_usd >= 0),
  budget_period text not null default 'month' check (budget_period in ('day', 'week', 'month', 'never')),
  -- The models that its keys may use; null: all.
  models text[],
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (workspace_id, id)
);
create unique index projects_name on projects (workspace_id, name) where archived_at is null;

create table keys (
  workspace_id uuid not null,
  id uuid not null unique,
  project_id uuid not null,
  name text not null,
  -- What is shown of the secret: the part that names the key, and its end.
  public_id text not null unique,
  last_four text not null,
  -- The secret itself is not kept. It is random and long, so a plain hash can't be searched.
  secret_sha256 bytea not null unique,
  -- For each month; null: none.
  spend_limit_nano_usd bigint check (spend_limit_nano_usd >= 0),
  models text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);
-- In the order of their ids, so that a page of a project's keys is read by index alone.
create index keys_project on keys (workspace_id, project_id, id);

-- Who spends: processes ------------------------------------------------------------------------------------------------

-- One life of one process. Once it is fenced it may not move money any more.
create table epochs (
  id bigint primary key default fresh_id(),
  -- The data directory of the process. The next process on it fences the epochs that former ones have left.
  instance_id uuid not null,
  process_name text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  fenced_at timestamptz,
  -- All its leases have been given back.
  reaped_at timestamptz,
  -- How long it may be silent before others may fence it. Each process says so itself.
  timeout_ms integer not null default 30000 check (timeout_ms > 0)
);
create index epochs_unreaped on epochs (instance_id) where reaped_at is null;

-- What may be spent: purses, and leases of them ------------------------------------------------------------------------

-- One bounded amount: a workspace's credit, a project's window, a key's month. available = limit − spent − leased.
create table purses (
  id bigint primary key default fresh_id(),
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('credit', 'project', 'key')),
  -- The workspace, project or key.
  subject_id uuid not null,
  -- The window; 'never' has no end.
  period text not null check (period in ('day', 'week', 'month', 'never')),
  window_start timestamptz not null,
  window_end timestamptz,
  -- Null: unlimited. Of a credit purse: all credit ever posted.
  limit_nano_usd bigint,
  -- What its window had been charged in purses of another period, when it was opened. It is part of spent.
  opening_nano_usd bigint not null default 0,
  -- The opening, and the charges of leases that are gone.
  spent_nano_usd bigint not null default 0,
  -- The grants of leases that are not open, their charges included.
  leased_nano_usd bigint not null default 0,
  -- What disputes and corrections took beyond the credit. The next top-up repays it first.
  owed_nano_usd bigint not null default 0 check (owed_nano_usd >= 0),
  -- wet: slices are leased ahead of need; dry: exactly what is needed.
  mode text not null default 'wet' check (mode in ('wet', 'dry')),
  -- What corrections of receipts gave back, or took if negative. The receipts' charges stay in spent; used = spent −
  -- corrected. Credit purses have none: there a correction moves the limit.
  corrected_nano_usd bigint not null default 0,
  unique (workspace_id, kind, subject_id, period, window_start),
  constraint purses_spent_not_negative check (spent_nano_usd >= 0 and leased_nano_usd >= 0),
  constraint purses_credit_is_limited check (kind <> 'credit' or limit_nano_usd is not null),
  -- The last line of defence: whatever a program does, no credit is spent twice.
  constraint purses_credit_never_overdrawn
    check (kind <> 'credit' or spent_nano_usd + leased_nano_usd <= limit_nano_usd)
);

-- A slice of a purse that one epoch has drawn.
create table leases (
  epoch_id bigint not null references epochs (id),
  purse_id bigint not null references purses (id),
  -- All it was ever given, less what it returned. Charges are inside it.
  granted_nano_usd bigint not null default 0,
  -- What settled receipts have taken.
  charged_nano_usd bigint not null default 0,
  -- The purse had no limit when it was drawn: the lease has no bound, and is not part of the purse's leased.
  open boolean not null default false,
  -- The number of the last draw or return that was applied, so that a repeat changes nothing.
  sequence bigint not null default 0,
  primary key (epoch_id, purse_id),
  constraint leases_charged_within_grant
    check (charged_nano_usd >= 0 and granted_nano_usd >= 0 and (open or charged_nano_usd <= granted_nano_usd))
);
create index leases_purse on leases (purse_id);

-- What each project has had, in the latest hour in which it had any, of answers that conformed to no schema and that it
-- didn't pay for.
create table free_answers (
  workspace_id uuid not null,
  project_id uuid not null,
  hour timestamptz not null,
  cost_nano_usd bigint not null check (cost_nano_usd >= 0),
  primary key (workspace_id, project_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id)
);

-- How fast: rate limits ------------------------------------------------------------------------------------------------

-- A limit of n a minute is a bucket of n permits, each of 60,000 parts, that regains n parts a millisecond: whole numbers,
-- so that a wait is exact. It is kept once for all processes, which draw permits into their stock. Stock counts as if it
-- still lay in the bucket, which is never fuller than n less all stock, so that no stretch of time sees more than n + what
-- is regained in it, whichever process lets the requests through. Stock of a fenced epoch doesn't count: it regenerates.
create table rate_buckets (
  workspace_id uuid not null,
  project_id uuid not null,
  -- Null: full. Below zero if answers took more tokens than they were quoted.
  request_parts bigint,
  token_parts bigint,
  -- The time of these figures, by the database's clock.
  refilled_ms bigint not null default 0,
  -- When processes were last told to give their stock back.
  called_back_ms bigint not null default 0,
  primary key (workspace_id, project_id),
  foreign key (workspace_id, project_id) references projects (workspace_id, id) on delete cascade
);

-- What one epoch has in stock, as of its last draw, and how many requests run in it.
create table rate_leases (
  workspace_id uuid not null,
  project_id uuid not null,
  epoch_id bigint not null references epochs (id) on delete cascade,
  -- The number of the last draw that was applied; with `granted`, the reply to a repeat of it.
  sequence bigint not null default 0,
  requests bigint not null default 0,
  tokens bigint not null default 0,
  slots bigint not null default 0,
  running bigint not null default 0,
  granted boolean[] not null default '{}',
  -- Requests let through in this minute, counted from 1970, and in the one before.
  minute bigint not null default 0,
  taken bigint not null default 0,
  taken_before bigint not null default 0,
  -- An index on the epoch alone would seem as good, as long as an epoch seems to have few rows.
  primary key (epoch_id, workspace_id, project_id),
  foreign key (workspace_id, project_id) references rate_buckets (workspace_id, project_id) on delete cascade
);
create index rate_leases_project on rate_leases (workspace_id, project_id);

-- What was sold: prices and receipts -----------------------------------------------------------------------------------

-- Terms on which a model is sold. A row never changes but for its retirement; receipts name the one that applied.
create table price_versions (
  id bigint primary key default fresh_id(),
  model text not null,
  version integer not null,
  terms jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  unique (model, version)
);
create unique index price_versions_active on price_versions (model) where retired_at is null;

-- One row for each request that reached an attempt. request_id is a UUIDv7, so partitions go by its time. It has no foreign
-- keys and no other index: both would cost each settlement more than a look-up is worth.
create table receipts (
  workspace_id uuid not null,
  request_id uuid not null,
  project_id uuid not null,
  key_id uuid not null,
  epoch_id bigint not null,
  credit_purse_id bigint not null,
  project_purse_id bigint not null,
  key_purse_id bigint not null,
  -- The API that the caller spoke, whatever the route spoke.
  dialect text not null,
  model text not null,
  price_version_id bigint not null,
  outcome text not null,
  charge_nano_usd bigint not null,
  hold_nano_usd bigint not null,
  -- What the operator bears: cost above the hold, or above what the purses of a late receipt still had.
  write_off_nano_usd bigint not null,
  -- The part of charge and write-off that is for uses, such as searches, and not for tokens.
  fees_nano_usd bigint not null default 0,
  usage_certainty text not null,
  -- Disjoint classes: a token is counted in exactly one of them.
  input_tokens integer not null,
  cached_input_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  audio_input_tokens integer not null,
  output_tokens integer not null,
  audio_output_tokens integer not null,
  -- The output cap that the money covered, if it was lowered for it.
  shortened_to_tokens integer,
  streamed boolean not null,
  -- Decides the windows that are charged; settled_at is when the row was written.
  admitted_at timestamptz not null,
  duration_ms integer not null,
  first_event_ms integer,
  attempts jsonb not null,
  -- The caller's own x-request-id.
  client_request_id text,
  settled_at timestamptz not null default now(),
  -- Charged after its epoch was fenced or its lease was gone: what its purses still had was taken, the rest written off.
  late boolean not null default false,
  -- On a late receipt: the request that its idempotency key belonged to by then. It charges nothing.
  superseded_by uuid,
  primary key (workspace_id, request_id),
  -- One constraint, because each statement that inserts receipts compiles each constraint again, which costs a batch as
  -- much as some of its receipts.
  constraint receipts_are_sound check (
    charge_nano_usd >= 0 and hold_nano_usd >= charge_nano_usd and write_off_nano_usd >= 0
    and fees_nano_usd >= 0 and fees_nano_usd - charge_nano_usd <= write_off_nano_usd
    and usage_certainty = any ('{exact,estimated}')
  )
) partition by range (request_id);
-- Holds rows whose own partition is missing, so that no charge is lost for want of one.
create table receipts_default partition of receipts default;

-- Receipts that the database refused for good, as the process wrote them. An operator must look at them.
create table quarantined_receipts (
  id bigint generated always as identity primary key,
  request_id text not null,
  receipt text not null,
  reason text not null,
  quarantined_at timestamptz not null default now()
);
create unique index quarantined_receipts_request on quarantined_receipts (request_id);

-- Partitions of the receipts that take no more rows. Their totals stand for them in every proof, so that they may be
-- dropped.
create table sealed_partitions (
  name text primary key,
  from_id uuid not null,
  -- No receipt with an id below this is taken any more.
  up_to uuid not null,
  receipts bigint not null,
  write_off_nano_usd numeric not null,
  sealed_at timestamptz not null default now(),
  dropped_at timestamptz
);
create unique index sealed_partitions_up_to on sealed_partitions (up_to);

create table partition_totals (
  partition text not null references sealed_partitions (name),
  purse_id bigint not null references purses (id),
  receipts bigint not null,
  charge_nano_usd numeric not null,
  primary key (partition, purse_id)
);
create index partition_totals_purse on partition_totals (purse_id);

-- What was answered: idempotency keys ----------------------------------------------------------------------------------

-- Requests that were sent with an Idempotency-Key. A claim belongs to the epoch that runs the request; one whose epoch is
-- fenced may be taken over. The answer is stored in the transaction that settles the request.
create table idempotent_requests (
  workspace_id uuid not null,
  key_id uuid not null,
  idempotency_key text not null,
  -- Null on a completed request whose claim a failover lost: any body counts as a repeat.
  body_sha256 bytea,
  epoch_id bigint not null,
  request_id uuid not null,
  claimed_at timestamptz not null default now(),
  completed_at timestamptz,
  -- Null on a completed request: its answer was too large to keep.
  answer bytea,
  -- The request that lost this claim because its process was declared dead. Its late receipt charges nothing.
  superseded_request_id uuid,
  primary key (workspace_id, key_id, idempotency_key)
);
create index idempotent_requests_claimed on idempotent_requests (claimed_at);

-- Claims that were given up while their outcome was unknown. A claim statement that arrives after this has no effect.
create table cancelled_claims (
  request_id uuid primary key,
  cancelled_at timestamptz not null default now()
);
create index cancelled_claims_cancelled on cancelled_claims (cancelled_at);

-- Where credit comes from: the ledger ----------------------------------------------------------------------------------

-- Double entry: credit that comes and goes by hand. Usage is not posted; receipts prove it. Rows never change.
create table ledger_postings (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('top_up', 'grant', 'refund', 'dispute', 'adjustment')),
  actor text not null,
  reason text not null,
  posted_at timestamptz not null default now(),
  -- The order in which postings moved their purse. Times don't tell it, as transactions wait for each other.
  number bigint not null generated always as identity,
  -- The workspace's balance that it led to.
  balance_nano_usd bigint not null,
  -- A caller's name for the posting, under which it is made only once.
  once text,
  -- The receipt that it corrects.
  receipt_request_id uuid,
  constraint ledger_postings_corrections_adjust check (receipt_request_id is null or kind = 'adjustment')
);
create unique index ledger_postings_number on ledger_postings (workspace_id, number);
create unique index ledger_postings_once on ledger_postings (workspace_id, once) where once is not null;
create index ledger_postings_receipt on ledger_postings (workspace_id, receipt_request_id)
  where receipt_request_id is not null;
create trigger ledger_postings_append_only before update or delete on ledger_postings
  for each statement execute function ledger_is_append_only();

-- The lines of a posting, which sum to zero.
create table ledger_entries (
  workspace_id uuid not null,
  posting_id uuid not null references ledger_postings (id),
  account text not null check (account in ('credit', 'owed', 'payments', 'promotions', 'adjustments')),
  amount_nano_usd bigint not null check (amount_nano_usd <> 0),
  primary key (posting_id, account)
);
create index ledger_entries_workspace on ledger_entries (workspace_id);
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_posting_balances();
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each statement execute function ledger_is_append_only();

-- What the correction of a receipt gave back to the project's and the key's purse.
create table purse_corrections (
  posting_id uuid not null references ledger_postings (id),
  purse_id bigint not null references purses (id),
  amount_nano_usd bigint not null check (amount_nano_usd <> 0),
  primary key (posting_id, purse_id)
);
create index purse_corrections_purse on purse_corrections (purse_id);
create trigger purse_corrections_append_only before update or delete on purse_corrections
  for each statement execute function ledger_is_append_only();

-- Postings with what they moved.
create view postings as
  select p.workspace_id, p.id, p.kind, p.actor, p.reason, p.once, p.receipt_request_id, p.balance_nano_usd, p.posted_at,
    p.number, (
      select coalesce(sum(e.amount_nano_usd), 0)::bigint from ledger_entries e
      where e.posting_id = p.id and e.account in ('credit', 'owed')
    ) as amount_nano_usd
  from ledger_postings p;

-- Proofs of the whole ledger, by the nightly job and by people.
create table ledger_verifications (
  id bigint generated always as identity primary key,
  -- The night whose proof it is; null if a person asked for it.
  night timestamptz unique,
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  difference_count bigint not null,
  -- The first differences, as the report names them.
  differences jsonb not null
);
create index ledger_verifications_started on ledger_verifications (started_at);

-- What processes must know within a second -----------------------------------------------------------------------------

-- Read by transaction horizon, so that a late commit isn't missed.
create table changes (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('workspace', 'project', 'key', 'purse', 'catalogue', 'rate')),
  subject_id text not null,
  changed_at timestamptz not null default now()
);
create index changes_transaction on changes (transaction_id);

-- Types of what functions take and return ------------------------------------------------------------------------------

-- One purse of a draw.
create type draw_request as (
  ordinal integer,
  workspace_id uuid,
  kind text,
  subject_id uuid,
  period text,
  window_start timestamptz,
  window_end timestamptz,
  sequence bigint,
  keep bigint,
  slack bigint,
  needs bigint[],
  ahead bigint,
  -- The process doesn't know whether it has a lease: only a new one is drawn, an existing one stays.
  is_first boolean,
  -- The purse's id if it is open already.
  purse bigint
);

-- A receipt whose leases or claim are gone, with the windows by which its purses are found if their ids are gone too.
create type late_receipt as (
  workspace uuid, request uuid, project uuid, key uuid,
  credit_purse bigint, project_purse bigint, key_purse bigint,
  project_period text, project_start timestamptz, project_end timestamptz,
  key_period text, key_start timestamptz, key_end timestamptz,
  dialect text, model text, price_version bigint, outcome text,
  charge bigint, hold bigint, write_off bigint, fees bigint, certainty text,
  input integer, cached_input integer, cache_write_5m integer, cache_write_1h integer,
  audio_input integer, output integer, audio_output integer,
  shortened integer, streamed boolean, admitted_ms double precision, duration_ms integer,
  first_event_ms integer, attempts jsonb, client_request text,
  idempotency_key text,
  -- Whether the answer is whole, which completes the claim.
  whole boolean
);

-- The result of a posting:
--   posted, repeated                      it is made, now or before
--   other_once                            another was made under the same name, which is returned
--   unchanged                             a correction to what is charged already
--   above_disputes, above_payments        refused; most_nano_usd is the most that could be posted
--   no_workspace, nothing, wrong_way, beyond_count    refused
create type posted as (outcome text, posting postings, most_nano_usd bigint);

-- A receipt names the transaction that settled it, so that all receipts of one snapshot can be read in slices, without a
-- snapshot that is held. Null: settled before there was this column, so every snapshot from then on shows it. The default
-- comes in a step of its own, so that no table is rewritten.
alter table receipts add column settled_xid xid8;
alter table receipts alter column settled_xid set default pg_current_xact_id();

-- The working tables of a proof: what one snapshot shows, and what is added up from slices of receipts. Their rows mean
-- nothing once the proof has ended.
create unlogged table proof_totals (
  proof_id uuid primary key,
  postings bigint not null,
  receipts numeric not null,
  write_offs_nano_usd numeric not null
);
create unlogged table proof_workspaces (
  id uuid not null,
  credit_nano_usd numeric not null,
  charges_nano_usd numeric not null,
  balance_nano_usd numeric not null,
  owed_nano_usd numeric not null
);
-- Not unique: a workspace with two purses of credit is for the proof to find.
create index proof_workspaces_id on proof_workspaces (id);
create unlogged table proof_purses (
  id bigint primary key,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  charges_nano_usd numeric not null,
  spent_nano_usd numeric not null
);
create unlogged table proof_sealed_totals (
  partition text not null,
  purse_id bigint not null,
  sealed_nano_usd numeric not null,
  counted_nano_usd numeric not null,
  primary key (partition, purse_id)
);
create unlogged table proof_corrections (
  workspace_id uuid not null,
  request_id uuid not null,
  given_nano_usd numeric not null,
  primary key (workspace_id, request_id)
);

-- The lines of a backup that one snapshot shows, until they are read. They mean nothing once the backup has ended.
create unlogged table backup_lines (
  backup_id uuid not null,
  table_name text not null,
  number bigint not null,
  line text not null,
  primary key (table_name, number)
);

-- Every change that a person, a program or a job makes to what an instance keeps, written in the transaction that makes it.
-- Rows never change.
create table audit_events (
  id uuid primary key,
  -- Null: it concerns the whole instance, or a user's own account.
  workspace_id uuid references workspaces (id),
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('operator', 'session', 'access_token', 'job')),
  -- The user; null for operator tokens and jobs.
  user_id uuid,
  -- The user's email address at that time, or the name of the token or job.
  actor_name text not null,
  -- A resource and a verb, such as 'project.update'.
  action text not null,
  target_kind text not null,
  target_id text not null,
  target_name text,
  -- The fields that changed, as they were and as they are. Null: there was nothing before, or is nothing after.
  before jsonb,
  after jsonb,
  -- The caller's network address, and the x-request-id of the request.
  address text,
  request_id uuid
);
-- In the order of their ids, so that a page of a workspace's events is read by index alone.
create index audit_events_workspace on audit_events (workspace_id, id);
create index audit_events_target on audit_events (target_id, id);
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function ledger_is_append_only();

-- A receipt names the route of its last attempt in columns, and has its attempts only if they say more than these: several
-- attempts, a failed one, a strategy, or usage that was charged apart. Receipts from before have their attempts, and no
-- columns.
alter table receipts
  add column provider text,
  add column upstream_model text,
  -- How long the last attempt took; duration_ms is the whole request.
  add column attempt_ms integer,
  alter column attempts drop not null;
alter type late_receipt
  add attribute provider text,
  add attribute upstream_model text,
  add attribute attempt_ms integer;

-- Alerts: what is watched, what was crossed, and the notices that are sent about it. The nil id in place of a workspace's
-- stands for the instance: those rows are the operator's.

create table alert_rules (
  workspace_id uuid not null,
  id uuid not null unique,
  name text not null,
  kind text not null check (kind in (
    'balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'provider_key_refused', 'ledger_difference'
  )),
  -- Nano-USD of a balance, days of a runway, percent of all shares. Null: there is nothing to compare.
  threshold bigint check (threshold > 0),
  -- The one project or key that it is about; null: each.
  subject_id uuid,
  -- Mails go to members with these roles, and to these addresses.
  mail_roles text[] not null,
  mail_to text[] not null,
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint alert_rules_compare_or_not
    check ((kind in ('provider_key_refused', 'ledger_difference')) = (threshold is null))
);

-- Crossings. One that is not resolved keeps its rule from firing again for the same subject and window.
create table alerts (
  workspace_id uuid not null,
  id uuid not null unique,
  rule_id uuid not null,
  kind text not null,
  -- What has crossed the threshold, with its name at that time.
  subject_kind text not null check (subject_kind in ('workspace', 'project', 'key', 'provider', 'ledger')),
  subject_id text not null,
  subject_name text not null,
  -- The window of the budget or limit; the beginning of time if there is none.
  window_start timestamptz not null default '-infinity',
  window_end timestamptz,
  -- The sentence that people read.
  summary text not null,
  threshold bigint,
  value_nano_usd bigint,
  limit_nano_usd bigint,
  raised_at timestamptz not null default now(),
  -- When a process last found it so; only of what processes learn by themselves.
  seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (workspace_id, id)
);
create unique index alerts_open on alerts (workspace_id, rule_id, subject_id, window_start) where resolved_at is null;
create index alerts_ending on alerts (window_end) where resolved_at is null and window_end is not null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;

-- What the watch knew of each workspace when it last looked: while these sums stand still, so does everything else.
create table alert_watches (
  workspace_id uuid primary key,
  credited_nano_usd numeric not null,
  spent_nano_usd numeric not null,
  -- The beginning of time: something else than money has changed, such as a rule.
  looked_at timestamptz not null,
  -- What had been spent at moments a day apart, the oldest a week ago: [milliseconds, digits of nano-USD], in their order.
  marks jsonb not null
);

create table webhook_endpoints (
  workspace_id uuid not null,
  id uuid not null unique,
  url text not null,
  description text not null,
  enabled boolean not null default true,
  -- Known to both sides: whoever signs needs it, so it is not hashed.
  secret text not null,
  -- The one before, which signs too until then.
  former_secret text,
  former_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- The outbox: one row for each mail and each webhook delivery, written in the transaction of what it is about.
create table notices (
  workspace_id uuid not null,
  -- Also what receivers know it by, at each attempt.
  id uuid not null unique,
  -- The sender's name for it: a repetition queues nothing.
  once text,
  channel text not null check (channel in ('mail', 'webhook')),
  endpoint_id uuid,
  -- An address, or the URL at the time.
  recipient text not null,
  -- Of a mail.
  subject text,
  html text,
  -- A mail's text, or a webhook's body as it is signed. Null: it was erased.
  body text,
  -- It holds what only its recipient may know, and is erased once it is sent or given up.
  is_secret boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  -- How often it was claimed for sending.
  attempts integer not null default 0,
  -- While it is claimed: when the claim lapses.
  next_attempt_at timestamptz not null default now(),
  give_up_at timestamptz not null default now() + interval '24 hours',
  last_error text,
  last_status integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id),
  constraint notices_webhooks_have_endpoints check ((channel = 'webhook') = (endpoint_id is not null)),
  constraint notices_wait_or_are_finished check ((state = 'waiting') = (finished_at is null))
);
create unique index notices_once on notices (workspace_id, once) where once is not null;
create index notices_due on notices (next_attempt_at) where state = 'waiting';
create index notices_finished on notices (finished_at) where finished_at is not null;
create index notices_endpoint on notices (workspace_id, endpoint_id, id) where endpoint_id is not null;

-- People, and what proves who they are. Secrets that only have to be compared are stored as SHA-256: they are random and
-- long, so a plain hash can't be searched. Times are timestamptz.

create table users (
  id uuid primary key,
  -- Trimmed and in lower case.
  email text not null unique,
  -- When a mail sent there, or an OpenID provider, proved that it is the user's; null: never.
  email_verified_at timestamptz,
  name text not null,
  -- Argon2id with its parameters; null: no password.
  password_hash text,
  -- May do what the operator token may.
  is_operator boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1
);

-- A user as an OpenID provider knows them.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

create table members (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'billing', 'viewer')),
  created_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, user_id)
);
create index members_user on members (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When the user last proved who they are.
  authenticated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index sessions_user on sessions (user_id, id);

create table invitations (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'billing', 'viewer')),
  token_sha256 bytea not null unique,
  -- The user who invited; null: the operator.
  invited_by uuid references users (id),
  -- Whether a mail delivered the link, so that its bearer reads the address's mail.
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create unique index invitations_open on invitations (workspace_id, email)
  where accepted_at is null and revoked_at is null;

-- Links of which each does one thing, once: make the first owner, set a password, make an account.
create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('set_up', 'reset', 'sign_up')),
  token_sha256 bytea not null unique,
  -- Whose password is set.
  user_id uuid references users (id),
  -- For whom an account is made.
  email text,
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  claimed_at timestamptz
);
create index one_time_links_user on one_time_links (user_id);

-- One-time passwords by time (RFC 6238). The secret has to be known to check a code, so it is not hashed.
create table authenticators (
  user_id uuid primary key references users (id),
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- Null: it counts only once the user has sent a code of it.
  confirmed_at timestamptz,
  -- The latest step whose code was used: no code counts twice.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references users (id),
  code_sha256 bytea not null,
  used_at timestamptz,
  primary key (user_id, code_sha256)
);

-- Tokens of members' programs: a part of the member's role in one workspace.
create table access_tokens (
  workspace_id uuid not null,
  id uuid not null unique,
  user_id uuid not null,
  name text not null,
  secret_sha256 bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  -- A member who leaves takes their tokens along.
  foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index access_tokens_user on access_tokens (user_id, id);

-- Tokens of the operator's beside the one in the data directory or the environment.
create table operator_tokens (
  id uuid primary key,
  name text not null,
  secret_sha256 bytea not null unique,
  last_four text not null,
  read_only boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index operator_tokens_name on operator_tokens (name) where revoked_at is null;

-- How credit is bought: top-ups, the facts that providers report of their payments, and redemption codes.

-- One purchase of credit. Its row is there before a provider is asked, so that nothing can be paid that has none.
create table top_ups (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  provider text not null,
  origin text not null check (origin in ('checkout', 'auto', 'code')),
  -- pending, processing (the payer is done, the money is not there), expired, failed, paid: see apply_payment_fact.
  state text not null default 'pending' check (state in ('pending', 'processing', 'expired', 'failed', 'paid')),
  -- What is posted once it is paid: a grant if it is a code that was given away.
  posting_kind text not null default 'top_up' check (posting_kind in ('top_up', 'grant')),
  -- The credit.
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  -- Charged on top. It never becomes credit.
  fee_nano_usd bigint not null default 0 check (fee_nano_usd >= 0),
  -- The payer agreed that the means of payment is kept for automatic top-ups.
  saves_method boolean not null default false,
  actor text not null,
  -- The caller's name for it, under which it is made only once.
  once text,
  -- The provider's page on which it is paid.
  checkout_reference text,
  checkout_url text,
  -- When an unpaid one ends; null if its provider says so by itself.
  expires_at timestamptz,
  -- The payment that paid it, and the posting that gave its credit.
  payment_reference text,
  posting_id uuid references ledger_postings (id),
  -- Why it failed.
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint top_ups_paid_are_posted
    check ((state = 'paid') = (posting_id is not null) and (state <> 'paid' or payment_reference is not null))
);
create unique index top_ups_once on top_ups (workspace_id, once) where once is not null;
create unique index top_ups_payment on top_ups (provider, payment_reference) where payment_reference is not null;
-- One automatic top-up of a workspace is under way at a time.
create unique index top_ups_auto_in_flight on top_ups (workspace_id)
  where origin = 'auto' and state in ('pending', 'processing');
create index top_ups_unpaid on top_ups (workspace_id, id) where state in ('pending', 'processing');

-- Money of a payment that goes back: refunds and disputes. One that came before its payment, or that belongs to none of
-- ours, has no workspace. What a payment gives in the end depends on its reversals alone, and not on their order.
create table payment_reversals (
  provider text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  reference text not null,
  payment_reference text not null,
  -- What goes back to the payer, the fee's part included.
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  -- announced (a dispute that has moved no money), taken, lost (a dispute that stays taken), returned (a refund that
  -- failed, a dispute that was won). It only moves on in this order.
  state text not null check (state in ('announced', 'taken', 'lost', 'returned')),
  -- Whether its amount is taken from the credit at present, as far as the payment's credit goes.
  counted boolean not null default false,
  workspace_id uuid,
  top_up_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (provider, kind, reference),
  foreign key (workspace_id, top_up_id) references top_ups (workspace_id, id)
);
create index payment_reversals_payment on payment_reversals (provider, payment_reference);
create index payment_reversals_top_up on payment_reversals (workspace_id, top_up_id);
create index payment_reversals_unmatched on payment_reversals (created_at) where top_up_id is null;

-- The events of providers that were applied, each written with what it posted, in one statement. An event is applied once.
create table payment_events (
  provider text not null,
  id text not null,
  fact text not null,
  -- applied, ignored (it is about none of our top-ups), mismatch (an operator must look at it).
  outcome text not null check (outcome in ('applied', 'ignored', 'mismatch')),
  -- Of a mismatch: what is wrong.
  detail text,
  workspace_id uuid,
  top_up_id uuid,
  received_at timestamptz not null default now(),
  primary key (provider, id)
);
create index payment_events_received on payment_events (received_at);
create index payment_events_mismatched on payment_events (received_at) where outcome = 'mismatch';

-- The kept means of payment of a workspace, and its automatic top-ups.
create table payment_settings (
  workspace_id uuid primary key references workspaces (id),
  version integer not null default 1,
  -- The workspace as a customer of the provider, who keeps the means of payment. Null: none is kept.
  provider text,
  customer_reference text,
  auto_enabled boolean not null default false,
  -- Below this balance a top-up of this amount is made, while the month's come to at most the maximum, fees included.
  auto_threshold_nano_usd bigint check (auto_threshold_nano_usd > 0),
  auto_amount_nano_usd bigint check (auto_amount_nano_usd > 0),
  auto_month_max_nano_usd bigint check (auto_month_max_nano_usd > 0),
  -- Who agreed to automatic top-ups, and when.
  auto_consent_by text,
  auto_consent_at timestamptz,
  -- Failures since the last success.
  auto_failures integer not null default 0,
  auto_failed_at timestamptz,
  -- failures: they were turned off. authentication_required: they wait until the recovery top-up is paid.
  auto_stop text check (auto_stop in ('failures', 'authentication_required')),
  auto_stopped_at timestamptz,
  -- When the stop was reported to the workspace; null: it has yet to be.
  auto_noticed_at timestamptz,
  recovery_top_up_id uuid,
  foreign key (workspace_id, recovery_top_up_id) references top_ups (workspace_id, id),
  constraint payment_settings_auto_is_whole check (not auto_enabled or (
    auto_threshold_nano_usd is not null and auto_amount_nano_usd is not null and auto_month_max_nano_usd is not null
    and auto_consent_at is not null
  ))
);

-- Comparisons with a provider's own records, one a night.
create table payment_reconciliations (
  provider text not null,
  night timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  -- The time up to which the provider's events were read.
  events_until timestamptz not null,
  -- Events that no webhook had brought.
  missed bigint not null,
  compared bigint not null,
  difference_count bigint not null,
  -- The first differences, a sentence each.
  differences jsonb not null,
  primary key (provider, night)
);

-- Codes that an operator makes in batches, each worth one top-up.
create table redemption_batches (
  id uuid primary key,
  count integer not null check (count > 0),
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  -- The posting of a redemption: top_up if the codes are sold, grant if they are given away.
  posting_kind text not null check (posting_kind in ('top_up', 'grant')),
  expires_at timestamptz not null,
  reason text not null,
  actor text not null,
  once text unique,
  created_at timestamptz not null default now()
);

create table redemption_codes (
  id uuid primary key,
  batch_id uuid not null references redemption_batches (id),
  -- The code itself is not kept. It is random and long, so a plain hash can't be searched.
  code_sha256 bytea not null unique,
  last_four text not null,
  workspace_id uuid,
  top_up_id uuid,
  redeemed_by text,
  redeemed_at timestamptz,
  foreign key (workspace_id, top_up_id) references top_ups (workspace_id, id)
);
create index redemption_codes_batch on redemption_codes (batch_id, id);

-- What was used, added up from receipts: see src/usage/. Hours are counted from receipts; days and months are sums of
-- hours, kept so that long times are read fast. Buckets start at whole hours, days and months in UTC.

-- How far receipts are counted.
create table usage_folding (
  is_only boolean primary key default true check (is_only),
  -- The receipts that this snapshot shows are in the buckets, each once; all others are not.
  folded pg_snapshot not null,
  -- The server whose transactions the snapshot names.
  server bigint not null,
  -- Weeks of receipts whose buckets are still to be made. There are no answers until all are.
  unbuilt integer[] not null
);

create table usage_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  project_id uuid not null,
  model text collate "C" not null,
  dialect text collate "C" not null,
  outcome text collate "C" not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  -- What corrections gave back, or took if negative; counted when they are posted.
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  -- Requests by duration, and by the time of their first event: up to 50, 100, 250, 500, 1,000, 2,500, 5,000, 10,000 and
  -- 30,000 ms, and above.
  duration_1 integer not null default 0,
  duration_2 integer not null default 0,
  duration_3 integer not null default 0,
  duration_4 integer not null default 0,
  duration_5 integer not null default 0,
  duration_6 integer not null default 0,
  duration_7 integer not null default 0,
  duration_8 integer not null default 0,
  duration_9 integer not null default 0,
  duration_10 integer not null default 0,
  first_event_1 integer not null default 0,
  first_event_2 integer not null default 0,
  first_event_3 integer not null default 0,
  first_event_4 integer not null default 0,
  first_event_5 integer not null default 0,
  first_event_6 integer not null default 0,
  first_event_7 integer not null default 0,
  first_event_8 integer not null default 0,
  first_event_9 integer not null default 0,
  first_event_10 integer not null default 0,
  primary key (workspace_id, starts_at, project_id, model, dialect, outcome)
);

create table usage_hours (
  like usage_days including defaults,
  -- Of the receipts' ids, by which they are sealed and dropped: the number of weeks since Monday, 29 December 1969.
  week integer not null,
  primary key (workspace_id, starts_at, project_id, model, dialect, outcome, week)
);

-- The same by key, without histograms. A key's project never changes.
create table usage_key_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  key_id uuid not null,
  project_id uuid not null,
  model text collate "C" not null,
  dialect text collate "C" not null,
  outcome text collate "C" not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  primary key (workspace_id, starts_at, key_id, model, dialect, outcome)
);

create table usage_key_hours (
  like usage_key_days including defaults,
  week integer not null,
  -- When the last of these requests was admitted; null: there are corrections alone.
  last_used_at timestamptz,
  primary key (workspace_id, starts_at, key_id, model, dialect, outcome, week)
);

create table usage_key_months (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  key_id uuid not null,
  project_id uuid not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  last_used_at timestamptz,
  primary key (workspace_id, starts_at, key_id)
);

-- Finds the receipts that are not counted yet, which are the newest. No type that xid8 can be cast to has a BRIN operator
-- class; its bytes, the most significant first, have one and sort as it does. Ranges are summarized once they are full,
-- so a settlement writes nothing to the index.
create index receipts_settled on receipts using brin (xid8send(settled_xid))
  with (pages_per_range = 64, autosummarize = on);

-- Workspaces that are suspended or being closed; keys that are disabled, rotated, described and made by somebody; and versions,
-- by which two people who edit the same thing notice each other.

create function count_version() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;

alter table workspaces
  add column version integer not null default 1,
  -- Its keys are refused while this is set, with the reason.
  add column suspended_at timestamptz,
  add column suspension_reason text,
  -- Its keys have ended for good. It is archived once all its leases are back and its credit is refunded.
  add column closing_at timestamptz,
  add constraint workspaces_suspended_for_a_reason check ((suspended_at is null) = (suspension_reason is null));
create trigger workspaces_version before update on workspaces for each row execute function count_version();
create index workspaces_closing on workspaces (closing_at) where closing_at is not null and archived_at is null;

alter table projects add column version integer not null default 1;
create trigger projects_version before update on projects for each row execute function count_version();

alter table keys
  add column version integer not null default 1,
  add column disabled_at timestamptz,
  -- What its holders note about it, for themselves: names and texts.
  add column metadata jsonb not null default '{}',
  -- The user who made it; null: the operator, or the first start.
  add column created_by uuid;
create trigger keys_version before update on keys for each row execute function count_version();

-- The secrets that keys had before they were rotated, for as long as they still open the key.
create table former_secrets (
  workspace_id uuid not null,
  key_id uuid not null,
  public_id text not null unique,
  last_four text not null,
  secret_sha256 bytea not null unique,
  expires_at timestamptz not null,
  -- A key has one former secret at most.
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references keys (workspace_id, id)
);

-- Creations under a name that the caller gave, so that a repeat within 24 hours creates nothing.
create table creations (
  -- The workspace; the nil UUID for what belongs to the instance.
  scope_id uuid not null,
  once text not null,
  kind text not null,
  request_sha256 bytea not null,
  target_id text not null,
  created_at timestamptz not null default now(),
  primary key (scope_id, once)
);
create index creations_created on creations (created_at);

-- Prices of one workspace: by how much they differ from the list, and the price versions that this makes.

create table price_adjustments (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  -- Null: for all models that have no adjustment of their own.
  model text,
  -- What is added to each rate of the list price, in hundredths of a percent of it; below zero: a discount.
  basis_points integer not null check (basis_points between -10000 and 90000),
  started_at timestamptz not null default now(),
  -- An adjustment never changes: it is ended, and another one may take its place.
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create unique index price_adjustments_active on price_adjustments (workspace_id, model) nulls not distinct
  where ended_at is null;

alter table price_versions
  -- The workspace that it is for; null: it is the list price. Both count in the same versions of the model.
  add column workspace_id uuid,
  -- The list price that it was made of, and the adjustment that made it.
  add column list_id bigint,
  add column adjustment_id uuid,
  add foreign key (workspace_id, adjustment_id) references price_adjustments (workspace_id, id),
  add constraint price_versions_of_workspaces check (num_nonnulls(workspace_id, list_id, adjustment_id) in (0, 3));
drop index price_versions_active;
create unique index price_versions_active on price_versions (model, workspace_id) nulls not distinct
  where retired_at is null;
create index price_versions_workspace on price_versions (workspace_id, model) where workspace_id is not null;

-- Alerts about automatic top-ups that have stopped.

alter table alert_rules
  drop constraint alert_rules_compare_or_not,
  drop constraint alert_rules_kind_check,
  add constraint alert_rules_compare_or_not check (
    (kind in ('auto_top_up_stopped', 'payment_after_closing', 'provider_key_refused', 'ledger_difference')) = (threshold is null)
  ),
  add constraint alert_rules_kind_check check (kind in (
    'balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'auto_top_up_stopped',
    'payment_after_closing', 'provider_key_refused', 'ledger_difference'
  ));

-- Workspaces that the watch has not seen yet, and the instance too, get their rules when it looks at them.
insert into alert_rules (workspace_id, id, name, kind, mail_roles, mail_to)
  select workspace_id, gen_random_uuid(), 'Automatic top-ups have stopped', 'auto_top_up_stopped',
    '{owner,admin,billing}', '{}'
  from alert_watches where workspace_id <> '00000000-0000-0000-0000-000000000000';
insert into alert_rules (workspace_id, id, name, kind, mail_roles, mail_to)
  select workspace_id, gen_random_uuid(), 'Payment for a closed workspace', 'payment_after_closing',
    '{owner,admin,billing}', '{}'
  from alert_watches where workspace_id = '00000000-0000-0000-0000-000000000000';

-- The page on which the reader can act; null: none.
alter table alerts add column url text;

-- When the workspace was notified that automatic top-ups have reached the month's maximum.
alter table payment_settings add column auto_month_noticed_at timestamptz;

-- Refusals of the last day, so that a refused request can be explained by its id. No table is referenced, so that writing
-- them takes no lock on rows that requests need.

create table refusals (
  request_id uuid primary key,
  workspace_id uuid not null,
  project_id uuid not null,
  key_id uuid not null,
  refused_at timestamptz not null,
  code text not null,
  -- Of HTTP.
  status integer not null,
  -- The path of the public API, by name.
  endpoint text,
  -- The model and the field of the request at fault: the first 200 characters of what the caller sent.
  model text,
  param text,
  retry_after_ms bigint,
  -- Which levels did not cover the request, and what would.
  shortage jsonb,
  -- Which rate limit was exceeded, and how the project's limits stood.
  rate jsonb
);
create index refusals_of_workspace on refusals (workspace_id, request_id);

-- How many refusals were not recorded, because there were too many or the database was away.
create table unrecorded_refusals (
  workspace_id uuid not null,
  hour timestamptz not null,
  requests bigint not null,
  primary key (workspace_id, hour)
);

-- When each key was last used, as far as its receipts are counted: one narrow row a key, so that a list of very many keys can
-- be sorted by it, and changed in place, as no index has the time.
create table usage_keys (
  workspace_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  primary key (workspace_id, key_id)
) with (fillfactor = 70);

insert into usage_keys (workspace_id, key_id, last_used_at)
  select workspace_id, key_id, max(last_used_at) from usage_key_months
  where last_used_at is not null group by workspace_id, key_id;

alter table usage_key_months drop column last_used_at;

-- What the providers of routes ask, beside what callers pay, so that the operator sees margins.

-- The cost of a route, as config files have said. A version never changes: it is retired, and another may take its place. The
-- rows of a version have the same route and times; each is for requests of another size.
create table cost_versions (
  model text collate "C" not null,
  provider text collate "C" not null,
  upstream_model text collate "C" not null,
  -- It applies to requests that were admitted from created_at on, before retired_at.
  created_at timestamptz not null,
  retired_at timestamptz,
  -- The input tokens of the requests that the rates are for: from input_from on, below input_to; null: whatever their number.
  input_from integer not null,
  input_to integer,
  -- Nano-USD per million tokens.
  input_rate bigint not null,
  cached_input_rate bigint not null,
  cache_write_5m_rate bigint not null,
  cache_write_1h_rate bigint not null,
  audio_input_rate bigint not null,
  output_rate bigint not null,
  audio_output_rate bigint not null,
  primary key (model, provider, upstream_model, created_at, input_from),
  constraint cost_versions_last check (retired_at > created_at),
  constraint cost_versions_have_sizes check (input_to > input_from)
);
create unique index cost_versions_active on cost_versions (model, provider, upstream_model, input_from)
  where retired_at is null;

-- What requests cost their providers, as far as that is known, and how many requests' costs are known.
alter table usage_hours
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_days
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_hours
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_days
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;
alter table usage_key_months
  add column cost_nano_usd bigint not null default 0, add column costed_requests bigint not null default 0;

-- Costs of receipts that are in buckets, added up by a proof, and the same as buckets have it.
alter table proof_workspaces
  add column cost_nano_usd numeric not null default 0,
  add column costed_requests numeric not null default 0,
  add column counted_cost_nano_usd numeric not null default 0,
  add column counted_costed_requests numeric not null default 0;

-- Keys of the console: those under which a member's requests from the playground are charged. Their secret was thrown away when
-- they were made, so that only the member's session or access token leads to one.

alter table keys
  add column kind text not null default 'api',
  add constraint keys_kind_check check (kind in ('api', 'console'));

-- A member has one in each project. The operator's tokens belong to no user, and share one.
create unique index keys_console on keys (workspace_id, project_id, created_by) nulls not distinct
  where kind = 'console' and revoked_at is null;

-- Usage by the users who made the keys, by day: added up from buckets of keys, a workspace with very many keys took seconds.
create table usage_member_days (
  workspace_id uuid not null,
  starts_at timestamptz not null,
  -- The user who made the keys; zero for keys that no user made.
  member uuid not null,
  project_id uuid not null,
  model text collate "C" not null,
  dialect text collate "C" not null,
  outcome text collate "C" not null,
  requests bigint not null default 0,
  charge_nano_usd bigint not null default 0,
  corrected_nano_usd bigint not null default 0,
  write_off_nano_usd bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  cache_write_5m_tokens bigint not null default 0,
  cache_write_1h_tokens bigint not null default 0,
  audio_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  audio_output_tokens bigint not null default 0,
  cost_nano_usd bigint not null default 0,
  costed_requests bigint not null default 0,
  primary key (workspace_id, starts_at, member, project_id, model, dialect, outcome)
) with (fillfactor = 80);

insert into usage_member_days
  select days.workspace_id, starts_at, coalesce(created_by, '00000000-0000-0000-0000-000000000000'), days.project_id, model,
    dialect, outcome, sum(requests), sum(charge_nano_usd), sum(corrected_nano_usd), sum(write_off_nano_usd),
    sum(input_tokens), sum(cached_input_tokens), sum(cache_write_5m_tokens), sum(cache_write_1h_tokens),
    sum(audio_input_tokens), sum(output_tokens), sum(audio_output_tokens), sum(cost_nano_usd), sum(costed_requests)
  from usage_key_days days join keys on keys.id = key_id
  group by 1, 2, 3, 4, 5, 6, 7;

-- What few receipts say: the agent's session that the request was part of, what of the request its answer's provider was not
-- sent, and whether it repeated one that had failed a moment before. Null where there is nothing to say.
alter table receipts
  add column session text,
  add column left_out text[],
  add column retry boolean;
alter type late_receipt add attribute extras jsonb;

-- Requests of a session, oldest first. Receipts without one are not in it.
create index receipts_session on receipts (workspace_id, session, request_id) where session is not null;

-- Responses that callers may go on from, for as long as the operator keeps them. Nothing is compressed: that would cost the
-- database more time than the rows are worth, and pieces of large values are read by themselves.
create table stored_responses (
  -- Of the request that it answers.
  request_id uuid primary key,
  workspace_id uuid not null,
  -- As the provider named it, which need not be unique.
  response_id text collate "C" not null,
  -- The request of the response that it goes on from.
  previous_request_id uuid,
  expires_at timestamptz not null,
  -- What the conversation gained: the request's own items, then those of the answer, as JSON with commas between them.
  items bytea not null,
  -- The bytes of the request's own items in `items`.
  input_length integer not null,
  -- The answer whole, as JSON.
  response bytea not null
);
alter table stored_responses alter column items set storage external, alter column response set storage external;
create index stored_responses_by_id on stored_responses (workspace_id, response_id, request_id);
create index stored_responses_expiring on stored_responses (expires_at);

-- Where the items of answers stand in `items`, for requests that refer to a single one.
create table stored_response_items (
  workspace_id uuid not null,
  item_id text collate "C" not null,
  request_id uuid not null references stored_responses on delete cascade,
  starts_at integer not null,
  -- Zero: nothing of the item can be sent again.
  length integer not null,
  primary key (workspace_id, item_id, request_id)
);
create index stored_response_items_of_response on stored_response_items (request_id);

-- How many bytes of responses each workspace has, so that none can fill the disk. Counted up with each batch, and anew with
-- each deletion of what has expired.
create table stored_response_bytes (
  workspace_id uuid primary key,
  bytes bigint not null
);

-- What a receipt was charged beside its tokens: numbers of uses by their names, such as {"request": 1, "web_search": 3}. Null
-- if there was nothing of it.
alter table receipts add column uses jsonb;

-- What a provider asks beside tokens: nano-USD per use by its name, as digits. Null if nothing is known of it.
alter table cost_versions add column fees jsonb;

-- Who made a link or an invitation for another, so that it ends with their right: a user, an operator token or a user's
-- access token; neither: the instance's own token, or a user who had a mail sent to themselves.
alter table one_time_links
  add column made_by_user uuid references users (id),
  add column made_by_token uuid,
  -- The workspace by a right in which it was made; null: by an operator's right.
  add column by_right_in uuid references workspaces (id);
alter table invitations add column invited_by_token uuid;

-- Nothing says who made those that are open.
update one_time_links set claimed_at = now() where purpose = 'reset' and not mailed and claimed_at is null;

-- Secrets that must be read again lie encrypted, by data keys that lie here wrapped by a key-encryption key, which is
-- elsewhere. The program encrypts what earlier versions have written, and erases it.
create table data_keys (
  -- Ciphertexts name it.
  id uuid primary key,
  -- The id of the key-encryption key.
  wrapped_by text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  -- When its key-encryption key was given up.
  lost_at timestamptz
);
alter table authenticators
  alter column secret drop not null,
  add column encrypted_secret bytea,
  add constraint authenticators_have_one_secret check (num_nonnulls(secret, encrypted_secret) = 1);
alter table webhook_endpoints
  alter column secret drop not null,
  add column encrypted_secret bytea,
  add column encrypted_former_secret bytea,
  add constraint webhook_endpoints_have_one_secret check (num_nonnulls(secret, encrypted_secret) = 1),
  add constraint webhook_endpoints_have_one_former_secret check (num_nonnulls(former_secret, encrypted_former_secret) < 2);

-- The networks from which users have signed in within half a year: one address of IPv4, the /64 of one of IPv6.
create table sign_in_networks (
  user_id uuid not null references users (id),
  network text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, network)
);

-- Whether a read-only operator token may download backups, too, which hold what proves who everybody is.
alter table operator_tokens
  add column downloads_backups boolean not null default false,
  add check (read_only or not downloads_backups);

-- What a project allows keys that members make who manage their own keys alone. Null: no bound.
alter table projects
  -- The largest monthly limit of such a key.
  add column member_key_spend_limit_nano_usd bigint check (member_key_spend_limit_nano_usd >= 0),
  -- How many such keys each member has at most. One that is revoked counts until its month ends.
  add column member_keys_max integer check (member_keys_max > 0);

-- They take or return rows of that table.
drop function if exists update_project(uuid, uuid, jsonb);
drop function if exists apply_budget(projects);

-- Whether answers to a project's keys have their charge in their usage, unless a request says otherwise.
alter table projects add column reports_cost boolean not null default false;

-- They take or return rows of that table, and what a key's holder is.
drop function if exists update_project(uuid, uuid, jsonb);
drop function if exists apply_budget(projects);
drop function if exists find_principals(bytea[]);

-- Responses are kept encrypted: the request's own items, the answer's items and the answer whole, each by itself, so that one
-- can be read without the others. `items` is the first and the second, one behind the other, and `input_length` the length of
-- the first, as they are stored. Items of answers start in the second as it was before.
alter table stored_responses add column encrypted boolean not null default false;
create index stored_responses_clear on stored_responses (request_id) where not encrypted;
drop function if exists find_response_chain(uuid, text, bigint, integer);
drop function if exists find_response_input(uuid, text, bigint, integer);
drop function if exists find_response_items(uuid, text[], bigint);
drop function if exists read_response(uuid, text);

-- What its leases had held and charged, together, as of the heartbeat: by purse, nano-USD as digits; only of leases that
-- are in use. Null: the process does not say. It is looked into for each lease of a list, so it is not compressed.
alter table epochs add column leases_in_use jsonb;
alter table epochs alter column leases_in_use set storage external;

-- Audit events in hash chains: one for each workspace, and one for what belongs to none. A trigger links each event when its
-- transaction commits, whichever release inserted it. What a link proves outlives its event.
create table audit_links (
  -- The workspace; all zeros: the instance.
  scope_id uuid not null,
  -- From 1, without gaps, in the order of commits.
  position bigint not null,
  event_id uuid not null unique,
  -- SHA-256 of the event's fields: audit_event_digest().
  event_sha256 bytea not null,
  -- SHA-256 of the former link's chain_sha256, nothing for the first, and of event_sha256.
  chain_sha256 bytea not null,
  primary key (scope_id, position)
);
create trigger audit_links_append_only before update or delete on audit_links
  for each row execute function ledger_is_append_only();

-- The last link of each chain.
create table audit_chains (
  scope_id uuid primary key,
  length bigint not null,
  chain_sha256 bytea not null
) with (fillfactor = 50);

create function link_audit_event() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create constraint trigger audit_events_are_linked after insert on audit_events
  deferrable initially deferred for each row execute function link_audit_event();

-- Events that were there before are linked in the order of their ids.
do $$
declare
  event record;
  former audit_chains%rowtype;
begin
  for event in
    select id, coalesce(workspace_id, '00000000-0000-0000-0000-000000000000') as scope_id,
      sha256(convert_to(jsonb_build_array(id, workspace_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        actor_kind, user_id, actor_name, action, target_kind, target_id, target_name, before, after, address,
        request_id)::text, 'UTF8')) as digest
    from audit_events order by 2, 1
  loop
    if former.scope_id is distinct from event.scope_id then former := (event.scope_id, 0, ''::bytea); end if;
    former.length := former.length + 1;
    former.chain_sha256 := sha256(former.chain_sha256 || event.digest);
    insert into audit_links values (event.scope_id, former.length, event.id, event.digest, former.chain_sha256);
  end loop;
end $$;
insert into audit_chains
select distinct on (scope_id) scope_id, position, chain_sha256 from audit_links order by scope_id, position desc;

-- How the people of a workspace sign in, and from where the workspace may be used. A workspace without a row demands nothing.
create table workspace_access (
  workspace_id uuid primary key references workspaces (id),
  -- Its own OpenID provider; null: it has none.
  issuer text,
  client_id text,
  encrypted_client_secret bytea,
  -- Whether addresses count of which the provider does not say whether they are verified.
  trusts_addresses boolean not null default false,
  -- The claim with a person's groups; null: "groups".
  groups_claim text,
  -- The role of each group's people, by the name of the group. Without any, roles are given by hand.
  group_roles jsonb not null default '{}',
  -- The role of people of none of these groups; "none": they are refused.
  default_role text not null default 'none' check (default_role in ('admin', 'developer', 'billing', 'viewer', 'none')),
  -- Whether people with an address of its domains sign in at its provider alone.
  only_openid boolean not null default false,
  -- Whether sessions of its members need a second factor.
  second_factor boolean not null default false,
  -- The addresses from which its members and its keys call; null: any.
  allowed_networks text[],
  version integer not null default 1
);
create trigger workspace_access_version before update on workspace_access for each row execute function count_version();

-- Domains of mail addresses that a workspace says are its own. Of those who say so of one domain, one has proven it.
create table workspace_domains (
  workspace_id uuid not null references workspaces (id),
  domain text not null,
  -- What a TXT record of the domain holds to prove it.
  token text not null,
  proven_at timestamptz,
  proven_by text check (proven_by in ('dns', 'operator')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, domain),
  constraint workspace_domains_proven_or_not check ((proven_at is null) = (proven_by is null))
);
create unique index workspace_domains_proven on workspace_domains (domain) where proven_at is not null;

alter table sessions
  -- The workspace whose provider has signed the user in; null: none has. No constraint, which the last release's rows would be checked by.
  add column provider_workspace_id uuid,
  -- When a second factor was proven in it; null: none was.
  add column second_factor_at timestamptz,
  -- Whether it was begun by an operator's link, for an owner whose provider does not let them in.
  add column is_recovery boolean not null default false;
create index sessions_provider on sessions (provider_workspace_id) where provider_workspace_id is not null;

-- The addresses from which a key is accepted; null: any.
alter table keys add column allowed_networks text[];

-- They return rows of that table, and what a key's holder is.
drop function if exists update_key(uuid, uuid, jsonb);
drop function if exists find_principals(bytea[]);

-- A workspace's directory of its company: by its token the directory tells this instance who the people and groups are (SCIM).
create table directories (
  workspace_id uuid primary key references workspaces (id),
  secret_sha256 bytea not null unique,
  last_four text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- People as the directory names them, each with an account here.
create table directory_users (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  user_id uuid not null references users (id),
  user_name text not null,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  active boolean not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index directory_users_name on directory_users (workspace_id, lower(user_name));
create unique index directory_users_user on directory_users (workspace_id, user_id);
create index directory_users_external on directory_users (workspace_id, external_id) where external_id is not null;
create index directory_users_account on directory_users (user_id);

-- People whom the directory has deactivated or removed: they don't come in by themselves until it names them again.
create table directory_leavers (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  left_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);

create table directory_groups (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index directory_groups_name on directory_groups (workspace_id, lower(display_name));

create table directory_group_members (
  workspace_id uuid not null,
  group_id uuid not null,
  directory_user_id uuid not null,
  primary key (workspace_id, group_id, directory_user_id),
  foreign key (workspace_id, group_id) references directory_groups (workspace_id, id) on delete cascade,
  foreign key (workspace_id, directory_user_id) references directory_users (workspace_id, id) on delete cascade
);
create index directory_group_members_user on directory_group_members (workspace_id, directory_user_id);

-- Whether the keys that somebody has made end when the directory says that they have left.
alter table workspace_access add column ends_leavers_keys boolean not null default true;

-- What workspaces have delivered to the sinks of the config file, by the sinks' names.
create table workspace_sinks (
  workspace_id uuid not null references workspaces,
  sink text not null,
  -- Kinds of records; none: nothing is delivered.
  records text[] not null,
  -- Of 100 requests, how many have their prompts and answers delivered.
  sample_percent integer not null,
  -- What is taken out of prompts and answers.
  redact text[] not null,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  -- Receipts that this snapshot shows are delivered, or from before they were asked for; null: as the sink's.
  receipts_from pg_snapshot,
  -- The last audit event of the workspace's chain that is delivered, or from before they were asked for.
  audit_position bigint not null,
  -- Records that were dropped instead of delivered, since the beginning.
  lost_records bigint not null default 0,
  last_lost_at timestamptz,
  primary key (workspace_id, sink)
);

-- Sinks that receipts and audit events are delivered to.
create table sink_progress (
  sink text primary key,
  -- The server whose transactions the snapshots are about.
  server bigint not null,
  -- Receipts that this snapshot shows are delivered, of workspaces that have no snapshot of their own.
  delivered pg_snapshot not null,
  -- The process that delivers, and until when no other does.
  holder uuid,
  held_until timestamptz,
  -- Since when it fails, and why; null: it doesn't.
  failing_since timestamptz,
  fault text
);

-- What goes after its time, and the schedule of it: receipts, audit events, and people who are erased.

-- Of a sealed partition: the file to which its receipts were exported. Without a time, it was not.
alter table sealed_partitions
  add column exported_at timestamptz,
  add column export_file text,
  add column export_sha256 bytea;

alter table audit_chains
  -- Events up to this position were dropped. Their links stay.
  add column dropped_to bigint not null default 0,
  -- The audit event that says so.
  add column dropped_by uuid;

-- Audit events from which a person was erased. Their links keep the digests that they were recorded with.
create table audit_redactions (
  number bigint generated always as identity primary key,
  event_id uuid not null,
  -- Of the event as it is from here on.
  event_sha256 bytea not null,
  -- The audit event that has the digest of all redactions made with this one.
  by_event uuid not null
);
create index audit_redactions_event on audit_redactions (event_id, number);
create index audit_redactions_by on audit_redactions (by_event, number);

create function keep_audit_event() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create or replace trigger audit_events_append_only before update or delete on audit_events
  for each row execute function keep_audit_event();
create function keep_posting() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create or replace trigger ledger_postings_append_only before update or delete on ledger_postings
  for each row execute function keep_posting();

-- When the person behind an account was erased.
alter table users add column erased_at timestamptz;

-- Work that one process of all does, each time that its turn has come.
create table scheduled_work (
  name text primary key,
  -- The process that is at it, and until when it counts as alive.
  holder uuid,
  held_until timestamptz,
  -- The turn that was done last, what it made, and when it ended.
  done_turn timestamptz,
  outcome jsonb,
  succeeded_at timestamptz,
  -- Why the last attempt since has failed; null: none has.
  problem text,
  failed_at timestamptz
);

-- Passkeys, by which people sign in without a password. Their public keys alone are known here.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it was used; always 0 for some.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges that a browser is to have signed, each once and within minutes.
create table passkey_challenges (
  -- Of the secret that the browser keeps.
  secret_sha256 bytea primary key,
  challenge bytea not null,
  -- The session in which a passkey is added or shown; null: somebody signs in.
  session_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenges_expired on passkey_challenges (expires_at);

-- The two characters by which all keys of this database begin. No row: a database that no program of this version has served yet.
create table database_shard (
  shard text primary key check (shard ~ '^[0-9A-Za-z]{2}$'),
  is_only boolean not null default true unique check (is_only)
);

-- Members may have a limit a month, over all keys that they have made; a workspace, one for those who join; null: none. What is spent
-- of it is in a purse of the limit. A limit outlives the membership, because keys may do so.
create table member_limits (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null,
  id uuid not null default gen_random_uuid() unique,
  monthly_limit_nano_usd bigint check (monthly_limit_nano_usd >= 0),
  primary key (workspace_id, user_id)
);

-- Null: none.
alter table workspaces add column member_monthly_limit_nano_usd bigint;

-- The purse of the key's maker that the receipt charges; null: the maker had no limit.
alter table receipts add column member_purse_id bigint;

-- Not valid: rows that are there meet it, and are not read for it.
alter table purses drop constraint purses_kind_check;
alter table purses add constraint purses_kind_check check (kind in ('credit', 'project', 'member', 'key')) not valid;

-- How the attempts at each route ended, by the hour in which their requests ended, for a day. `faults` has failures by kind;
-- `first_event` and `whole` have counts by class of the time to a stream's first data event and to the end of an answer; `fault` has
-- the kind, the status and the request of the last failure.
create table route_hours (
  hour timestamptz not null,
  model text not null,
  provider text not null,
  upstream_model text not null,
  answered bigint not null,
  rejected bigint not null,
  abandoned bigint not null,
  faults jsonb not null,
  first_event bigint[] not null,
  whole bigint[] not null,
  answered_at timestamptz,
  fault_at timestamptz,
  fault jsonb,
  primary key (hour, model, provider, upstream_model)
);

-- The role of people who manage and see their own keys and usage alone.
-- Not valid: rows that are there meet it, and are not read for it.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('owner', 'admin', 'developer', 'billing', 'viewer', 'member')) not valid;

alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'admin', 'developer', 'billing', 'viewer', 'member')) not valid;

alter table workspace_access drop constraint workspace_access_default_role_check;
alter table workspace_access add constraint workspace_access_default_role_check
  check (default_role in ('admin', 'developer', 'billing', 'viewer', 'member', 'none')) not valid;

-- The service tier that a request was charged in, such as 'priority'. Null: the standard one.
alter table receipts add column service_tier text;

-- What a provider asks in other service tiers for the row's length of input: rates by class of tokens, as digits, by tier, such as
-- {"flex": {"input": "625000", …}}. Null if nothing is known of it.
alter table cost_versions add column service_tiers jsonb;

-- Providers and models that operators have declared outside of the config file: each, by the provider's name or the model's id, as it
-- would be declared there. The key of a provider is encrypted; null: it needs none.
create table offer_declarations (
  kind text not null check (kind in ('provider', 'model')),
  name text collate "C" not null,
  declaration jsonb not null,
  encrypted_key bytea,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  primary key (kind, name),
  constraint offer_declarations_providers_have_keys check (encrypted_key is null or kind = 'provider')
);

-- What an invitation brings along: the monthly limit of the member (null: the one that the workspace has for those who join), a key
-- that becomes theirs, and the request that invited several people together.
alter table invitations add column monthly_limit_nano_usd bigint;
alter table invitations add column key_id uuid;
alter table invitations add column batch_id uuid;

-- The model that the caller requested, if another one answered in its place. Null: it answered itself.
alter table receipts add column requested_model text;

-- When an owner suspended the workspace, if that is how it came to be suspended: it is then the same as suspended_at, whatever a
-- release does with that one which does not know this column.
alter table workspaces add column owner_suspended_at timestamptz;

-- Grants of credit that expire, and what is left of each: what it was when charges were last counted, less what has been charged
-- since to those that expire first. expired_nano_usd has been posted; looked_at is when that was first tried.
create table expiring_grants (
  workspace_id uuid not null,
  posting_id uuid not null,
  expires_at timestamptz not null,
  given_at timestamptz not null,
  amount_nano_usd bigint not null check (amount_nano_usd >= 0),
  rest_nano_usd bigint not null,
  expired_nano_usd bigint not null default 0 check (expired_nano_usd >= 0),
  other_nano_usd bigint not null,
  recurring_id uuid,
  looked_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, posting_id),
  constraint expiring_grants_are_whole check (rest_nano_usd >= 0 and rest_nano_usd + expired_nano_usd <= amount_nano_usd)
);
create index expiring_grants_due on expiring_grants (expires_at) where ended_at is null;

-- Up to which total of charges the grants of a workspace are counted, and how much of them was charged to other credit.
create table grant_counts (
  workspace_id uuid primary key,
  charged_nano_usd bigint not null,
  other_nano_usd bigint not null
);

-- Grants that are posted at the begin of each period (UTC). next_at is the begin of the next one to be posted. Credit expires at the
-- end of its period, after so many days, or (both left out) never.
create table recurring_grants (
  workspace_id uuid not null,
  id uuid primary key,
  amount_nano_usd bigint not null check (amount_nano_usd > 0),
  period text not null check (period in ('day', 'week', 'month')),
  expires_with_period boolean not null,
  expires_after_days integer check (expires_after_days > 0),
  reason text not null,
  actor text not null,
  next_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint recurring_grants_expire_once check (not expires_with_period or expires_after_days is null)
);
create index recurring_grants_due on recurring_grants (next_at) where ended_at is null;
create index recurring_grants_workspace on recurring_grants (workspace_id, id);

-- Not valid: rows that are there meet it, and are not read for it.
alter table ledger_postings drop constraint ledger_postings_kind_check;
alter table ledger_postings add constraint ledger_postings_kind_check
  check (kind in ('top_up', 'grant', 'refund', 'dispute', 'adjustment', 'expiry')) not valid;

-- A limit that is raised for a time, beside the ordinary one: until that instant the greater of both holds. Of a purse, a copy of its
-- subject's, as the limit is.
alter table keys add column raised_limit_nano_usd bigint;
alter table keys add column raised_until timestamptz;
alter table projects add column raised_limit_nano_usd bigint;
alter table projects add column raised_until timestamptz;
alter table member_limits add column raised_limit_nano_usd bigint;
alter table member_limits add column raised_until timestamptz;
alter table purses add column raised_limit_nano_usd bigint;
alter table purses add column raised_until timestamptz;

-- A project may limit what each end user may spend in a window, and what each session may spend in a month; null: no limit.
alter table projects add column end_user_limit_nano_usd bigint;
alter table projects add column end_user_period text not null default 'month';
alter table projects add column session_limit_nano_usd bigint;

-- The purses of the end user and of the session that a receipt charges; null: the project had no limit, or the request named none. The
-- purses are pruned some days after their windows.
alter table receipts add column end_user_purse_id bigint;
alter table receipts add column session_purse_id bigint;

-- Not valid: rows that are there meet it, and are not read for it.
alter table purses drop constraint purses_kind_check;
alter table purses add constraint purses_kind_check
  check (kind in ('credit', 'project', 'member', 'key', 'end_user', 'session')) not valid;

-- Whose end user or session a purse is drawn for.
alter type draw_request add attribute project_id uuid;

-- To whom statements of a workspace are addressed.
alter table workspaces add column billing_name text;
alter table workspaces add column billing_address text;
alter table workspaces add column billing_tax_id text;

-- Rules watch limits of members too, and alerts are about them. The program checks what these constraints checked.
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alerts drop constraint alerts_subject_kind_check;
-- Which default rules the workspace was given: 1 those of release 0.2.0, 2 those of limits of keys and members besides.
alter table alert_watches add column defaults_version integer not null default 1;

-- The model that answers if the project's budget, or a key's or member's limit, doesn't cover the requested one. Null: none.
alter table projects add column model_when_spent text;

-- Sets the limit of a project's current window, by the database's clock, and brings what that window has spent up to its
-- receipts. The caller has locked the project's row.
create or replace function apply_budget(p projects) returns void language plpgsql as $$
declare
  v_start timestamptz := case p.budget_period
    when 'never' then to_timestamp(0) else date_trunc(p.budget_period, clock_timestamp(), 'UTC') end;
  v_end timestamptz := case when p.budget_period <> 'never' then
    (v_start at time zone 'UTC' + ('1 ' || p.budget_period)::interval) at time zone 'UTC' end;
  -- A request's id is older than its admission by less than an hour, so receipts of a window can be sought by id.
  v_from uuid := rpad(
    lpad(to_hex(greatest(0, floor(extract(epoch from v_start) * 1000)::bigint - 3600000)), 12, '0'), 32, '0')::uuid;
  v_purse bigint;
begin
  -- The purse is written first, limit and all, because that locks it: what it has spent stands still while it is compared
  -- with the receipts.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    values (p.workspace_id, 'project', p.id, p.budget_period, v_start, v_end, p.budget_nano_usd,
      p.raised_limit_nano_usd, p.raised_until)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd,
        raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until
    returning id into v_purse;
  -- What the purse lacks of its window's receipts was charged to the purse of another period. Corrections count on both
  -- sides: what a receipt's purse was given back is lacking nowhere. Receipts that were dropped are counted by their
  -- sealed totals; only windows without an end reach so far back.
  with window_receipts as (
    select r.request_id, r.charge_nano_usd from receipts r
    where r.workspace_id = p.workspace_id and r.project_id = p.id and r.request_id >= v_from
      and r.admitted_at >= v_start and (v_end is null or r.admitted_at < v_end)
  )
  update purses set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
  from (
    select greatest(0, charged.amount + dropped.amount - corrections.amount
      - (purse.spent_nano_usd - purse.corrected_nano_usd) - leased.amount) as amount
    from purses purse
    cross join (select coalesce(sum(charge_nano_usd), 0)::bigint as amount from window_receipts) charged
    cross join (
      select coalesce(sum(total.charge_nano_usd), 0)::bigint as amount from partition_totals total
      join sealed_partitions sealed on sealed.name = total.partition and sealed.dropped_at is not null
      join purses other on other.id = total.purse_id and other.kind = 'project' and other.subject_id = p.id
      where v_end is null
    ) dropped
    cross join (
      select coalesce(sum(q.amount_nano_usd), 0)::bigint as amount from window_receipts
      join postings q on q.workspace_id = p.workspace_id and q.receipt_request_id = window_receipts.request_id
    ) corrections
    cross join (select coalesce(sum(charged_nano_usd), 0)::bigint as amount from leases where purse_id = v_purse) leased
    where purse.id = v_purse
  ) lacking
  where purses.id = v_purse and lacking.amount > 0;
  insert into changes (kind, subject_id) values ('purse', v_purse::text);
end $$;

-- Applies what a provider reports of a payment, once for each event: the event's row, the top-up's new state and the
-- postings to the credit are one statement. Events may come in any order, any number of times and at the same time; what
-- they lead to depends only on which of them came.
--
-- A top-up moves from pending through processing, expired and failed to paid, and never back. p_workspace is the workspace
-- that the provider's record names.
--   applied, repeated    it is in effect, now or before
--   ignored              it is about none of our top-ups
--   mismatch             it contradicts the top-up, so it has no effect; the detail is for the operator
create or replace function apply_payment_fact(
  p_provider text, p_event text, p_fact text, p_payment text, p_top_up uuid, p_workspace uuid, p_origin text,
  p_reference text, p_amount bigint, p_currency text, p_customer text, p_failure text,
  out outcome text, out detail text, out top_up uuid, out workspace uuid
) language plpgsql as $$
declare
  t top_ups;
begin
  perform bound_transaction();
  outcome := 'applied';
  insert into payment_events as e (provider, id, fact, outcome) values (p_provider, p_event, p_fact, 'applied')
    on conflict (provider, id) do nothing;
  if not found then
    select 'repeated', e.detail, e.top_up_id, e.workspace_id into outcome, detail, top_up, workspace
      from payment_events e where e.provider = p_provider and e.id = p_event;
    return;
  end if;
  -- The facts of one payment are applied one after the other, also those that come before its top-up is known.
  if p_payment is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_payment, lock_number(4611220105103830)));
  end if;
  if p_reference is not null then
    select * into outcome, detail from record_reversal(
      p_provider, p_fact, p_reference, p_payment, p_amount, p_currency);
    select * into t from top_ups where provider = p_provider and payment_reference = p_payment for no key update;
    if outcome = 'applied' and t.id is not null then
      perform post_reversals(t);
    end if;
  else
    select * into t from top_ups where id = p_top_up for no key update;
    select * into outcome, detail from match_payment(
      t, p_provider, p_fact, p_payment, p_workspace, p_origin, p_amount, p_currency);
    if outcome = 'applied' then
      perform move_top_up(t, p_fact, p_payment, p_customer, p_failure);
    end if;
  end if;
  top_up := t.id;
  workspace := coalesce(t.workspace_id, (select w.id from workspaces w where w.id = p_workspace));
  update payment_events e set outcome = apply_payment_fact.outcome, detail = apply_payment_fact.detail,
      workspace_id = workspace, top_up_id = top_up
    where e.provider = p_provider and e.id = p_event;
end $$;

-- SHA-256 of an audit event's fields, as the text of a JSON array. It is part of what auditors recompute: docs/security.md.
create or replace function audit_event_digest(e audit_events) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(e.id, e.workspace_id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    e.actor_kind, e.user_id, e.actor_name, e.action, e.target_kind, e.target_id, e.target_name, e.before, e.after, e.address,
    e.request_id)::text, 'UTF8'))
$$;

-- Makes an automatic top-up of a workspace if it wants one now: its balance is below its threshold, none is under way, the
-- month has room for it, and the last failure is an hour ago. Answers whether it did. The lock keeps one that is paid at the same
-- time from being seen as neither under way nor in the balance.
create or replace function begin_auto_top_up(
  p_workspace uuid, p_id uuid, p_amount bigint, p_fee bigint
) returns boolean language plpgsql as $$
declare
  s payment_settings;
  v_balance numeric;
  v_month numeric;
begin
  perform bound_transaction();
  select * into s from payment_settings where workspace_id = p_workspace for no key update;
  if not found or not s.auto_enabled or s.auto_stop is not null or s.customer_reference is null
      or s.auto_amount_nano_usd <> p_amount or s.auto_failed_at > now() - interval '1 hour'
      or exists (select from workspaces where id = p_workspace and (closing_at is not null or archived_at is not null)) then
    return false;
  end if;
  perform from top_ups where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing');
  if found then
    return false;
  end if;
  select p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd
      - (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id) into v_balance
    from purses p where p.workspace_id = p_workspace and p.kind = 'credit';
  select coalesce(sum(amount_nano_usd + fee_nano_usd), 0) into v_month from top_ups
    where workspace_id = p_workspace and origin = 'auto' and state in ('pending', 'processing', 'paid')
      and created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
  if v_balance >= s.auto_threshold_nano_usd or v_month + p_amount + p_fee > s.auto_month_max_nano_usd then
    return false;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, amount_nano_usd, fee_nano_usd, actor)
    values (p_workspace, p_id, s.provider, 'auto', p_amount, p_fee, 'auto top-up');
  return true;
end $$;

-- Bounds the transaction that calls it: PostgreSQL ends the transaction, and its connection, after this time. A connection
-- may stand still after its statement has run, because its process or the network does, and the locks would outlive the
-- statement. Between two statements it may stand still for a second, which is less than requests wait for money. Behind a
-- pooler nothing may be set for a session, so each transaction bounds itself. Before PostgreSQL 17 the whole is not
-- bounded: fencing the epoch ends the connections that stand in the way. A query, so that its callers' plans have it inline.
create or replace function bound_transaction(p_most text default '5s') returns text language sql as $$
  select set_config('idle_in_transaction_session_timeout', '1s', true)
    || case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', p_most, true)
    end
$$;

-- Returns the request that a late receipt's idempotency key belongs to by now, if that is another one: the receipt then
-- charges nothing. Otherwise null; a whole answer then takes the claim, if it is free or lost, as a repeated request would,
-- and the caller's statement completes it.
create or replace function claim_for_late_receipt(p_epoch bigint, l late_receipt) returns uuid language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_admitted timestamptz := to_timestamp(l.admitted_ms / 1000);
  r record;
begin
  if l.idempotency_key is null then
    return null;
  end if;
  if l.whole then
    insert into idempotent_requests (workspace_id, key_id, idempotency_key, epoch_id, request_id, claimed_at)
      values (l.workspace, l.key, l.idempotency_key, p_epoch, l.request, v_admitted)
      on conflict do nothing;
  end if;
  perform from idempotent_requests i
    where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key
    for update;
  select
      i.request_id, i.superseded_request_id,
      i.claimed_at >= v_admitted + interval '24 hours' as is_another_use,
      i.completed_at is null and not exists (
        select from epochs e where e.id = i.epoch_id and e.fenced_at is null
      ) as is_free
    into r
    from idempotent_requests i
    where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key;
  if not found or r.request_id = l.request then
    return null;
  elsif r.is_another_use then
    return case when r.superseded_request_id = l.request then r.request_id end;
  elsif not r.is_free then
    return r.request_id;
  end if;
  if l.whole then
    update idempotent_requests i
      set request_id = l.request, epoch_id = p_epoch, superseded_request_id = r.request_id
      where i.workspace_id = l.workspace and i.key_id = l.key and i.idempotency_key = l.idempotency_key;
  end if;
  return null;
end $$;

-- Claims a key for a request, or reports the request that has it. Repeating it for the same request changes nothing.
--   claimed     this request may run
--   running     another request with the same body runs
--   mismatch    the key was used for another body
--   done        `answer` is to be replayed; null if it was not kept
--   cancelled   this request has given its claim up
-- A claim is free after a day, and if its epoch is fenced before it is completed.
create or replace function claim_idempotency_key(
  p_epoch bigint, p_workspace uuid, p_key uuid, p_idempotency_key text, p_body bytea, p_request uuid
) returns table (state text, request_id uuid, answer bytea) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  r record;
begin
  perform require_live_epoch(p_epoch);
  perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
  if exists (select from cancelled_claims c where c.request_id = p_request) then
    return query select 'cancelled', p_request, null::bytea;
    return;
  end if;
  loop
    insert into idempotent_requests (workspace_id, key_id, idempotency_key, body_sha256, epoch_id, request_id)
      values (p_workspace, p_key, p_idempotency_key, p_body, p_epoch, p_request)
      on conflict do nothing;
    if found then
      return query select 'claimed', p_request, null::bytea;
      return;
    end if;
    -- The claim and its epoch are read in one snapshot: each claim that it shows is of an epoch that it shows too.
    select
        i.*,
        i.claimed_at < now() - interval '24 hours' as is_expired,
        i.completed_at is null and (i.request_id = p_request or i.body_sha256 = p_body and not exists (
          select from epochs e where e.id = i.epoch_id and e.fenced_at is null
        )) as is_free
      into r
      from idempotent_requests i
      where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key;
    continue when not found;
    exit when not (r.is_expired or r.is_free);
    update idempotent_requests i set
        body_sha256 = p_body, epoch_id = p_epoch, request_id = p_request, claimed_at = now(), completed_at = null, answer = null,
        superseded_request_id = case
          when r.is_expired or r.request_id = p_request then i.superseded_request_id else r.request_id
        end
      where i.workspace_id = p_workspace and i.key_id = p_key and i.idempotency_key = p_idempotency_key
        and i.request_id = r.request_id and i.completed_at is not distinct from r.completed_at;
    if found then
      return query select 'claimed', p_request, null::bytea;
      return;
    end if;
  end loop;
  if r.body_sha256 <> p_body then
    return query select 'mismatch', r.request_id, null::bytea;
  elsif r.completed_at is null then
    return query select 'running', r.request_id, null::bytea;
  else
    return query select 'done', r.request_id, r.answer;
  end if;
end $$;

-- Archived workspaces that hold credit, which nobody can spend, beyond the payments that go back through their provider.
create or replace function closed_credit() returns table (
  workspace_id uuid, workspace_name text, credit_nano_usd bigint
) language sql stable as $$
  select w.id, w.name, p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - coalesce(pending.amount, 0)
  from workspaces w
  join purses p on p.workspace_id = w.id and p.kind = 'credit' and p.subject_id = w.id
  left join (
    select c.workspace_id, sum(c.credit_nano_usd)::bigint as amount from closed_payments() c group by c.workspace_id
  ) pending on pending.workspace_id = w.id
  where w.archived_at is not null
    and p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd > coalesce(pending.amount, 0)
$$;

-- Payments that were posted after their workspace was archived and have not gone back to the payer in full: with what was
-- paid, fee included, and what of it is still in the credit. The fee goes back last.
create or replace function closed_payments() returns table (
  workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint,
  paid_at timestamptz
) language sql stable as $$
  select w.id, w.name, t.id, t.provider, t.amount_nano_usd + t.fee_nano_usd, greatest(0, t.amount_nano_usd - returned.amount),
    q.posted_at
  from workspaces w
  join top_ups t on t.workspace_id = w.id and t.state = 'paid' and t.payment_reference is not null
  join ledger_postings q on q.workspace_id = w.id and q.id = t.posting_id and q.posted_at > w.archived_at
  cross join lateral (
    select coalesce(sum(r.amount_nano_usd), 0)::bigint as amount from payment_reversals r
    where r.workspace_id = w.id and r.top_up_id = t.id and r.counted
  ) returned
  where w.archived_at is not null and t.amount_nano_usd + t.fee_nano_usd > returned.amount
$$;

-- `draw_leases`, whose locks end with it: a procedure may commit, if it has no settings of its own. Amounts are text, because a
-- number in JSON holds less than they do.
create or replace procedure commit_draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean, out leases json)
language plpgsql as $$
begin
  select json_agg(json_build_object(
      'ordinal', d.ordinal,
      'purse_id', d.purse_id::text,
      'limit_nano_usd', d.limit_nano_usd::text,
      'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
      'available_nano_usd', d.available_nano_usd::text,
      'granted_nano_usd', d.granted_nano_usd::text,
      'open', d.open,
      'mode', d.mode,
      'sequence', d.sequence::text,
      'raised_until_ms', extract(epoch from d.raised_until) * 1000
    )) into leases
    from draw_leases(p_epoch, p_requests, p_waits) d;
  commit;
end $$;

-- `draw_permits`, whose locks end with it.
create or replace procedure commit_draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean, out permits json)
language plpgsql as $$
begin
  select json_agg(d) into permits from draw_permits(p_epoch, p_draws, p_now_ms, p_waits) d;
  commit;
end $$;

-- `look_up_keys`, whose locks end with it.
create or replace procedure commit_look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  out principals json, out leases json, out permits json,
  p_members boolean default false
) language plpgsql as $$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens, p_members
    ) l;
  commit;
end $$;

-- `reap_epoch`, whose locks end with it, where the epoch is fenced.
create or replace procedure commit_reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql as $$
begin
  select r.last_purse, r.busy into last_purse, busy
    from epochs cross join lateral reap_epoch(id, p_after, p_most, p_waits) r
    where id = p_epoch and fenced_at is not null;
  commit;
end $$;

-- `release_leases`, whose locks end with it.
create or replace procedure commit_release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean, out free bigint[]
) language plpgsql as $$
begin
  free := array(select release_leases(p_epoch, p_purses, p_charged, p_sequences, p_waits));
  commit;
end $$;

-- `settle_late_receipts`, with the claims that the receipts complete; its locks end with it.
create or replace procedure commit_settle_late_receipts(
  p_epoch bigint, p_receipts jsonb,
  p_workspaces uuid[], p_keys uuid[], p_idempotency_keys text[], p_requests uuid[], p_answers bytea[]
) language plpgsql as $$
begin
  perform settle_late_receipts(p_epoch, p_receipts);
  perform complete_idempotent_requests(p_workspaces, p_keys, p_idempotency_keys, p_requests, p_answers);
  commit;
end $$;

-- `settle_receipts`, or `settle_receipts_again`, with the claims that the receipts complete, if any; its locks end with it.
create or replace procedure commit_settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_claim_workspaces uuid[] default null, p_claim_keys uuid[] default null, p_idempotency_keys text[] default null,
  p_claim_requests uuid[] default null, p_answers bytea[] default null,
  p_is_repeat boolean default false, p_extras jsonb[] default '{}'
) language plpgsql as $$
begin
  if p_is_repeat then
    perform settle_receipts_again(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
    );
  else
    perform settle_receipts(
      p_epoch, p_purses, p_amounts, p_context_ids, p_context_numbers, p_context_texts,
      p_requests, p_charges, p_numbers, p_attempts, p_client_requests, p_extras
    );
  end if;
  if p_claim_requests is not null then
    perform complete_held_claims(p_claim_workspaces, p_claim_keys, p_idempotency_keys, p_claim_requests, p_answers);
  end if;
  commit;
end $$;

-- Completes the claims of receipts that are settled by their leases. If a claim is no longer its request's, the batch is
-- refused (FG003): that receipt is settled late, by itself.
create or replace function complete_held_claims(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_gone bigint;
begin
  perform lock_claims(p_workspace, p_key, p_idempotency_key);
  perform complete_idempotent_requests(p_workspace, p_key, p_idempotency_key, p_request, p_answer);
  select count(*) into v_gone
    from unnest(p_workspace, p_key, p_idempotency_key, p_request) as q (workspace, key, idempotency_key, request)
    where not exists (
      select from idempotent_requests i
      where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
        and i.request_id = q.request
    );
  if v_gone > 0 then
    raise exception '% claims of idempotency keys are gone', v_gone using errcode = 'FG003';
  end if;
end $$;

-- Completes claims with their answers; each only by the request that holds it.
create or replace function complete_idempotent_requests(
  p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[]
) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  update idempotent_requests i set completed_at = now(), answer = q.answer
  from unnest(p_workspace, p_key, p_idempotency_key, p_request, p_answer) as q (workspace, key, idempotency_key, request, answer)
  where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    and i.request_id = q.request and i.completed_at is null;
$$;

-- Corrects what a request is charged: posts the difference as an adjustment that names the receipt, and counts it in the
-- project's, the member's and the key's purse that the receipt charged, and in the buckets of usage that it is counted in, or will be.
-- The purses of an end user and a session get it too, but no record of it, because they are pruned.
create or replace function correct_receipt(
  p_id uuid, p_workspace uuid, p_request uuid, p_charge bigint, p_actor text, p_reason text, p_once text
) returns posted language plpgsql as $$
declare
  r posted;
  v_receipt record;
  v_corrected bigint;
  v_until bigint;
begin
  perform bound_transaction();
  -- Before any purse is locked: what counts receipts holds it for moments. See src/control/usage/folding.ts.
  perform pg_advisory_xact_lock(lock_number(4611220105103825));
  select charge_nano_usd as charge, hold_nano_usd as hold, credit_purse_id as credit,
      array_remove(array[project_purse_id, key_purse_id, member_purse_id], null) as purses,
      array_remove(array[end_user_purse_id, session_purse_id], null) as brief
    into strict v_receipt from receipts where workspace_id = p_workspace and request_id = p_request;
  if p_charge < 0 or p_charge > v_receipt.hold then
    raise exception 'a request is charged from nothing to what it held' using errcode = 'check_violation';
  end if;
  perform from purses where id = any (v_receipt.purses || v_receipt.brief || v_receipt.credit::bigint) order by id for no key update;
  -- Another correction may have been made while this one waited for the locks.
  if p_once is not null then
    select q into r.posting from postings q where q.workspace_id = p_workspace and q.once = p_once;
    if found then
      select coalesce(sum(q.amount_nano_usd), 0) into v_until from postings q
        where q.workspace_id = p_workspace and q.receipt_request_id = p_request and q.number <= (r.posting).number;
      r.outcome := case
        when (r.posting).receipt_request_id = p_request and (r.posting).reason = p_reason
          and v_receipt.charge - v_until = p_charge then 'repeated'
        else 'other_once'
      end;
      return r;
    end if;
  end if;
  select coalesce(sum(q.amount_nano_usd), 0) into v_corrected from postings q
    where q.workspace_id = p_workspace and q.receipt_request_id = p_request;
  if v_receipt.charge - v_corrected = p_charge then
    r.outcome := 'unchanged';
    return r;
  end if;
  r := post_credit(
    p_id, p_workspace, 'adjustment', v_receipt.charge - v_corrected - p_charge, p_actor, p_reason, p_once, p_request);
  if r.outcome = 'posted' then
    insert into purse_corrections (posting_id, purse_id, amount_nano_usd)
      select p_id, purse, (r.posting).amount_nano_usd from unnest(v_receipt.purses) as purse;
    update purses set corrected_nano_usd = corrected_nano_usd + (r.posting).amount_nano_usd
      where id = any (v_receipt.purses || v_receipt.brief);
    insert into changes (kind, subject_id)
      select 'purse', purse::text from unnest(v_receipt.purses || v_receipt.brief) as purse;
    perform correct_usage(p_workspace, p_request, (r.posting).amount_nano_usd);
  end if;
  return r;
end $$;

-- Counts the correction of a receipt in all buckets that the receipt is in, or will be once it is counted. Buckets are
-- described in src/control/usage/.
create or replace function correct_usage(p_workspace uuid, p_request uuid, p_amount bigint) returns void
language plpgsql as $$
declare
  c_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  c_origin constant timestamptz := '2000-01-01 00:00:00+00';
  -- Of the id's time, its first 48 bits in milliseconds: weeks since Monday, 29 December 1969.
  v_week constant integer := (
    ('x' || translate(left(p_request::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000;
begin
  -- Those that are still to be made will have it.
  if not exists (select from usage_folding where v_week <> all (unbuilt)) then
    return;
  end if;
  insert into usage_hours as known (workspace_id, starts_at, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_days as known (workspace_id, starts_at, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_hours as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, week, corrected_nano_usd)
    select workspace_id, date_bin('1 hour', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, v_week, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome, week) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_days as known (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, corrected_nano_usd)
    select workspace_id, date_bin('1 day', admitted_at, c_origin), key_id, project_id, model, dialect, outcome, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_key_months as known (workspace_id, starts_at, key_id, project_id, corrected_nano_usd)
    select workspace_id, date_trunc('month', admitted_at, 'UTC'), key_id, project_id, p_amount
    from receipts where workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, key_id) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
  insert into usage_member_days as known (workspace_id, starts_at, member, project_id, model, dialect, outcome, corrected_nano_usd)
    select receipts.workspace_id, date_bin('1 day', admitted_at, c_origin), coalesce(created_by, c_nobody), receipts.project_id,
      model, dialect, outcome, p_amount
    from receipts join keys on keys.id = key_id where receipts.workspace_id = p_workspace and request_id = p_request
    on conflict (workspace_id, starts_at, member, project_id, model, dialect, outcome) do update set corrected_nano_usd = known.corrected_nano_usd + p_amount;
end $$;

-- Counts the charges of a workspace, up to this total, against its grants that expire. Charges between two changes of the grants
-- meet the same grants in the same order, so their sum says what is left of each. The caller has locked the purse.
create or replace function count_grants(p_workspace uuid, p_charged numeric) returns void language plpgsql as $$
declare
  c grant_counts;
  v_other numeric;
begin
  insert into grant_counts (workspace_id, charged_nano_usd, other_nano_usd) values (p_workspace, p_charged, 0)
    on conflict (workspace_id) do nothing;
  select * into c from grant_counts where workspace_id = p_workspace;
  v_other := take_from_grants(p_workspace, p_charged - c.charged_nano_usd);
  update grant_counts set charged_nano_usd = p_charged, other_nano_usd = c.other_nano_usd + v_other
    where workspace_id = p_workspace and charged_nano_usd < p_charged;
end $$;

-- Counts the version of a row that people edit, whichever statement changes it.
create or replace function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- Deletes a stored response; all of those with the same id. Returns whether there was one. Others may have its place
-- immediately.
create or replace function delete_response(p_workspace uuid, p_response text) returns boolean
language plpgsql set enable_seqscan = off as $$
declare
  v_bytes bigint;
begin
  perform bound_transaction();
  with gone as (
    delete from stored_responses
      where workspace_id = p_workspace and response_id = p_response and expires_at > now()
      returning octet_length(items)::bigint + octet_length(response) as bytes
  )
  select sum(bytes) into v_bytes from gone;
  if v_bytes is null then
    return false;
  end if;
  update stored_response_bytes set bytes = greatest(0, bytes - v_bytes) where workspace_id = p_workspace;
  return true;
end $$;

-- Sets each lease to what the process keeps plus what the purse can add. A request whose sequence number was applied
-- before changes nothing and reports the lease as it stands, with the number that it stands by; a first one that finds a
-- lease reports nothing. A purse that another transaction has locked is passed over, and has no row in the result; with
-- `p_waits` its lock is waited for, briefly.
--
-- A brief purse from which nothing is granted gets no row, and no lease: its figures have the id 0 where it has no row.
--
-- A new lease is written once its purse is locked, so that no two transactions ever wait for each other with it. The
-- requests come as `find_purses` returns them.
create or replace function draw(p_epoch bigint, p_requests draw_request[], p_waits boolean)
returns table (
  ordinal integer, subject_id uuid, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint,
  available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint, raised_until timestamptz
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_request draw_request;
  r record;
  v_requests draw_request[] := p_requests;
  v_available bigint;
  v_in_use bigint;
  v_taken bigint;
  v_needed bigint;
  v_need bigint;
  v_unmet boolean;
  v_ahead bigint;
  v_applies boolean;
  v_asks boolean;
  v_purses bigint[] := '{}';
  v_granted bigint[] := '{}';
  v_open boolean[] := '{}';
  v_sequences bigint[] := '{}';
  v_leased bigint[] := '{}';
  v_modes text[] := '{}';
begin
  perform require_live_epoch(p_epoch);

  perform wait_briefly();
  if v_requests[1].purse is null then
    if p_waits then
      perform from unnest(v_requests) q cross join lateral (
        select from keys k where q.purse is null and q.kind = 'key' and k.id = q.subject_id for no key update
      ) k;
      perform from unnest(v_requests) q cross join lateral (
        select from projects x where q.purse is null and q.kind = 'project' and x.id = q.subject_id for no key update
      ) x;
      perform from unnest(v_requests) q cross join lateral (
        select from member_limits m where q.purse is null and q.kind = 'member' and m.id = q.subject_id for no key update
      ) m;
    end if;
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    foreach v_request in array v_requests loop
      exit when v_request.purse is not null;
      if v_request.kind in ('end_user', 'session') then
        select s.limit_nano_usd into limit_nano_usd
          from served_limit(v_request.workspace_id, v_request.project_id, v_request.kind, v_request.subject_id) s;
        if not found then
          raise exception 'no project % to open a purse for', v_request.project_id;
        end if;
        ordinal := v_request.ordinal;
        subject_id := v_request.subject_id;
        purse_id := 0;
        spent_by_others_nano_usd := 0;
        available_nano_usd := limit_nano_usd;
        granted_nano_usd := 0;
        open := false;
        mode := 'wet';
        raised_until := null;
        sequence := v_request.sequence;
        return next;
        continue;
      end if;
      if not exists (
        select from keys k
        where v_request.kind = 'key' and k.id = v_request.subject_id and (k.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from projects x
        where v_request.kind = 'project' and x.id = v_request.subject_id and (x.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from member_limits m
        where v_request.kind = 'member' and m.id = v_request.subject_id and (m.workspace_id = v_request.workspace_id) is true
      ) then
        raise exception 'no % % to open a purse for', v_request.kind, v_request.subject_id;
      end if;
    end loop;
  end if;
  v_requests := array(
    select u from unnest(v_requests) u
    join unnest(lock_purses(p_epoch, array(select x.purse from unnest(v_requests) x where x.purse is not null), p_waits))
      as locked (purse) on locked.purse = u.purse
    order by u.purse
  );

  if exists (select from unnest(v_requests) q where q.kind in ('end_user', 'session')) then
    perform renew_limits(v_requests);
  end if;

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.) A raise counts until the
  -- beginning of this transaction at most, and its end is returned with what was granted by it.
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      q.kind in ('end_user', 'session') as is_brief,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      limit_now(p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until) as purse_limit,
      case when p.raised_until > now() and p.raised_limit_nano_usd > p.limit_nano_usd then p.raised_until end as purse_raised_until,
      p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
      p.leased_nano_usd as leased, p.mode as purse_mode,
      o.charged_by_others, o.charged_closed, o.charged_foreign_open, o.is_foreign_open
    from unnest(v_requests) q
    cross join lateral (select * from purses x where x.id = q.purse offset 0) p
    left join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l on true
    cross join lateral (
      -- Another epoch's open lease has no bound yet, so nothing is drawn until it has turned into a closed one; that of
      -- a fenced epoch grows no more, so its charges are all it will take.
      select coalesce(sum(x.charged_nano_usd) filter (where x.epoch_id <> p_epoch), 0)::bigint as charged_by_others,
        coalesce(sum(x.charged_nano_usd) filter (where not x.open), 0)::bigint as charged_closed,
        coalesce(sum(x.charged_nano_usd) filter (where x.open and x.epoch_id <> p_epoch), 0)::bigint
          as charged_foreign_open,
        coalesce(bool_or(case when x.open and x.epoch_id <> p_epoch then
          (select e.fenced_at is null from epochs e where e.id = x.epoch_id)
        end), false) as is_foreign_open
      from leases x where x.purse_id = q.purse
    ) o
  loop
    v_applies := case when r.is_first then r.lease_sequence = 0 else r.lease_sequence < r.sequence end;
    continue when r.is_first and not v_applies and r.lease_sequence <> r.sequence;
    v_asks := false;
    if r.is_brief and r.lease_sequence = 0 and r.keep = 0 then
      v_available := r.purse_limit - r.spent - r.leased - r.charged_foreign_open;
      v_asks := not exists (
        select from unnest(r.needs) as n (need)
        where r.purse_limit is null or (n.need <= v_available and not r.is_foreign_open)
      );
      v_applies := not v_asks;
    end if;

    if v_applies then
      if not r.is_open then
        r.leased := r.leased - r.granted;
      elsif r.purse_limit is not null then
        r.charged_closed := r.charged_closed + r.charged;
      end if;

      if r.purse_limit is null then
        r.is_open := true;
        r.granted := 0;
      else
        v_available := r.purse_limit - r.spent - r.leased - r.charged_foreign_open - r.keep;
        v_in_use := r.leased + r.keep - r.charged_closed;
        v_taken := 0;
        v_unmet := false;
        foreach v_need in array r.needs loop
          if v_need <= v_available + r.slack - v_taken and not r.is_foreign_open then
            v_taken := v_taken + v_need;
          else
            v_unmet := true;
          end if;
        end loop;
        v_needed := greatest(0, v_taken - r.slack);
        v_ahead := case when r.is_foreign_open then 0 else least(r.ahead, greatest(0, v_available / 8)) end;

        if r.purse_mode = 'wet'
            and (v_unmet or v_available - v_needed - v_ahead < 2::numeric * (v_in_use + v_needed + v_ahead)) then
          r.purse_mode := 'dry';
          insert into changes (kind, subject_id) values ('purse', r.purse::text);
        elsif r.purse_mode = 'dry' and not v_unmet and v_available - v_needed > 4::numeric * (v_in_use + v_needed) then
          r.purse_mode := 'wet';
        end if;

        r.is_open := false;
        r.granted := r.keep + v_needed + case when r.purse_mode = 'wet' then v_ahead else 0 end;
        r.leased := r.leased + r.granted;
      end if;

      v_purses := v_purses || r.purse;
      v_granted := v_granted || r.granted;
      v_open := v_open || r.is_open;
      v_sequences := v_sequences || r.sequence;
      v_leased := v_leased || r.leased;
      v_modes := v_modes || r.purse_mode;
    end if;

    ordinal := r.ordinal;
    subject_id := r.subject_id;
    purse_id := r.purse;
    limit_nano_usd := r.purse_limit;
    spent_by_others_nano_usd := r.spent + r.charged_by_others;
    available_nano_usd := r.purse_limit - r.spent - r.leased - r.charged_foreign_open;
    granted_nano_usd := r.granted;
    open := r.is_open;
    mode := r.purse_mode;
    raised_until := r.purse_raised_until;
    sequence := case when v_applies or v_asks then r.sequence else r.lease_sequence end;
    return next;
  end loop;

  if v_purses <> '{}' then
    update purses x set leased_nano_usd = q.leased, mode = q.mode
      from unnest(v_purses, v_leased, v_modes) as q (purse, leased, mode)
      where x.id = any (array[q.purse])
        and (x.leased_nano_usd, x.mode) is distinct from (q.leased, q.mode);
    insert into leases as l (epoch_id, purse_id, granted_nano_usd, open, sequence)
      select p_epoch, q.purse, q.granted, q.is_open, q.sequence
      from unnest(v_purses, v_granted, v_open, v_sequences) as q (purse, granted, is_open, sequence)
      on conflict (epoch_id, purse_id) do update set
        granted_nano_usd = excluded.granted_nano_usd, open = excluded.open, sequence = excluded.sequence;
  end if;
end $$;

-- The draw of a process that knows its leases, with the requests as JSON.
create or replace function draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean)
returns table (
  ordinal integer, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint,
  granted_nano_usd bigint, open boolean, mode text, sequence bigint,
  raised_until timestamptz
) language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence, d.raised_until
  from draw(p_epoch, find_purses(array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, false, null, q.project_id
    )::draw_request
    from jsonb_to_recordset(p_requests) as q (
      ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
      window_start timestamptz, window_end timestamptz,
      sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint, project_id uuid
    )
  )), p_waits) d;
end $$;

-- Each draw brings the process's stock and corrections to it, takes what waits (each need is one request, one slot and
-- that many tokens: all or nothing), and returns the stock from now on. A draw whose sequence number was applied before
-- changes nothing and gets the same reply; a first one, of a process that doesn't know whether it has any stock, skips a
-- project that it has stock of. A project that another transaction has locked is passed over, and has no row in the
-- result; with `p_waits` its lock is waited for, briefly. Buckets are locked in order; no lock on money is ever taken.
-- Stock of fenced epochs counts for nothing. `p_now_ms` is the database's own clock unless given.
create or replace function draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean)
returns table (
  ordinal integer, requests_per_minute bigint, tokens_per_minute bigint, concurrency bigint, requests bigint, tokens bigint,
  slots bigint, granted boolean[], waits_ms bigint[], short_of text[], request_parts bigint, token_parts bigint,
  slots_left bigint, share double precision
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  r record;
  p record;
  o record;
  b rate_buckets;
  l rate_leases;
  v_now bigint;
  v_need bigint;
  v_fits boolean;
  v_granted bigint;
  v_is_new boolean;
  v_wait_requests bigint;
  v_wait_tokens bigint;
  v_wait_slots bigint;
  v_call_back boolean;
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  if p_waits then
    perform from (
      select * from jsonb_to_recordset(p_draws) as u (workspace_id uuid, project_id uuid)
      order by u.workspace_id, u.project_id
    ) q cross join lateral (
      select from rate_buckets x where x.workspace_id = q.workspace_id and x.project_id = q.project_id for update
    ) x;
  end if;

  for r in
    select * from jsonb_to_recordset(p_draws) as q (
      ordinal integer, workspace_id uuid, project_id uuid, is_first boolean, sequence bigint, taken bigint,
      running bigint, stock_requests bigint, stock_tokens bigint, stock_slots bigint,
      keep_requests bigint, keep_tokens bigint, keep_slots bigint,
      returned_requests bigint, returned_tokens bigint,
      target_requests bigint, target_tokens bigint, target_slots bigint, needs bigint[]
    ) order by q.workspace_id, q.project_id
  loop
    select * into b from rate_buckets
      where workspace_id = r.workspace_id and project_id = r.project_id for update skip locked;
    if not found then
      -- A project's row that is locked says that somebody else makes its bucket, or changes its limits.
      insert into rate_buckets (workspace_id, project_id)
        select x.workspace_id, x.id from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id
          and not exists (select from rate_buckets y where y.workspace_id = x.workspace_id and y.project_id = x.id)
        for no key update skip locked
        on conflict do nothing;
      select * into b from rate_buckets
        where workspace_id = r.workspace_id and project_id = r.project_id for update skip locked;
      continue when not found and exists (
        select from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id
      );
    end if;
    -- A project that is gone has no limits, and its keys don't work any more.
    select x.requests_per_minute::bigint as rpm, x.concurrency::bigint as slots,
        case when x.tokens_per_minute is not null then least(x.tokens_per_minute, 10000000000000) end as tpm
      into p from projects x where x.workspace_id = r.workspace_id and x.id = r.project_id;
    v_now := coalesce(p_now_ms, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
    select coalesce(sum(x.requests), 0)::bigint as requests, coalesce(sum(x.tokens), 0)::bigint as tokens,
        coalesce(sum(x.slots + x.running), 0)::bigint as slots,
        coalesce(sum(permits_taken(x.minute, x.taken, x.taken_before, v_now)), 0) as taken
      into o from rate_leases x
      where x.workspace_id = r.workspace_id and x.project_id = r.project_id and x.epoch_id <> p_epoch
        and (select e.fenced_at is null from epochs e where e.id = x.epoch_id);
    select * into l from rate_leases
      where workspace_id = r.workspace_id and project_id = r.project_id and epoch_id = p_epoch;
    if not found then
      l := (r.workspace_id, r.project_id, p_epoch, 0, 0, 0, 0, 0, '{}', 0, 0, 0);
    end if;

    b.request_parts := permit_parts(b.request_parts, p.rpm, v_now - b.refilled_ms, o.requests + l.requests);
    b.token_parts := permit_parts(b.token_parts, p.tpm, v_now - b.refilled_ms, o.tokens + l.tokens);
    b.refilled_ms := v_now;
    slots_left := p.slots - o.slots - l.running - l.slots;
    v_is_new := r.sequence > l.sequence
      and not (r.is_first is true and (l.requests <> 0 or l.tokens <> 0 or l.slots <> 0 or l.running <> 0));
    continue when r.is_first is true and not v_is_new and r.sequence <> l.sequence;

    if v_is_new then
      b.request_parts := permit_parts(
        b.request_parts + (r.stock_requests + r.returned_requests) * 60000::numeric, p.rpm, 0, o.requests);
      b.token_parts := permit_parts(
        b.token_parts + (r.stock_tokens + r.returned_tokens) * 60000::numeric, p.tpm, 0, o.tokens);
      slots_left := p.slots - o.slots - r.running;

      l.granted := '{}';
      v_granted := 0;
      foreach v_need in array r.needs loop
        v_fits := coalesce(b.request_parts >= 60000, true)
          and coalesce(b.token_parts >= least(v_need, p.tpm) * 60000, true)
          and coalesce(slots_left >= 1, true);
        l.granted := l.granted || v_fits;
        if v_fits then
          b.request_parts := b.request_parts - 60000;
          b.token_parts := b.token_parts - least(v_need, p.tpm) * 60000;
          slots_left := slots_left - 1;
          v_granted := v_granted + 1;
        end if;
      end loop;

      -- While anybody is refused, nothing is stocked.
      if v_granted < cardinality(r.needs) then
        r.target_requests := 0;
        r.target_tokens := 0;
        r.target_slots := 0;
      end if;
      l.requests := permit_stock(b.request_parts / 60000, p.rpm, r.keep_requests, r.target_requests);
      l.tokens := permit_stock(b.token_parts / 60000, p.tpm, r.keep_tokens, r.target_tokens);
      l.slots := permit_stock(slots_left, p.slots, r.keep_slots, r.target_slots);
      l.running := r.running + v_granted;
      b.request_parts := b.request_parts - l.requests * 60000;
      b.token_parts := b.token_parts - l.tokens * 60000;
      slots_left := slots_left - l.slots;

      l.taken_before := case v_now / 60000 - l.minute when 0 then l.taken_before when 1 then l.taken else 0 end;
      l.taken := case when l.minute = v_now / 60000 then l.taken else 0 end + r.taken + v_granted;
      l.minute := v_now / 60000;
      l.sequence := r.sequence;
    end if;

    waits_ms := '{}';
    short_of := '{}';
    v_call_back := false;
    for i in 1 .. cardinality(l.granted) loop
      v_wait_requests := permit_wait_ms(b.request_parts, 60000, p.rpm, o.requests);
      v_wait_tokens := permit_wait_ms(b.token_parts, least(r.needs[i], p.tpm) * 60000, p.tpm, o.tokens);
      v_wait_slots := case when slots_left < 1 then 1000 else 0 end;
      if l.granted[i] then
        waits_ms := waits_ms || 0::bigint;
        short_of := short_of || null::text;
      else
        waits_ms := waits_ms || greatest(1, v_wait_requests, v_wait_tokens, v_wait_slots);
        short_of := short_of || case greatest(v_wait_requests, v_wait_tokens, v_wait_slots)
          when v_wait_requests then 'requests' when v_wait_tokens then 'tokens' else 'concurrency' end;
        v_call_back := v_call_back or (v_wait_requests > 0 and o.requests > 0)
          or (v_wait_tokens > 0 and o.tokens > 0) or (v_wait_slots > 0 and o.slots > 0);
      end if;
    end loop;

    if v_is_new and b.project_id is not null then
      if v_call_back and abs(v_now - b.called_back_ms) >= 1000 then
        b.called_back_ms := v_now;
        insert into changes (kind, subject_id) values ('rate', r.project_id::text);
      end if;
      update rate_buckets set
        request_parts = b.request_parts, token_parts = b.token_parts,
        refilled_ms = b.refilled_ms, called_back_ms = b.called_back_ms
        where workspace_id = r.workspace_id and project_id = r.project_id;
      insert into rate_leases select l.*
        on conflict (workspace_id, project_id, epoch_id) do update set
          sequence = l.sequence, requests = l.requests, tokens = l.tokens, slots = l.slots, running = l.running,
          granted = l.granted, minute = l.minute, taken = l.taken, taken_before = l.taken_before;
    end if;

    ordinal := r.ordinal;
    requests_per_minute := p.rpm;
    tokens_per_minute := p.tpm;
    concurrency := p.slots;
    requests := l.requests;
    tokens := l.tokens;
    slots := l.slots;
    granted := l.granted;
    request_parts := b.request_parts;
    token_parts := b.token_parts;
    share := permits_taken(l.minute, l.taken, l.taken_before, v_now);
    share := case when share + o.taken > 0 then share / (share + o.taken) else 0 end;
    return next;
  end loop;
end $$;

-- Ends the connections that keep an epoch from being fenced: their statements have run, or can't end, and their process may
-- stand still for good. Returns how many; none if this role may not.
create or replace function end_statements_of(p_epoch bigint) returns integer language plpgsql as $$
declare
  v_waiting integer[];
begin
  v_waiting := array(
    select l.pid from epochs e join pg_locks l on l.locktype = 'tuple' and l.relation = 'epochs'::regclass
      and l.database = (select oid from pg_database where datname = current_database())
      and format('(%s,%s)', l.page, l.tuple)::tid = e.ctid
    where e.id = p_epoch
  );
  return (
    select count(*) filter (where pg_terminate_backend(pid))
    from (select distinct unnest(pg_blocking_pids(waiting)) as pid from unnest(v_waiting) as waiting) blocking
    where pid <> all (v_waiting)
  );
exception when insufficient_privilege then
  return 0;
end $$;

-- Posts what has expired of a grant, whichever process does it first. Money in leases is left for the requests that were running:
-- the first time all that is not leased is taken; later, what is certain to have come back, because it is more than all leases
-- have; a day later no such request runs any more, and what is missing then is owed. Returns whether it is at its end.
create or replace function expire_grant(p_workspace uuid, p_posting uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
  g expiring_grants;
  v_charged bigint;
  v_free bigint;
  v_taken bigint;
  r posted;
begin
  perform bound_transaction();
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  perform count_grants(p_workspace, p.spent_nano_usd + v_charged);
  select * into g from expiring_grants where workspace_id = p_workspace and posting_id = p_posting;
  if g.ended_at is not null or g.expires_at > clock_timestamp() then
    return g.ended_at is not null;
  end if;
  v_free := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd;
  v_taken := case
    when g.looked_at < clock_timestamp() - interval '1 day' then g.rest_nano_usd
    when g.looked_at is null then least(g.rest_nano_usd, v_free)
    else least(v_free, greatest(0, g.rest_nano_usd - (p.leased_nano_usd - v_charged)))
  end;
  update expiring_grants set rest_nano_usd = rest_nano_usd - v_taken, expired_nano_usd = expired_nano_usd + v_taken,
      looked_at = coalesce(looked_at, clock_timestamp()),
      ended_at = case when rest_nano_usd = v_taken then clock_timestamp() end
    where workspace_id = p_workspace and posting_id = p_posting;
  if v_taken > 0 then
    r := post_credit(gen_random_uuid(), p_workspace, 'expiry', -v_taken, p_actor,
      format('expired on %s', to_char(g.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')),
      format('expiry:%s:%s', p_posting, g.expired_nano_usd), null);
    if r.outcome <> 'posted' then
      raise exception 'the expiry of the grant % could not be posted: %', p_posting, r.outcome;
    end if;
  end if;
  if g.rest_nano_usd > v_taken then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
  end if;
  return g.rest_nano_usd = v_taken;
end $$;

-- Declares an epoch dead; with a heartbeat, only if it has sent none since. The exclusive lock waits for the epoch's
-- statements that are under way, so that none of them follows once this has returned. False: it lives, or there is none.
create or replace function fence_epoch(p_epoch bigint, p_heartbeat timestamptz) returns boolean language plpgsql as $$
declare
  e epochs;
begin
  select * into e from epochs where id = p_epoch for update;
  if not found or e.fenced_at is null and e.heartbeat_at <> p_heartbeat then
    return false;
  end if;
  update epochs set fenced_at = clock_timestamp() where id = p_epoch and fenced_at is null;
  return true;
end $$;

-- Resolves keys to their holders by the SHA-256 of their secrets, those of rotated keys included as long as they hold. No
-- row: the key is unknown, disabled or revoked, or its project or workspace is archived or being closed.
create or replace function find_principals(p_secrets bytea[])
returns table (
  ordinal integer,
  workspace_id uuid,
  project_id uuid,
  key_id uuid,
  project_models text[],
  key_models text[],
  expires_ms double precision,
  requests_per_minute bigint,
  tokens_per_minute bigint,
  concurrency bigint,
  budget_period text,
  reports_cost boolean,
  suspension_reason text,
  workspace_networks text[],
  key_networks text[],
  member_limit_id uuid,
  end_user_period text,
  limits_sessions boolean,
  model_when_spent text
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from least(k.expires_at, k.secret_expires_at)) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period,
      p.reports_cost, w.suspension_reason, a.allowed_networks, k.allowed_networks, m.id,
      case when p.end_user_limit_nano_usd is not null then p.end_user_period end, p.session_limit_nano_usd is not null,
      p.model_when_spent
    from unnest(p_secrets) with ordinality as q (secret, number)
    cross join lateral (
      select x.*, null::timestamptz as secret_expires_at from keys x where x.secret_sha256 = q.secret
      union all
      select x.*, s.expires_at from former_secrets s
      cross join lateral (select * from keys y where y.id = s.key_id offset 0) x
      where s.secret_sha256 = q.secret
      offset 0
    ) k
    cross join lateral (select * from projects x where x.id = k.project_id offset 0) p
    cross join lateral (select * from workspaces x where x.id = k.workspace_id offset 0) w
    left join lateral (select * from workspace_access x where x.workspace_id = k.workspace_id offset 0) a on true
    left join lateral (
      select id from member_limits x
      where x.workspace_id = k.workspace_id and x.user_id = k.created_by and x.monthly_limit_nano_usd is not null
      offset 0
    ) m on true
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where k.revoked_at is null and k.disabled_at is null and p.archived_at is null and w.archived_at is null
      and w.closing_at is null;
end $$;

-- The requests with the ids of their purses, in the order in which leases and purses are locked.
create or replace function find_purses(p_requests draw_request[]) returns draw_request[]
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first, p.id, q.project_id
    )::draw_request
    from unnest(p_requests) q
    left join lateral (
      select id from purses x
      where x.workspace_id = q.workspace_id and x.kind = q.kind and x.subject_id = q.subject_id
        and x.period = q.period and x.window_start = q.window_start
      offset 0
    ) p on true
    order by p.id nulls first
  );
end $$;

-- The items of a response and of those that it goes on from, as far as they are stored, the oldest first, in pieces; with
-- p_input_only, of the response itself its request's items alone. No row: there is no such response. The first row names a
-- previous response if that is gone. There are no pieces if all together are longer than p_bytes_max, or more than p_depth_max.
create or replace function find_response_chain(
  p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer, p_input_only boolean default false
) returns table (
  request_id uuid, previous_request_id uuid, is_too_large boolean, input_length integer, encrypted boolean, piece bytea
)
language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, l.length, l.length::bigint as bytes
      from stored_responses r
      cross join lateral (select case when p_input_only then r.input_length else octet_length(r.items) end as length) l
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, octet_length(r.items), c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  ), fit as (
    select max(bytes) > p_bytes_max or max(depth) > p_depth_max as is_too_large from chain
  )
  select c.request_id, c.previous_request_id, fit.is_too_large, r.input_length, r.encrypted,
    substring(r.items from p.at + 1 for least(262144, c.length - p.at))
  from chain c
  cross join fit
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, c.length - 1, 262144) as p (at) on not fit.is_too_large
  order by c.depth desc, p.at
$$;

-- Single items of answers, by their ids; of several with the same id, the newest. `bytes` are the items of the answer, encrypted,
-- once for each answer; of one in clear the item itself. They are null if all together are longer than p_bytes_max. An item
-- has no length if nothing of it can be sent again.
create or replace function find_response_items(p_workspace uuid, p_items text[], p_bytes_max bigint)
returns table (
  item_id text, request_id uuid, starts_at integer, length integer, encrypted boolean, is_too_large boolean, bytes bytea
) language sql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
  with found as (
    select f.*, row_number() over (partition by f.request_id order by f.item_id) = 1 as is_first
    from unnest(p_items) as q (id)
    cross join lateral (
      select i.* from stored_response_items i
      join stored_responses s on s.request_id = i.request_id and s.expires_at > now()
      where i.workspace_id = p_workspace and i.item_id = q.id
      order by i.request_id desc limit 1
    ) f
  ), measured as (
    select f.item_id, f.request_id, f.starts_at, f.length, f.is_first, r.encrypted, r.input_length, r.items,
      sum(
        case
          when not r.encrypted then f.length
          when f.is_first then octet_length(r.items) - r.input_length
          else 0
        end
      ) over () > p_bytes_max as is_too_large
    from found f
    join stored_responses r on r.request_id = f.request_id
  )
  select m.item_id, m.request_id, m.starts_at, m.length, m.encrypted, m.is_too_large,
    case
      when m.is_too_large then null
      when not m.encrypted then substring(m.items from m.starts_at + 1 for m.length)
      when m.is_first then substring(m.items from m.input_length + 1)
    end
  from measured m
$$;

-- An id that never means two things, even after a failover to a server that lacks the last commits: sequences go back with
-- them. So it is made of the time as well: milliseconds since 1970, then twenty bits that count.
create or replace function fresh_id() returns bigint language sql volatile as $$
  select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575)
$$;

-- Gives back an epoch's leases of these purses, which the caller has locked.
create or replace function give_back_leases(p_epoch bigint, p_purses bigint[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  with gone as (
    delete from leases l using (select p_epoch as epoch, u.purse from unnest(p_purses) as u (purse) offset 0) q
    where l.epoch_id = any (array[q.epoch]) and l.purse_id = any (array[q.purse])
    returning l.purse_id, l.granted_nano_usd, l.charged_nano_usd, l.open
  )
  update purses p set
    spent_nano_usd = p.spent_nano_usd + g.charged_nano_usd,
    leased_nano_usd = p.leased_nano_usd - case when g.open then 0 else g.granted_nano_usd end
  from gone g where p.id = any (array[g.purse_id]);
end $$;

-- Gives back what a correction returns of a charge, in the reverse order of charging: to other credit, as far as that was charged
-- since the oldest grant that the charge may have come from, then to these grants, the latest expiry first. A grant that has
-- expired, or came after the receipt, gets nothing; what no grant takes is credit that doesn't expire.
create or replace function give_back_to_grants(p_workspace uuid, p_receipt uuid, p_amount numeric) returns void
language plpgsql as $$
declare
  v_settled timestamptz := (select settled_at from receipts where workspace_id = p_workspace and request_id = p_receipt);
  v_other numeric;
begin
  select least(p_amount, greatest(0, c.other_nano_usd - min(g.other_nano_usd))) into v_other
    from grant_counts c join expiring_grants g on g.workspace_id = c.workspace_id
    where c.workspace_id = p_workspace and g.ended_at is null and g.expires_at > clock_timestamp() and g.given_at < v_settled
    group by c.other_nano_usd;
  if v_other is null then
    return;
  end if;
  update grant_counts set other_nano_usd = other_nano_usd - v_other where workspace_id = p_workspace;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd + least(later.room, p_amount - v_other - later.amount)
    from (
      select posting_id, amount_nano_usd - rest_nano_usd as room,
        sum(amount_nano_usd - rest_nano_usd) over (order by expires_at desc, posting_id desc)
          - (amount_nano_usd - rest_nano_usd) as amount
      from expiring_grants
      where workspace_id = p_workspace and ended_at is null and expires_at > clock_timestamp() and given_at < v_settled
    ) later
    where g.workspace_id = p_workspace and g.posting_id = later.posting_id and later.amount < p_amount - v_other;
end $$;

-- Keeps audit events from being deleted, unless their chain says that they were dropped, and from being changed, unless
-- into what a redaction has made of them.
create or replace function keep_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (
      select from audit_links join audit_chains using (scope_id) where event_id = old.id and position <= dropped_to
    ) then
      return old;
    end if;
  elsif audit_event_digest(new) = (
    select event_sha256 from audit_redactions where event_id = old.id order by number desc limit 1
  ) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Keeps postings from being changed or deleted, but for the address of an actor who is erased: src/domain/erased.ts.
create or replace function keep_posting() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.actor like '%@erased.invalid' and to_jsonb(new) - 'actor' = to_jsonb(old) - 'actor' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Stores responses, which may be there already: a batch whose outcome was lost is sent again. All bytes come as one value,
-- because the elements of an array of bytes would come as text. Returns the requests whose responses are not stored, because
-- their workspace would have more than p_bytes_max; of those that don't fit together, each that fits is. The commit doesn't wait for the disk: everyone finds the responses
-- immediately, and a crash of the database loses those of the last three times wal_writer_delay at most, 0.6 seconds unless
-- configured otherwise. Preparing a statement costs as much as a response, so those that have nothing to do are left out.
--   p_spans         a row for each response: where its bytes start in p_bytes, counted from one; the lengths of its items,
--                   of those of its request among them, and of the answer, which follows them
--   p_item_numbers  a row for each item of an answer: the number of its response, counted from one; where it stands in the
--                   answer's items before they are encrypted, and its length
--   p_ancestors     the requests whose responses they go on from, which are kept as long as they are; a while longer, so
--                   that not every response changes them
create or replace function keep_responses(
  p_keep_ms bigint, p_bytes_max bigint, p_workspaces uuid[], p_requests uuid[], p_ids text[], p_previous uuid[],
  p_spans integer[], p_bytes bytea, p_item_ids text[], p_item_numbers integer[], p_ancestors uuid[]
) returns table (refused uuid)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_expires timestamptz := now() + p_keep_ms * interval '1 ms';
  v_with_room uuid[];
  v_refused uuid[] := '{}';
  v_one record;
begin
  perform bound_transaction(), set_config('synchronous_commit', 'off', true);
  with added as (
    select p_workspaces[i] as workspace_id, sum(p_spans[i][2] + p_spans[i][4]) as bytes
    from generate_series(1, cardinality(p_requests)) as i group by 1
  ), counted as (
    -- In the order of ids, as every process does it, so that none waits for another in a circle.
    insert into stored_response_bytes as b (workspace_id, bytes)
      select workspace_id, bytes from added where bytes <= p_bytes_max order by workspace_id
      on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
        where b.bytes + excluded.bytes <= p_bytes_max
      returning workspace_id
  )
  select coalesce(array_agg(workspace_id), '{}') into v_with_room from counted;
  if not p_workspaces <@ v_with_room then
    for v_one in
      select p_workspaces[i] as workspace, p_requests[i] as request, p_spans[i][2] + p_spans[i][4] as bytes
      from generate_series(1, cardinality(p_requests)) as i where p_workspaces[i] <> all (v_with_room)
      order by p_workspaces[i], i
    loop
      insert into stored_response_bytes as b (workspace_id, bytes)
        select v_one.workspace, v_one.bytes where v_one.bytes <= p_bytes_max
        on conflict (workspace_id) do update set bytes = b.bytes + excluded.bytes
          where b.bytes + excluded.bytes <= p_bytes_max;
      if not found then
        v_refused := v_refused || v_one.request;
      end if;
    end loop;
  end if;
  insert into stored_responses (
    request_id, workspace_id, response_id, previous_request_id, expires_at, items, input_length, response, encrypted
  )
  select p_requests[i], p_workspaces[i], p_ids[i], p_previous[i], v_expires,
    substring(p_bytes from p_spans[i][1] for p_spans[i][2]), p_spans[i][3],
    substring(p_bytes from p_spans[i][1] + p_spans[i][2] for p_spans[i][4]), true
  from generate_series(1, cardinality(p_requests)) as i
  where p_requests[i] <> all (v_refused)
  on conflict do nothing;
  insert into stored_response_items (workspace_id, item_id, request_id, starts_at, length)
  select p_workspaces[p_item_numbers[i][1]], p_item_ids[i], p_requests[p_item_numbers[i][1]],
    p_item_numbers[i][2], p_item_numbers[i][3]
  from generate_series(1, cardinality(p_item_ids)) as i
  where p_requests[p_item_numbers[i][1]] <> all (v_refused)
  on conflict do nothing;
  if p_ancestors <> '{}' then
    -- What is locked is being prolonged by another process.
    update stored_responses set expires_at = v_expires + p_keep_ms / 8 * interval '1 ms'
      where request_id in (
        select a.request_id from stored_responses a where a.request_id = any (p_ancestors) and a.expires_at < v_expires
          for no key update skip locked
      );
  end if;
  return query select unnest(v_refused);
end $$;

-- The purses that a receipt charges, credit first; null for one that is not there. The purse of the key's maker comes behind those of
-- each receipt, if there is one for the key's month, and those of an end user and a session last, if the receipt names them.
create or replace function late_purses(l late_receipt) returns bigint[] language sql stable as $$
  select array[
    (select id from purses p where p.id = l.credit_purse),
    coalesce(
      (select id from purses p where p.id = l.project_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'project' and p.subject_id = l.project
        and p.period = l.project_period and p.window_start = l.project_start)
    ),
    coalesce(
      (select id from purses p where p.id = l.key_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'key' and p.subject_id = l.key
        and p.period = l.key_period and p.window_start = l.key_start)
    )
  ] || array(
    select p.id from keys k
    join member_limits m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    join purses p on p.workspace_id = m.workspace_id and p.kind = 'member' and p.subject_id = m.id
      and p.period = l.key_period and p.window_start = l.key_start
    where k.workspace_id = l.workspace and k.id = l.key
  ) || array(select s.purse from late_served(l) s)
$$;

-- The receipts of one statement as rows.
create or replace function late_receipts(p_receipts jsonb) returns setof late_receipt language sql stable as $$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$$;

-- The end user and the session that a receipt is for, as it names their purses; `purse` is null for one that is not there.
create or replace function late_served(l late_receipt)
returns table (kind text, subject uuid, period text, window_start timestamptz, window_end timestamptz, purse bigint)
language sql stable as $$
  select s.kind, s.subject, s.period, s.window_start, s.window_end, coalesce(
      (select id from purses p where p.id = s.id and p.kind = s.kind and p.subject_id = s.subject),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = s.kind and p.subject_id = s.subject
        and p.period = s.period and p.window_start = s.window_start)
    )
  from jsonb_to_recordset(l.extras -> 'served') as s (
    kind text, id bigint, subject uuid, period text, window_start timestamptz, window_end timestamptz
  )
$$;

-- Keeps postings, entries and corrections from being changed or deleted.
create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Double entry: the entries of a posting sum to zero when its transaction commits.
create or replace function ledger_posting_balances() returns trigger language plpgsql as $$
begin
  if (select sum(amount_nano_usd) from ledger_entries where posting_id = new.posting_id) <> 0 then
    raise exception 'ledger posting % does not balance', new.posting_id;
  end if;
  return null;
end $$;

-- Lowers the limits of a project's keys to the one given, of those that members with one of these roles have made, raised for a time
-- or not, and returns how many were above it. The new limit holds in the month that runs now.
create or replace function limit_member_keys(p_workspace uuid, p_project uuid, p_limit bigint, p_roles text[])
returns bigint language plpgsql as $$
declare
  v_keys uuid[];
begin
  perform bound_transaction('30s');
  select array_agg(id) into v_keys from (
    select k.id from keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    where k.workspace_id = p_workspace and k.project_id = p_project and k.revoked_at is null and m.role = any (p_roles)
      and (k.spend_limit_nano_usd is null or limit_now(k.spend_limit_nano_usd, k.raised_limit_nano_usd, k.raised_until) > p_limit)
    order by k.id for no key update of k
  ) above;
  if v_keys is null then
    return 0;
  end if;
  update keys set spend_limit_nano_usd = least(spend_limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and id = any (v_keys);
  -- In the order of draws, and with the project's, which the caller may change next.
  perform 1 from purses
    where workspace_id = p_workspace
      and (kind = 'project' and subject_id = p_project or kind = 'key' and subject_id = any (v_keys))
      and (window_end is null or window_end > clock_timestamp())
    order by id for no key update;
  with purse as (
    update purses set limit_nano_usd = least(limit_nano_usd, p_limit), raised_limit_nano_usd = null, raised_until = null
    where workspace_id = p_workspace and kind = 'key' and subject_id = any (v_keys) and period = 'month'
      and window_start = date_trunc('month', clock_timestamp(), 'UTC')
    returning id
  )
  insert into changes (kind, subject_id) select 'purse', id::text from purse;
  insert into changes (kind, subject_id) select 'key', id::text from unnest(v_keys) as key (id);
  return cardinality(v_keys);
end $$;

-- The limit that holds in this transaction: the ordinary one, or the one to which it is raised for a time; null: none.
create or replace function limit_now(p_limit bigint, p_raised bigint, p_until timestamptz) returns bigint
language sql stable as $$
  select case when p_until > now() and p_limit is not null then greatest(p_limit, p_raised) else p_limit end
$$;

-- Appends an audit event to the hash chain of its workspace. It runs at the commit, so the chain's last link is locked
-- after all that the transaction has locked, and for as long as a commit takes.
create or replace function link_audit_event() returns trigger language plpgsql as $$
declare
  digest bytea := audit_event_digest(new);
  last audit_chains%rowtype;
begin
  -- A restore brings the links of its events.
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  insert into audit_chains as chain (scope_id, length, chain_sha256)
    values (coalesce(new.workspace_id, '00000000-0000-0000-0000-000000000000'), 1, sha256(digest))
    on conflict (scope_id) do update set length = chain.length + 1, chain_sha256 = sha256(chain.chain_sha256 || digest)
    returning * into last;
  insert into audit_links (scope_id, position, event_id, event_sha256, chain_sha256)
    values (last.scope_id, last.length, new.id, digest, last.chain_sha256);
  return null;
end $$;

-- The grants of a workspace that expire and have something left: what is left now follows from the total that has been charged.
create or replace function live_grants(p_workspace uuid) returns table (
  posting_id uuid, expires_at timestamptz, amount_nano_usd bigint, rest_nano_usd bigint, recurring_id uuid
) language sql stable as $$
  select g.posting_id, g.expires_at, g.amount_nano_usd, g.rest, g.recurring_id
  from (
    select live.*, (live.rest_nano_usd - least(live.rest_nano_usd, greatest(0, uncounted.amount - live.earlier)))::bigint as rest
    from (
      select q.*, sum(q.rest_nano_usd) over (order by q.expires_at, q.posting_id) - q.rest_nano_usd as earlier
      from expiring_grants q where q.workspace_id = p_workspace and q.ended_at is null
    ) live
    cross join (
      select p.spent_nano_usd + (select coalesce(sum(l.charged_nano_usd), 0) from leases l where l.purse_id = p.id)
        - c.charged_nano_usd as amount
      from purses p join grant_counts c on c.workspace_id = p.workspace_id
      where p.workspace_id = p_workspace and p.kind = 'credit' and p.subject_id = p_workspace
    ) uncounted
  ) g where g.rest > 0
  order by g.expires_at, g.posting_id
$$;

-- Locks claims in the order of their keys, so that two batches never wait for each other.
create or replace function lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
$$;

-- The number under which this schema has an advisory lock: other schemas of the database have instances of their own. In
-- `public` it is the bare one, as src/lib/transaction-lock.ts has it.
create or replace function lock_number(p_lock bigint) returns bigint
language sql stable as $$
  select p_lock # case current_schema() when 'public' then 0 else hashtextextended(current_schema(), 0) end
$$;

-- Locks purses, and the epoch's leases of them, and returns those that are locked now, in the order of locks. Those that
-- another transaction has locked are passed over; with `p_waits` their locks are waited for, briefly.
create or replace function lock_purses(p_epoch bigint, p_purses bigint[], p_waits boolean) returns bigint[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  if p_waits then
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
    ) l;
    perform from (select * from unnest(p_purses) as u (purse) order by purse) q cross join lateral (
      select from purses p where p.id = q.purse for no key update
    ) p;
  end if;
  return array(
    select q.purse from (
      select u.purse from unnest(p_purses) as u (purse)
      left join lateral (
        select true as is_locked from leases l where l.epoch_id = p_epoch and l.purse_id = u.purse for update skip locked
      ) l on true
      where l.is_locked
        or not exists (select from leases x where x.epoch_id = p_epoch and x.purse_id = u.purse offset 0)
      offset 0
    ) q
    cross join lateral (select from purses p where p.id = q.purse for no key update skip locked) p
    order by q.purse
  );
end $$;

-- Looks keys up, and makes the first draws of those purses and projects that this epoch has no lease of yet. An unknown key
-- draws nothing and locks nothing. What another transaction has locked is drawn later, like any purse that the epoch has
-- no lease of.
--   p_periods, p_starts, p_ends     the current windows, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: a request, a place and so many tokens for each key, and once
--                                   more, so that the first request leaves as much as it takes
--   p_members                       whether purses of members are drawn, which release 0.2.0 doesn't know
-- Sent again under the same numbers it returns the same draws.
create or replace function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  p_members boolean default false
) returns table (principals json, leases json, permits json)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_purses draw_request[];
  v_projects jsonb;
begin
  with found as materialized (
    select * from find_principals(p_secrets)
  ),
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from found
    union select workspace_id, 'project', project_id, budget_period from found
    union select workspace_id, 'key', key_id, 'month' from found
    union select workspace_id, 'member', member_limit_id, 'month' from found where p_members and member_limit_id is not null
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select workspace_id, project_id, count(*) + 1 as most from found
      where requests_per_minute is not null or tokens_per_minute is not null or concurrency is not null
      group by workspace_id, project_id
    ) q
    left join lateral (
      select true as has_stock from rate_leases x
      where x.workspace_id = q.workspace_id and x.project_id = q.project_id and x.epoch_id = p_epoch
        and (x.requests <> 0 or x.tokens <> 0 or x.slots <> 0 or x.running <> 0)
        and x.sequence <> p_permit_sequence
      offset 0
    ) s on true
    where s.has_stock is null
  )
  select
    (select json_agg(found) from found),
    (
      select array_agg(row(
        0, passed.workspace_id, passed.kind, passed.subject_id, passed.period, w.starts, w.ends,
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null, null
      )::draw_request)
      from passed join unnest(p_periods, p_starts, p_ends) as w (period, starts, ends) on w.period = passed.period
    ),
    (
      select jsonb_agg(jsonb_build_object(
        'ordinal', ordinal, 'workspace_id', workspace_id, 'project_id', project_id,
        'is_first', true, 'sequence', p_permit_sequence, 'taken', 0, 'running', 0,
        'stock_requests', 0, 'stock_tokens', 0, 'stock_slots', 0,
        'keep_requests', 0, 'keep_tokens', 0, 'keep_slots', 0,
        'returned_requests', 0, 'returned_tokens', 0,
        'target_requests', most, 'target_tokens', most * p_tokens, 'target_slots', most, 'needs', '[]'::jsonb
      ) order by ordinal)
      from limited
    )
    into principals, v_purses, v_projects;

  if v_projects is not null then
    select json_agg(json_build_object('project_id', v_projects -> d.ordinal ->> 'project_id', 'draw', d)) into permits
      from draw_permits(p_epoch, v_projects, null, false) d;
  end if;
  v_purses := array(
    select q from unnest(find_purses(v_purses)) q
    left join lateral (
      select x.sequence from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0
    ) l on true
    where l.sequence is null or l.sequence = p_sequence
  );
  if v_purses <> '{}' then
    select json_agg(json_build_object(
        'subject_id', d.subject_id,
        'purse_id', d.purse_id::text,
        'limit_nano_usd', d.limit_nano_usd::text,
        'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
        'available_nano_usd', d.available_nano_usd::text,
        'granted_nano_usd', d.granted_nano_usd::text,
        'open', d.open,
        'mode', d.mode,
        'sequence', d.sequence::text,
        'raised_until_ms', extract(epoch from d.raised_until) * 1000
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $$;

-- Compares what a provider reports of a top-up with its row, which the caller has locked.
create or replace function match_payment(
  t top_ups, p_provider text, p_fact text, p_payment text, p_workspace uuid, p_origin text, p_amount bigint,
  p_currency text, out outcome text, out detail text
) language plpgsql as $$
begin
  outcome := 'mismatch';
  if t.id is null then
    if p_fact = 'paid' and exists (select from workspaces where id = p_workspace) then
      detail := 'the top-up that was paid is not known here';
    else
      outcome := 'ignored';
    end if;
  elsif (t.provider, t.workspace_id, t.origin) is distinct from (p_provider, p_workspace, p_origin) then
    detail := 'the top-up was made for another provider, workspace or purpose';
  elsif p_fact <> 'paid' then
    outcome := 'applied';
  elsif p_payment is null then
    detail := 'the payment has no id';
  elsif p_currency is distinct from 'usd' then
    detail := format('it was paid in %s and not in usd', p_currency);
  elsif p_amount is distinct from t.amount_nano_usd + t.fee_nano_usd then
    detail := format('%s nano-USD were paid and not %s', p_amount, t.amount_nano_usd + t.fee_nano_usd);
  elsif t.state = 'paid' and t.payment_reference <> p_payment then
    detail := format('it was paid before, by %s', t.payment_reference);
  elsif exists (select from top_ups o where o.provider = p_provider and o.payment_reference = p_payment and o.id <> t.id) then
    detail := 'the payment has paid another top-up';
  elsif t.state <> 'paid' and exists (
    select from postings q
    where q.workspace_id = t.workspace_id and q.once = format('payment:%s:%s', p_provider, p_payment)
  ) then
    detail := 'its credit was posted by hand';
  else
    outcome := 'applied';
  end if;
end $$;

-- Moves a top-up, which the caller has locked, to the state that a fact leads to, unless it is beyond that. If it is paid by
-- that, posts its credit, and takes back what has gone back to the payer by then.
create or replace function move_top_up(
  t top_ups, p_fact text, p_payment text, p_customer text, p_failure text
) returns void language plpgsql as $$
declare
  c_order constant text[] := '{pending,processing,expired,failed,paid}';
  c_failures_max constant integer := 3;
  r posted;
begin
  if array_position(c_order, p_fact) <= array_position(c_order, t.state) then
    return;
  end if;
  -- The settings come first: they may be locked by somebody who edits them, and the purse must not wait for that.
  if p_fact = 'paid' then
    if t.saves_method and p_customer is not null then
      insert into payment_settings as s (workspace_id, provider, customer_reference)
        values (t.workspace_id, t.provider, p_customer)
        on conflict (workspace_id) do update set provider = excluded.provider,
          customer_reference = excluded.customer_reference, version = s.version + 1;
    end if;
    -- A success ends the count of failures; paying the recovery top-up ends the pause.
    update payment_settings set auto_failures = 0,
        auto_stop = null, auto_stopped_at = null, auto_noticed_at = null, recovery_top_up_id = null
      where workspace_id = t.workspace_id and auto_stop is distinct from 'failures'
        and (t.origin = 'auto' or recovery_top_up_id = t.id);
  elsif p_fact = 'failed' and t.origin = 'auto' then
    update payment_settings set auto_failures = auto_failures + 1, auto_failed_at = now(),
        auto_stop = case
          when auto_failures + 1 >= c_failures_max then 'failures'
          when p_failure = 'authentication_required' then 'authentication_required'
        end,
        auto_stopped_at = now(), auto_noticed_at = null, recovery_top_up_id = null,
        auto_enabled = auto_enabled and auto_failures + 1 < c_failures_max, version = version + 1
      where workspace_id = t.workspace_id;
  end if;
  if p_fact = 'paid' then
    r := post_credit(gen_random_uuid(), t.workspace_id, t.posting_kind, t.amount_nano_usd, t.provider,
      format('Payment %s of top-up %s', p_payment, t.id), format('payment:%s:%s', t.provider, p_payment), null, true);
    if r.outcome <> 'posted' then
      raise exception 'the payment % of top-up % could not be posted: %', p_payment, t.id, r.outcome;
    end if;
  end if;
  update top_ups set state = p_fact, updated_at = now(),
      failure = case p_fact when 'failed' then p_failure end,
      payment_reference = case p_fact when 'paid' then p_payment end, posting_id = (r.posting).id
    where workspace_id = t.workspace_id and id = t.id returning * into t;
  if p_fact = 'paid' then
    update payment_reversals set workspace_id = t.workspace_id, top_up_id = t.id
      where provider = t.provider and payment_reference = p_payment;
    perform post_reversals(t);
  end if;
end $$;

-- When costs that this transaction writes come into force: after all receipts were admitted that usage has counted, and after
-- all other costs did. So receipts that are counted again have the same costs. Takes the turn of counting until the
-- transaction ends. See src/control/usage/folding.ts.
create or replace function next_cost_time() returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lock_number(4611220105103825));
  return greatest(
    clock_timestamp(),
    (select max(last_used_at) from usage_keys) + interval '1 microsecond',
    (select max(created_at) from cost_versions) + interval '1 microsecond');
end $$;

-- What expires next in each of these workspaces, and when; those in which nothing does are left out.
create or replace function next_expiries(p_workspaces uuid[]) returns table (
  workspace_id uuid, amount_nano_usd bigint, expires_at timestamptz
) language sql stable as $$
  select w.id, sum(g.rest_nano_usd)::bigint, g.expires_at
  from unnest(p_workspaces) as w (id)
  cross join lateral live_grants(w.id) g
  where g.expires_at = (select min(q.expires_at) from live_grants(w.id) q)
  group by w.id, g.expires_at
$$;

-- Opens the purses that don't exist yet, except those that another transaction is opening or changing the limit of: the
-- lock makes such a change either visible here or wait for the new row.
create or replace function open_purses(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.spend_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'key'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select spend_limit_nano_usd, raised_limit_nano_usd, raised_until from keys k
      where k.id = q.subject_id and (k.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.budget_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'project'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select budget_nano_usd, raised_limit_nano_usd, raised_until from projects x
      where x.id = q.subject_id and (x.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.monthly_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'member'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select monthly_limit_nano_usd, raised_limit_nano_usd, raised_until from member_limits m
      where m.id = q.subject_id and (m.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  -- A brief purse is opened once something is granted from it. Each draw renews its limit, so nothing is locked for that.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.limit_nano_usd
    from (
      select * from unnest(p_requests) where purse is null and kind in ('end_user', 'session')
      order by workspace_id, kind, subject_id, period, window_start
    ) q
    cross join lateral served_limit(q.workspace_id, q.project_id, q.kind, q.subject_id) s
    where q.keep > 0
      or exists (select from unnest(q.needs) as n (need) where n.need <= coalesce(s.limit_nano_usd, n.need))
    on conflict do nothing;
end $$;

-- What a bucket holds some milliseconds later, while that much is in stock. Null if there is no limit.
create or replace function permit_parts(p_parts numeric, p_per_minute bigint, p_elapsed_ms bigint, p_in_stock bigint)
returns bigint language sql immutable as $$
  select case when p_per_minute is not null then greatest(
    -9000000000000000000,
    least(
      coalesce(p_parts, p_per_minute * 60000::numeric) + greatest(0, p_elapsed_ms)::numeric * p_per_minute,
      (p_per_minute - p_in_stock) * 60000::numeric
    )
  )::bigint end
$$;

-- The stock after a draw: a sixteenth of the limit at most, and half of the limit stays where every process can reach it.
create or replace function permit_stock(p_left bigint, p_limit bigint, p_keep bigint, p_target bigint)
returns bigint language sql immutable as $$
  select case
    when p_limit is null then p_keep
    else greatest(p_keep, least(p_target, p_limit / 16, p_left - (p_limit + 1) / 2))
  end
$$;

-- How long until a bucket has the parts that are needed. Others' stock that is in the way is called back during the wait.
create or replace function permit_wait_ms(p_parts bigint, p_needed bigint, p_per_minute bigint, p_others_stock bigint)
returns bigint language sql immutable as $$
  select case
    when p_per_minute is null or p_parts >= p_needed then 0
    else greatest(
      ceil((p_needed::numeric - p_parts) / p_per_minute)::bigint,
      case when p_needed > (p_per_minute - p_others_stock) * 60000::numeric then 1000 else 0 end
    )
  end
$$;

-- The requests that an epoch let through in the last minute, estimated from the current minute and a part of the one
-- before.
create or replace function permits_taken(p_minute bigint, p_taken bigint, p_taken_before bigint, p_now_ms bigint)
returns double precision language sql immutable as $$
  select case p_now_ms / 60000 - p_minute
    when 0 then p_taken + p_taken_before * (60000 - p_now_ms % 60000) / 60000.0
    when 1 then p_taken * (60000 - p_now_ms % 60000) / 60000.0
    else 0
  end::double precision
$$;

-- Posts an amount to a workspace's credit, by double entry, and moves its purse with it. What is given repays the debt
-- first; what is taken comes from credit that is neither leased nor spent, and the rest is owed. A workspace that is being
-- closed is given nothing, except what a payment provider reports (p_is_reported): that money is there. Archiving locks the purse
-- too, so a posting comes before it, or sees it. What is given with p_expires is a grant of its own: share_posting follows those.
create or replace function post_credit(
  p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid,
  p_is_reported boolean default false, p_expires timestamptz default null
) returns posted language plpgsql as $$
declare
  -- All credit of a workspace fits a 64-bit column with room to spare.
  c_most constant bigint := 9000000000000000000;
  r posted;
  p purses;
  v_charged bigint;
  v_credit numeric;
  v_owed numeric;
begin
  perform bound_transaction();
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  if not found then
    r.outcome := 'no_workspace';
    return r;
  end if;
  -- Each statement from here on sees every earlier posting.
  if p_once is not null then
    select q into r.posting from postings q where q.workspace_id = p_workspace and q.once = p_once;
    if found then
      r.outcome := case
        when ((r.posting).kind, (r.posting).amount_nano_usd, (r.posting).reason) = (p_kind, p_amount, p_reason)
          and (r.posting).receipt_request_id is not distinct from p_receipt
          and (
            select g.expires_at from expiring_grants g where g.workspace_id = p_workspace and g.posting_id = (r.posting).id
          ) is not distinct from p_expires then 'repeated'
        else 'other_once'
      end;
      return r;
    end if;
  end if;
  -- Disputes give back what they took, refunds take what was paid and has not gone back.
  r.most_nano_usd := case p_kind
    when 'dispute' then (select coalesce(-sum(q.amount_nano_usd), 0) from postings q
      where q.workspace_id = p_workspace and q.kind = 'dispute')
    when 'refund' then (select coalesce(-sum(e.amount_nano_usd), 0) from ledger_entries e
      where e.workspace_id = p_workspace and e.account = 'payments')
  end;
  if p_amount >= 0 then
    v_owed := least(p_amount, p.owed_nano_usd);
  else
    v_owed := least(0, p_amount + (p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd)::numeric);
  end if;
  v_credit := p_amount - v_owed;
  r.outcome := case
    when p_amount = 0 then 'nothing'
    when p_amount > 0 and not p_is_reported
      and exists (select from workspaces where id = p_workspace and closing_at is not null) then 'closed'
    when p_kind in ('top_up', 'grant') and p_amount < 0 or p_kind = 'refund' and p_amount > 0 then 'wrong_way'
    when p_expires <= clock_timestamp() then 'expired'
    when p_kind = 'dispute' and p_amount > r.most_nano_usd then 'above_disputes'
    when p_kind = 'refund' and -p_amount > r.most_nano_usd then 'above_payments'
    when p.limit_nano_usd + v_credit > c_most or p.owed_nano_usd - v_owed > c_most then 'beyond_count'
    else 'posted'
  end;
  if r.outcome <> 'posted' then
    return r;
  end if;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  -- The clock is read under the purse's lock, so that times are in the order of postings and of archiving.
  insert into ledger_postings (
    id, workspace_id, kind, actor, reason, once, receipt_request_id, balance_nano_usd, posted_at
  ) values (
    p_id, p_workspace, p_kind, p_actor, p_reason, p_once, p_receipt,
    p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd - v_charged + p_amount, clock_timestamp()
  );
  insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
    select p_workspace, p_id, account, amount from (values
      ('credit', v_credit), ('owed', v_owed),
      (case when p_kind in ('grant', 'expiry') then 'promotions' when p_kind = 'adjustment' then 'adjustments' else 'payments' end, -p_amount)
    ) as entry (account, amount) where amount <> 0;
  update purses set limit_nano_usd = limit_nano_usd + v_credit, owed_nano_usd = owed_nano_usd - v_owed where id = p.id;
  insert into changes (kind, subject_id) values ('purse', p.id::text);
  if p_expires is not null or exists (select from grant_counts where workspace_id = p_workspace) then
    perform share_posting(p_workspace, p_id, p.spent_nano_usd + v_charged, v_credit,
      p.limit_nano_usd + v_credit - p.spent_nano_usd - v_charged, p_expires, p_receipt);
  end if;
  select q into r.posting from postings q where q.id = p_id;
  return r;
end $$;

-- Posts a recurring grant for each period that has begun since the last time, at most so many, whichever process does it first. A
-- period whose credit would have expired by now is passed over. A workspace that is being closed ends it. Returns how many were
-- posted.
create or replace function post_recurring_grant(p_id uuid, p_most integer) returns integer language plpgsql as $$
declare
  g recurring_grants;
  v_begin timestamptz;
  v_expires timestamptz;
  v_posted integer := 0;
  r posted;
begin
  perform bound_transaction();
  select * into g from recurring_grants where id = p_id and ended_at is null for no key update;
  if not found then
    return 0;
  end if;
  if exists (select from workspaces where id = g.workspace_id and closing_at is not null) then
    update recurring_grants set ended_at = clock_timestamp() where id = p_id;
    return 0;
  end if;
  while g.next_at <= clock_timestamp() and v_posted < p_most loop
    v_begin := g.next_at;
    g.next_at := (v_begin at time zone 'UTC' + ('1 ' || g.period)::interval) at time zone 'UTC';
    v_expires := case
      when g.expires_with_period then g.next_at
      else v_begin + make_interval(days => g.expires_after_days)
    end;
    continue when v_expires <= clock_timestamp();
    r := post_credit(gen_random_uuid(), g.workspace_id, 'grant', g.amount_nano_usd, g.actor, g.reason,
      format('recurring:%s:%s', p_id, to_char(v_begin at time zone 'UTC', 'YYYY-MM-DD')), null, false, v_expires);
    if r.outcome <> 'posted' then
      raise exception 'the recurring grant % could not be posted: %', p_id, r.outcome;
    end if;
    update expiring_grants set recurring_id = p_id where workspace_id = g.workspace_id and posting_id = (r.posting).id;
    v_posted := v_posted + 1;
  end loop;
  update recurring_grants set next_at = g.next_at where id = p_id;
  return v_posted;
end $$;

-- Posts what the refunds and disputes of a payment have changed since the last time. Together they take what goes back to
-- the payer, at most the payment's credit: the fee goes back last. The caller has locked the paid top-up.
create or replace function post_reversals(t top_ups) returns void language plpgsql as $$
declare
  v payment_reversals;
  v_counts boolean;
  v_before numeric;
  v_after numeric;
  v_delta bigint;
  v_kind text;
  v_reason text;
  r posted;
begin
  if t.state <> 'paid' then
    return;
  end if;
  for v in
    select * from payment_reversals q where q.provider = t.provider and q.payment_reference = t.payment_reference
      and q.counted <> (q.state in ('taken', 'lost'))
    order by q.created_at, q.kind, q.reference for no key update
  loop
    v_counts := not v.counted;
    select coalesce(sum(q.amount_nano_usd), 0) into v_before from payment_reversals q
      where q.provider = t.provider and q.payment_reference = t.payment_reference and q.counted;
    v_after := v_before + case when v_counts then v.amount_nano_usd else -v.amount_nano_usd end;
    v_delta := least(v_before, t.amount_nano_usd) - least(v_after, t.amount_nano_usd);
    update payment_reversals q
      set counted = v_counts, workspace_id = t.workspace_id, top_up_id = t.id, updated_at = now()
      where q.provider = v.provider and q.kind = v.kind and q.reference = v.reference;
    continue when v_delta = 0;
    -- A dispute that was won gives back more than disputes took if refunds have failed in between, and more than was paid
    -- goes back if an operator has posted a part of it by hand: the ledger takes those under other kinds.
    foreach v_kind in array case
      when v_delta > 0 and v.kind = 'dispute' then '{dispute,top_up}'
      when v_delta > 0 then '{top_up}'
      else array[v.kind, 'adjustment']
    end::text[] loop
      v_reason := format('%s %s of payment %s %s', case v.kind when 'refund' then 'Refund' else 'Dispute' end,
        v.reference, t.payment_reference, case when v_counts then 'taken' else 'returned' end);
      r := post_credit(gen_random_uuid(), t.workspace_id, v_kind, v_delta, t.provider, v_reason,
        format('%s:%s:%s%s', v.kind, t.provider, v.reference, case when v_counts then '' else ':returned' end), null, true);
      exit when r.outcome = 'posted';
    end loop;
    if r.outcome <> 'posted' then
      raise exception 'the % % could not be posted: %', v.kind, v.reference, r.outcome;
    end if;
  end loop;
  -- What has come back to a closed workspace can't be spent there.
  if exists (select from workspaces where id = t.workspace_id and archived_at is not null) then
    perform refund_closed(t.workspace_id, t.provider);
  end if;
end $$;

-- Deletes so many stored responses at most: those whose time is over, and those of workspaces that were closed. Returns how
-- many it has deleted.
create or replace function prune_responses(p_most integer) returns integer
language plpgsql set enable_seqscan = off as $$
declare
  v_deleted integer;
begin
  delete from stored_responses where request_id in (
    (select request_id from stored_responses where expires_at < now() limit p_most)
    union all
    (
      select r.request_id from workspaces w join stored_responses r on r.workspace_id = w.id
      where w.archived_at is not null limit p_most
    )
    limit p_most
  );
  get diagnostics v_deleted = row_count;
  return v_deleted;
end $$;

-- A stored response in pieces; of several with the same id, the newest. No row: there is none.
create or replace function read_response(p_workspace uuid, p_response text) 
returns table (request_id uuid, encrypted boolean, piece bytea)
language sql stable set enable_seqscan = off as $$
  select newest.request_id, newest.encrypted, substring(newest.response from p.at + 1 for 262144)
  from (
    select r.request_id, r.encrypted, r.response from stored_responses r
    where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
    order by r.request_id desc limit 1
  ) newest
  cross join lateral generate_series(0, octet_length(newest.response) - 1, 262144) as p (at)
  order by p.at
$$;

-- Gives back leases of a fenced epoch: of the purses after `p_after`, in their order, `p_most` at most; with `p_waits` it
-- waits for their locks, briefly. Returns the last of those purses, null if there are no more, and those that are busy.
-- An epoch without leases is reaped.
create or replace function reap_epoch(
  p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, out last_purse bigint, out busy bigint[]
) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_purses bigint[];
  v_free bigint[];
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is not null for update;
  if not found then
    raise exception 'epoch % is not fenced', p_epoch;
  end if;
  perform wait_briefly();
  v_purses := array(
    select purse_id from leases where epoch_id = p_epoch and purse_id > p_after order by purse_id limit p_most
  );
  v_free := lock_purses(p_epoch, v_purses, p_waits);
  perform give_back_leases(p_epoch, v_free);
  last_purse := v_purses[cardinality(v_purses)];
  busy := array(select u.purse from unnest(v_purses) as u (purse) except select u.purse from unnest(v_free) as u (purse));
  if not exists (select from leases where epoch_id = p_epoch) then
    update epochs set reaped_at = now(), leases_in_use = null where id = p_epoch and reaped_at is null;
  end if;
end $$;

-- What these tokens and uses cost the provider of the route that served them: by the cost that was in force when the request was
-- admitted, rounded up to one nano-USD. No row if it is not known, for its service tier; a use without a known fee costs nothing. The
-- planner puts the body in the place of the call, so that many receipts are joined with costs in one step.
create or replace function receipt_cost(
  p_model text, p_provider text, p_upstream_model text, p_admitted_at timestamptz, p_input integer, p_cached_input integer,
  p_cache_write_5m integer, p_cache_write_1h integer, p_audio_input integer, p_output integer, p_audio_output integer,
  p_uses jsonb default null, p_service_tier text default null
) returns table (cost_nano_usd bigint) language sql stable as $$
  select div(
      p_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'input')::numeric, input_rate)
      + p_cached_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'cached_input')::numeric, cached_input_rate)
      + p_cache_write_5m::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_5m')::numeric, cache_write_5m_rate)
      + p_cache_write_1h::numeric * coalesce((service_tiers -> p_service_tier ->> 'cache_write_1h')::numeric, cache_write_1h_rate)
      + p_audio_input::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_input')::numeric, audio_input_rate)
      + p_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'output')::numeric, output_rate)
      + p_audio_output::numeric * coalesce((service_tiers -> p_service_tier ->> 'audio_output')::numeric, audio_output_rate)
      + 999999
      + case when p_uses is null or fees is null then 0 else 1000000 * coalesce((
          select sum(number::numeric * (fees ->> use)::numeric) from jsonb_each_text(p_uses) as used (use, number)
        ), 0) end,
      1000000)::bigint
  from cost_versions
  where model = p_model and provider = p_provider and upstream_model = p_upstream_model
    and (p_service_tier is null or service_tiers ? p_service_tier)
    and p_admitted_at >= created_at and (retired_at is null or p_admitted_at < retired_at)
    and p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input >= input_from
    and (input_to is null
      or p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input < input_to)
$$;

-- Keeps a sealed partition of the receipts as it was proven. Sealing a partition makes the trigger.
create or replace function receipts_are_sealed() returns trigger language plpgsql as $$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $$;

-- Keeps what a provider reports of a refund or dispute. Its state only moves on, so the order of reports makes no difference.
create or replace function record_reversal(
  p_provider text, p_fact text, p_reference text, p_payment text, p_amount bigint, p_currency text,
  out outcome text, out detail text
) language plpgsql as $$
declare
  c_order constant text[] := '{announced,taken,lost,returned}';
  v_kind text := split_part(p_fact, ' ', 1);
  v_state text := split_part(p_fact, ' ', 2);
  v payment_reversals;
begin
  outcome := 'mismatch';
  if p_currency is distinct from 'usd' then
    detail := format('the %s %s is in %s and not in usd', v_kind, p_reference, p_currency);
    return;
  end if;
  insert into payment_reversals as r (provider, kind, reference, payment_reference, amount_nano_usd, state)
    values (p_provider, v_kind, p_reference, p_payment, p_amount, v_state)
    on conflict (provider, kind, reference) do update set updated_at = now(), state = case
        when array_position(c_order, excluded.state) > array_position(c_order, r.state) then excluded.state
        else r.state
      end
      where r.payment_reference = excluded.payment_reference and r.amount_nano_usd = excluded.amount_nano_usd
    returning * into v;
  if v.reference is null then
    detail := format('the %s %s was of another payment or amount before', v_kind, p_reference);
    return;
  end if;
  outcome := 'applied';
end $$;

-- Redeems a code for a workspace: its row is claimed, and its credit posted as that of a payment that it is, in one
-- statement.
--   redeemed, repeated     by this workspace, now or before
--   unknown, used, expired, closed   refused; closed: the workspace is being closed. A closing that is under way waits, and
--                                    refunds the credit
create or replace function redeem_code(
  p_sha256 bytea, p_workspace uuid, p_top_up uuid, p_actor text, out outcome text, out top_up uuid
) language plpgsql as $$
declare
  c redemption_codes;
  b redemption_batches;
  w workspaces;
  r record;
begin
  perform bound_transaction();
  select * into c from redemption_codes q where q.code_sha256 = p_sha256 for no key update;
  select * into b from redemption_batches q where q.id = c.batch_id;
  select * into w from workspaces where id = p_workspace for share;
  outcome := case
    when c.id is null then 'unknown'
    when c.workspace_id = p_workspace then 'repeated'
    when c.workspace_id is not null then 'used'
    when b.expires_at <= now() then 'expired'
    when w.closing_at is not null then 'closed'
    else 'redeemed'
  end;
  top_up := case when outcome = 'repeated' then c.top_up_id end;
  if outcome <> 'redeemed' then
    return;
  end if;
  insert into top_ups (workspace_id, id, provider, origin, posting_kind, amount_nano_usd, actor)
    values (p_workspace, p_top_up, 'codes', 'code', b.posting_kind, b.amount_nano_usd, p_actor);
  update redemption_codes q set workspace_id = p_workspace, top_up_id = p_top_up, redeemed_by = p_actor, redeemed_at = now()
    where q.id = c.id;
  select * into r from apply_payment_fact('codes', c.id::text, 'paid', c.id::text, p_top_up, p_workspace, 'code',
    null, b.amount_nano_usd, 'usd', null, null);
  if r.outcome <> 'applied' then
    raise exception 'the code % could not be redeemed: % %', c.id, r.outcome, r.detail;
  end if;
  top_up := p_top_up;
end $$;

-- Refunds the credit that an archived workspace holds although nobody can spend it: what was paid in as a refund, the rest as
-- an adjustment. Payments that go back through their provider stay. Returns whether there was any.
create or replace function refund_closed(p_workspace uuid, p_actor text) returns boolean language plpgsql as $$
declare
  c_reason constant text := 'the workspace was closed';
  v_left bigint;
  v_paid bigint;
  v_part record;
  r posted;
begin
  perform bound_transaction();
  perform from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace for no key update;
  select c.credit_nano_usd into v_left from closed_credit() c where c.workspace_id = p_workspace;
  if v_left is null then
    return false;
  end if;
  -- Of what was paid, the provider will return some.
  select greatest(0, coalesce(-sum(e.amount_nano_usd), 0)
      - (select coalesce(sum(c.credit_nano_usd), 0) from closed_payments() c where c.workspace_id = p_workspace)) into v_paid
    from ledger_entries e where e.workspace_id = p_workspace and e.account = 'payments';
  for v_part in
    select * from (values ('refund', least(v_left, v_paid)), ('adjustment', v_left - least(v_left, v_paid))) as t (kind, amount)
    where amount > 0
  loop
    r := post_credit(gen_random_uuid(), p_workspace, v_part.kind, -v_part.amount, p_actor, c_reason, null, null);
    if r.outcome <> 'posted' then
      raise exception 'the credit of the closed workspace % could not be refunded: %', p_workspace, r.outcome;
    end if;
  end loop;
  return true;
end $$;

-- Refunds what is left of a workspace that is being closed, and archives it. Returns false as long as any of its credit is
-- leased and not charged, which it calls back, and unless it is being closed.
create or replace function refund_closing(p_workspace uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
begin
  perform bound_transaction();
  perform from workspaces where id = p_workspace and closing_at is not null and archived_at is null for no key update;
  if not found then
    return false;
  end if;
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  -- Leases include what they were charged.
  if p.leased_nano_usd <> (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = p.id) then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
    return false;
  end if;
  -- Postings read the clock under the same lock, so those that come later have a later time.
  update workspaces set archived_at = clock_timestamp() where id = p_workspace;
  perform refund_closed(p_workspace, p_actor);
  insert into changes (kind, subject_id) values ('workspace', p_workspace::text);
  return true;
end $$;

-- Gives up a claim that is not completed. In doubt, a claim statement of the request may still be under way: the lock
-- waits for one that has begun, and the row in cancelled_claims stops one that has not.
create or replace function release_idempotency_key(
  p_workspace uuid, p_key uuid, p_idempotency_key text, p_request uuid, p_in_doubt boolean
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform bound_transaction();
  if p_in_doubt then
    perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
    insert into cancelled_claims (request_id) values (p_request) on conflict do nothing;
  end if;
  delete from idempotent_requests
    where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key
      and request_id = p_request and completed_at is null;
end $$;

-- Closes leases of a live epoch whose charges are all settled: `p_charged` is what the process has charged to each,
-- `p_sequences` the number of the last draw. A lease with another sum or number stays as it is: it follows the one that is
-- meant, and this statement comes late. Returns the purses whose leases were free to be closed; others are busy.
create or replace function release_leases(
  p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean
) returns setof bigint
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_free bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  v_free := lock_purses(p_epoch, p_purses, p_waits);
  perform give_back_leases(p_epoch, array(
    select q.purse from unnest(p_purses, p_charged, p_sequences) as q (purse, charged, sequence)
    join unnest(v_free) as free (purse) on free.purse = q.purse
    cross join lateral (select * from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0) l
    where l.charged_nano_usd = q.charged and l.sequence = q.sequence
  ));
  return query select unnest(v_free);
end $$;

-- Brings the limits of brief purses up to what their projects say now. The caller has locked the purses.
create or replace function renew_limits(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  update purses p set limit_nano_usd = q.limit_nano_usd
    from (
      select r.purse, s.limit_nano_usd from unnest(p_requests) r
      cross join lateral served_limit(r.workspace_id, r.project_id, r.kind, r.subject_id) s
      where r.kind in ('end_user', 'session')
      offset 0
    ) q
    where p.id = any (array[q.purse]) and p.limit_nano_usd is distinct from q.limit_nano_usd;
end $$;

-- Statements that move money begin with this. It takes the epoch's row, still live, or raises FG001; fencing takes the same
-- row exclusively, so a fenced process changes nothing. Locks are taken in one order: epoch, key or project, leases, purses,
-- each by their ids. Purses are locked FOR NO KEY UPDATE: two epochs that open leases of one purse both hold its key by
-- their foreign keys, and would wait for each other for a lock that excludes those. The transaction is bounded, so none
-- keeps its locks for long.
create or replace function require_live_epoch(p_epoch bigint) returns void language plpgsql as $$
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
end $$;

-- The limit of an end user or a session of a project as it is now; null: none. No row: there is no such project in the workspace.
create or replace function served_limit(p_workspace uuid, p_project uuid, p_kind text, p_subject uuid)
returns table (limit_nano_usd bigint) language sql stable as $$
  select case when p_kind = 'session' then x.session_limit_nano_usd else x.end_user_limit_nano_usd end
  from projects x where x.id = p_project and x.workspace_id = p_workspace
$$;

-- Sets the limit of a member over all keys that they have made, from the month that runs now; null: none; and how far it is raised
-- for a time, if it is. Their purse of this
-- month counts what the keys were charged so far. What requests are charged that run while a first limit is set is counted when it
-- is set once more.
create or replace function set_member_limit(
  p_workspace uuid, p_user uuid, p_limit bigint, p_raised bigint default null, p_raised_until timestamptz default null
) returns void
language plpgsql as $$
declare
  v_start timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
  v_end timestamptz := (v_start at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  v_former bigint;
  v_id uuid;
  v_purse bigint;
begin
  perform bound_transaction('30s');
  -- A draw that opens the member's purse locks this row too, so its limit is either set below or read after this has committed.
  insert into member_limits as known (workspace_id, user_id) values (p_workspace, p_user)
    on conflict (workspace_id, user_id) do update set monthly_limit_nano_usd = known.monthly_limit_nano_usd
    returning known.id, known.monthly_limit_nano_usd into v_id, v_former;
  update member_limits set monthly_limit_nano_usd = p_limit, raised_limit_nano_usd = p_raised, raised_until = p_raised_until
    where workspace_id = p_workspace and user_id = p_user;
  -- The purse is written first, limit and all, because that locks it: what it has spent stands still while it is compared.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    values (p_workspace, 'member', v_id, 'month', v_start, v_end, p_limit, p_raised, p_raised_until)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd,
        raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until
    returning id into v_purse;
  with counted as (
    select purse.id, (purse.spent_nano_usd - purse.corrected_nano_usd + leased.charged)::bigint as amount
    from (
      select v_purse as id
      union all
      select x.id from keys k
      cross join lateral (
        select id from purses p where p.workspace_id = p_workspace and p.kind = 'key' and p.subject_id = k.id
          and p.period = 'month' and p.window_start = v_start
        offset 0
      ) x
      where k.workspace_id = p_workspace and k.created_by = p_user
    ) q
    join purses purse on purse.id = q.id
    cross join lateral (select coalesce(sum(charged_nano_usd), 0) as charged from leases where purse_id = q.id) leased
  ),
  lacking as (
    select sum(case when id = v_purse then -amount else amount end)::bigint as amount from counted
  )
  update purses set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
    from lacking where purses.id = v_purse and lacking.amount > 0;
  insert into changes (kind, subject_id) values ('purse', v_purse::text);
  -- Processes know by their keys who has a limit at all.
  if (v_former is null) <> (p_limit is null) then
    insert into changes (kind, subject_id)
      select 'key', id::text from keys where workspace_id = p_workspace and created_by = p_user and revoked_at is null;
  end if;
end $$;

-- Inserts receipts whose leases or claims are gone, once each: takes what is available in all their purses and writes off
-- the rest; all of it if the receipt's idempotency key belongs to another request by now. A purse whose id doesn't exist
-- any more is found by its subject and window, and opened if there is none. The shared lock makes a change of its limit
-- either visible here or wait for it.
create or replace function settle_late_receipts(p_epoch bigint, p_receipts jsonb) returns void language plpgsql as $$
declare
  r record;
  v_free bigint;
  v_taken bigint;
  v_superseded_by uuid;
begin
  perform bound_transaction();
  perform wait_briefly();
  -- The same journal may be replayed by two processes; the second finds the receipts there.
  perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, lock_number(0)));
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'key', l.key, l.key_period, l.key_start, l.key_end, k.spend_limit_nano_usd,
      k.raised_limit_nano_usd, k.raised_until
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    where not exists (select from purses p where p.id = l.key_purse)
    order by l.workspace, l.key, l.key_period, l.key_start
    for share of k
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'project', l.project, l.project_period, l.project_start, l.project_end, x.budget_nano_usd,
      x.raised_limit_nano_usd, x.raised_until
    from late_receipts(p_receipts) l join projects x on x.workspace_id = l.workspace and x.id = l.project
    where not exists (select from purses p where p.id = l.project_purse)
    order by l.workspace, l.project, l.project_period, l.project_start
    for share of x
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select l.workspace, 'member', m.id, l.key_period, l.key_start, l.key_end, m.monthly_limit_nano_usd,
      m.raised_limit_nano_usd, m.raised_until
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    join member_limits m on m.workspace_id = k.workspace_id and m.user_id = k.created_by and m.monthly_limit_nano_usd is not null
    order by l.workspace, m.id, l.key_period, l.key_start
    for share of m
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select l.workspace, s.kind, s.subject, s.period, s.window_start, s.window_end, x.limit_nano_usd
    from late_receipts(p_receipts) l cross join lateral late_served(l) s
    cross join lateral served_limit(l.workspace, l.project, s.kind, s.subject) x
    where s.purse is null
    order by l.workspace, s.kind, s.subject, s.period, s.window_start
    on conflict do nothing;
  perform from purses where id in (
    select unnest(late_purses(l)) from late_receipts(p_receipts) l
  ) order by id for no key update;
  -- What the epoch had leased comes first: it is what the charges are to be taken from.
  if exists (
    select from leases l join epochs e on e.id = l.epoch_id
    where l.epoch_id = p_epoch and e.fenced_at is not null
      and l.purse_id in (select unnest(late_purses(q)) from late_receipts(p_receipts) q)
  ) then
    raise exception 'epoch % still has leases of these purses', p_epoch using errcode = 'lock_not_available';
  end if;
  perform lock_claims(array_agg(workspace), array_agg(key), array_agg(idempotency_key)) from late_receipts(p_receipts);
  for r in
    select l.*, l as receipt, late_purses(l) as purses from late_receipts(p_receipts) l order by request
  loop
    continue when exists (select 1 from receipts where workspace_id = r.workspace and request_id = r.request);
    if array_position(r.purses, null) is not null then
      raise exception 'a late charge names a purse that is not there';
    end if;
    v_superseded_by := claim_for_late_receipt(p_epoch, r.receipt);
    -- What an open lease has charged is in no sum of its purse yet.
    select min(
        limit_now(limit_nano_usd, raised_limit_nano_usd, raised_until)
          - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, v_free)) else 0 end;
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id, member_purse_id, end_user_purse_id, session_purse_id,
      dialect, model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
      provider, upstream_model, attempt_ms, attempts, client_request_id, late, superseded_by,
      session, left_out, retry, uses, service_tier, requested_model
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      (select id from purses where id = any (r.purses[4:]) and kind = 'member'),
      (select id from purses where id = any (r.purses[4:]) and kind = 'end_user'),
      (select id from purses where id = any (r.purses[4:]) and kind = 'session'),
      r.dialect, r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.fees, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.provider, r.upstream_model, r.attempt_ms, r.attempts, r.client_request, true, v_superseded_by,
      r.extras ->> 'session', (r.extras ->> 'left_out')::text[], (r.extras ->> 'retry')::boolean,
      r.extras -> 'uses', r.extras ->> 'service_tier', r.extras ->> 'requested_model'
    );
  end loop;
end $$;

-- Settles a batch: charges the leases and inserts the receipts. Each parameter, and each statement that an executor
-- prepares, costs as much as some receipts. So numbers come in one matrix, and each lease's sum comes with the batch; the
-- lease is locked by being charged, not before. Its lock is waited for briefly: the sender of a batch then sends its halves.
--   p_purses, p_amounts     the purses whose leases are charged, in ascending order, which is that of locks; and the sums
--   p_context_ids           a row for each context, counted from one: workspace, project, key
--   p_context_numbers       likewise: purse of the credit, of the project, of the key, version of the price,
--                           and purses of the key's maker, of the end user and of the session, left out from the first that
--                           no context has
--   p_context_texts         likewise: dialect, model, outcome, certainty, provider and upstream model of the last attempt
--   p_requests, p_charges   an element for each receipt
--   p_numbers               a row for each receipt: its context, the numbers in the order of the table of fields (src/domain/
--                           receipt.ts): amounts, tokens by class, the cap that it was shortened to, times (µs since 1970) and
--                           durations (ms); and the duration of the last attempt; a negative number stands for none
--   p_attempts              an element for each receipt, null if its columns say as much; or nothing if none has more
--   p_client_requests       an element for each receipt, or nothing if no receipt has one
--   p_extras                what few receipts say, an object for each that says some of it, with the keys session, left_out,
--                           retry, uses, service_tier and requested_model; left out if no receipt does
-- It doesn't check for receipts that are there already, because that took a sixth of the whole: a batch that was sent
-- before violates the receipts' key, and is sent to settle_receipts_again. A lease that is gone raises FG002, also where
-- nothing is charged: its purse may be gone with it. A process of another version is refused like one that calls a function
-- that is not there, so that it keeps its receipts.
create or replace function settle_receipts(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_charged bigint;
begin
  if array_length(p_context_texts, 2) <> 6 then
    raise exception 'receipts of another version of the program' using errcode = 'undefined_function';
  end if;
  perform bound_transaction();
  perform wait_briefly();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
  -- What is compared comes from a row that stays apart, so that leases are found one by one, in its order.
  update leases set charged_nano_usd = charged_nano_usd + c.amount
    from (
      select p_epoch as epoch, purse, amount from unnest(p_purses, p_amounts) as q (purse, amount) offset 0
    ) c
    where epoch_id = any (array[c.epoch]) and purse_id = any (array[c.purse]);
  get diagnostics v_charged = row_count;
  if v_charged <> cardinality(p_purses) then
    raise exception '% leases of epoch % are gone', cardinality(p_purses) - v_charged, p_epoch using errcode = 'FG002';
  end if;
  insert into receipts (
    workspace_id, request_id, project_id, key_id, epoch_id,
    credit_purse_id, project_purse_id, key_purse_id, member_purse_id, end_user_purse_id, session_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
    provider, upstream_model, attempt_ms, attempts, client_request_id,
    session, left_out, retry, uses, service_tier, requested_model
  )
  select
    p_context_ids[context][1], p_requests[i], p_context_ids[context][2], p_context_ids[context][3],
    p_epoch,
    p_context_numbers[context][1], p_context_numbers[context][2], p_context_numbers[context][3],
    p_context_numbers[context][5], p_context_numbers[context][6], p_context_numbers[context][7],
    p_context_texts[context][1], p_context_texts[context][2], p_context_numbers[context][4], p_context_texts[context][3],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][4], p_context_texts[context][4],
    p_numbers[i][5], p_numbers[i][6], p_numbers[i][7], p_numbers[i][8],
    p_numbers[i][9], p_numbers[i][10], p_numbers[i][11],
    nullif(p_numbers[i][12], -1), p_numbers[i][13] = 1, to_timestamp(p_numbers[i][14] / 1e6::double precision),
    p_numbers[i][15], nullif(p_numbers[i][16], -1),
    p_context_texts[context][5], p_context_texts[context][6], nullif(p_numbers[i][17], -1),
    p_attempts[i], p_client_requests[i],
    extras ->> 'session', (extras ->> 'left_out')::text[], (extras ->> 'retry')::boolean, extras -> 'uses',
    extras ->> 'service_tier', extras ->> 'requested_model'
  from (
    -- A subquery that stays apart computes the context once a receipt, not for each column that comes from it.
    select i, p_numbers[i][1] as context, p_extras[i] as extras from generate_series(1, cardinality(p_requests)) as i offset 0
  ) q;
end $$;

-- Settles the receipts of a batch that are not there yet; the others were charged when they were inserted. The leases are
-- locked first, so that an earlier statement which is still under way is over before this one looks for its receipts.
create or replace function settle_receipts_again(
  p_epoch bigint, p_purses bigint[], p_amounts bigint[],
  p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[],
  p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[],
  p_extras jsonb[] default '{}'
) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_new integer[];
  v_purses bigint[];
  v_amounts bigint[];
begin
  perform require_live_epoch(p_epoch);
  perform wait_briefly();
  perform from unnest(p_purses) as q (purse) cross join lateral (
    select from leases l where l.epoch_id = p_epoch and l.purse_id = q.purse for update
  ) l;
  v_new := array(
    select i from generate_series(1, cardinality(p_requests)) as i
    where array_position(p_requests, p_requests[i]) = i
      and not exists (
        select from receipts where workspace_id = p_context_ids[p_numbers[i][1]][1] and request_id = p_requests[i]
      )
  );
  if cardinality(v_new) = 0 then
    return;
  end if;
  select array_agg(purse order by purse), array_agg(amount order by purse) into v_purses, v_amounts
    from (
      select p_context_numbers[p_numbers[i][1]][level] as purse, sum(p_charges[i])::bigint as amount
      from unnest(v_new) as i cross join unnest(array[1, 2, 3, 5, 6, 7]) as level
      where p_context_numbers[p_numbers[i][1]][level] is not null
      group by 1
    ) q;
  perform settle_receipts(
    p_epoch, v_purses, v_amounts, p_context_ids, p_context_numbers, p_context_texts,
    array(select p_requests[i] from unnest(v_new) as i),
    array(select p_charges[i] from unnest(v_new) as i),
    array(select array(select unnest(p_numbers[i:i])) from unnest(v_new) as i),
    array(select p_attempts[i] from unnest(v_new) as i),
    array(select p_client_requests[i] from unnest(v_new) as i),
    array(select p_extras[i] from unnest(v_new) as i)
  );
end $$;

-- Follows a posting in the grants that expire: counts what was charged before it, adds the grant that it is, and takes from grants
-- what a debit takes beyond all other credit. p_credit is what it added to the credit, p_left the credit after it that is not
-- charged. The caller has locked the purse.
create or replace function share_posting(
  p_workspace uuid, p_posting uuid, p_charged numeric, p_credit numeric, p_left numeric, p_expires timestamptz, p_receipt uuid
) returns void language plpgsql as $$
begin
  perform count_grants(p_workspace, p_charged);
  if p_expires is not null then
    insert into expiring_grants (
      workspace_id, posting_id, expires_at, given_at, amount_nano_usd, rest_nano_usd, other_nano_usd
    )
      select p_workspace, p_posting, p_expires, clock_timestamp(), p_credit, p_credit, other_nano_usd
      from grant_counts where workspace_id = p_workspace;
  elsif p_receipt is not null and p_credit > 0 then
    perform give_back_to_grants(p_workspace, p_receipt, p_credit);
  elsif p_receipt is not null then
    perform take_from_grants(p_workspace, -p_credit);
  end if;
  perform take_from_grants(p_workspace, (
    select coalesce(sum(rest_nano_usd), 0) from expiring_grants where workspace_id = p_workspace and ended_at is null
  ) - p_left);
end $$;

-- Takes an answer's cost out of what a project has free in this hour, `p_most` in all. No row: it isn't free any more.
create or replace function take_free_answer(p_workspace uuid, p_project uuid, p_cost bigint, p_most bigint)
returns table (taken_nano_usd bigint) language sql as $$
  insert into free_answers as f (workspace_id, project_id, hour, cost_nano_usd)
    select p_workspace, p_project, date_trunc('hour', now(), 'UTC'), p_cost where p_cost <= p_most
    on conflict (workspace_id, project_id) do update set
      hour = excluded.hour,
      cost_nano_usd = excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end
      where excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end <= p_most
    returning cost_nano_usd
$$;

-- Takes an amount from what is left of a workspace's grants that expire, the earliest expiry first. Returns what they lack.
-- The caller has locked the purse.
create or replace function take_from_grants(p_workspace uuid, p_amount numeric) returns numeric language plpgsql as $$
declare
  v_all numeric;
begin
  if p_amount <= 0 then
    return 0;
  end if;
  select coalesce(sum(rest_nano_usd), 0) into v_all from expiring_grants where workspace_id = p_workspace and ended_at is null;
  update expiring_grants g
    set rest_nano_usd = g.rest_nano_usd - least(g.rest_nano_usd, p_amount - earlier.amount)
    from (
      select posting_id, sum(rest_nano_usd) over (order by expires_at, posting_id) - rest_nano_usd as amount
      from expiring_grants where workspace_id = p_workspace and ended_at is null
    ) earlier
    where g.workspace_id = p_workspace and g.posting_id = earlier.posting_id and earlier.amount < p_amount;
  return greatest(0, p_amount - v_all);
end $$;

-- Changes the given columns of a workspace's key and leaves the others; no row if there is no such key. A new limit, or a
-- raise of it, holds in the month that runs now.
create or replace function update_key(p_workspace uuid, p_key uuid, p_given jsonb) returns setof keys
language plpgsql as $$
declare
  k keys;
begin
  perform bound_transaction();
  -- A draw that opens the key's purse locks this row too, so its limit is either set below or read after this has committed.
  select * into k from keys where workspace_id = p_workspace and id = p_key for no key update;
  if not found then
    return;
  end if;
  k := jsonb_populate_record(k, p_given);
  update keys set name = k.name, spend_limit_nano_usd = k.spend_limit_nano_usd, models = k.models,
    expires_at = k.expires_at, disabled_at = k.disabled_at, metadata = k.metadata,
    allowed_networks = k.allowed_networks, raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
    where workspace_id = p_workspace and id = p_key returning * into k;
  if p_given ?| array['spend_limit_nano_usd', 'raised_limit_nano_usd', 'raised_until'] then
    with purse as (
      update purses set limit_nano_usd = k.spend_limit_nano_usd,
        raised_limit_nano_usd = k.raised_limit_nano_usd, raised_until = k.raised_until
      where workspace_id = p_workspace and kind = 'key' and subject_id = p_key and period = 'month'
        and window_start = date_trunc('month', clock_timestamp(), 'UTC')
      returning id
    )
    insert into changes (kind, subject_id) select 'purse', id::text from purse;
  end if;
  insert into changes (kind, subject_id) values ('key', p_key::text);
  return next k;
end $$;

-- Changes the given columns of a workspace's project and leaves the others; no row if there is no such project.
create or replace function update_project(p_workspace uuid, p_project uuid, p_given jsonb) returns setof projects
language plpgsql as $$
declare
  p projects;
begin
  -- Counting a window's receipts takes a while where there are many.
  perform bound_transaction('30s');
  select * into p from projects where workspace_id = p_workspace and id = p_project and archived_at is null
    for no key update;
  if not found then
    return;
  end if;
  p := jsonb_populate_record(p, p_given);
  update projects set name = p.name, requests_per_minute = p.requests_per_minute, tokens_per_minute = p.tokens_per_minute,
    concurrency = p.concurrency, budget_nano_usd = p.budget_nano_usd, budget_period = p.budget_period, models = p.models,
    member_key_spend_limit_nano_usd = p.member_key_spend_limit_nano_usd, member_keys_max = p.member_keys_max,
    reports_cost = p.reports_cost, model_when_spent = p.model_when_spent,
    raised_limit_nano_usd = p.raised_limit_nano_usd, raised_until = p.raised_until,
    end_user_limit_nano_usd = p.end_user_limit_nano_usd,
    end_user_period = p.end_user_period, session_limit_nano_usd = p.session_limit_nano_usd
    where workspace_id = p_workspace and id = p_project returning * into p;
  if p_given ?| array['budget_nano_usd', 'budget_period', 'raised_limit_nano_usd', 'raised_until'] then
    perform apply_budget(p);
  end if;
  insert into changes (kind, subject_id) values ('project', p_project::text);
  return next p;
end $$;

-- Bounds how long the transaction that calls it waits for any lock. A statement about rows of several purses or projects
-- passes over what is locked and reports it; a statement of its own then waits for it, briefly. A waiter holds only locks
-- that come earlier in the order of locks. A query, so that its callers' plans have it inline.
create or replace function wait_briefly() returns text language sql as $$
  select set_config('lock_timeout', '250ms', true)
$$;

create table receipts_2026_w23 partition of receipts FOR VALUES FROM ('019e807a-ec00-0000-0000-000000000000') TO ('019ea487-7000-0000-0000-000000000000');
create table receipts_2026_w48 partition of receipts FOR VALUES FROM ('01a205b3-d000-0000-0000-000000000000') TO ('01a229c0-5400-0000-0000-000000000000');
create table receipts_2026_w49 partition of receipts FOR VALUES FROM ('01a229c0-5400-0000-0000-000000000000') TO ('01a24dcc-d800-0000-0000-000000000000');
create table receipts_2026_w50 partition of receipts FOR VALUES FROM ('01a24dcc-d800-0000-0000-000000000000') TO ('01a271d9-5c00-0000-0000-000000000000');

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-adad-71c2-b517-23ce098775f8", "name": "A user", "email": "owner@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T05:38:17.129241+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$Xxw3lHDvXqeA527ZkrcJSA$ozk3zIfniBO0b4k8DzW6Y7CeYxNke/A+7OkxGZS4zvM", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "name": "A user", "email": "second@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T05:38:17.336568+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "name": "Engineer", "email": "engineer@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T05:38:17.647747+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T05:38:17.647747+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-b05a-72b7-ad2b-1ec11c38968f", "name": "Ada", "email": "ada@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T05:38:17.804105+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T05:38:17.804105+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-b0b4-7109-9f6b-6a56e05cb187", "name": "Ada", "email": "left@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T05:38:17.906909+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T05:38:17.906909+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a225cf-b59b-7563-b030-b61e9b3e7401", "name": "erased", "email": "01a225cf-b59b-7563-b030-b61e9b3e7401@erased.invalid", "version": 3, "erased_at": "2026-11-29T05:38:19.29477+00:00", "created_at": "2026-11-29T05:38:19.161598+00:00", "disabled_at": "2026-11-29T05:38:19.185931+00:00", "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-a56c-7018-a52b-b796b039bc11", "name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "version": 2, "closing_at": null, "created_at": "2026-11-29T05:38:15.018476+00:00", "archived_at": null, "billing_name": "Acme", "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": 200000000}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "name": "workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324", "version": 1, "closing_at": null, "created_at": "2026-11-29T05:38:16.508889+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "name": "workspace 4ac31061-83c7-4d48-8a46-11cb17a87e5d", "version": 2, "closing_at": null, "created_at": "2026-11-29T05:38:18.944486+00:00", "archived_at": null, "billing_name": null, "suspended_at": "2026-11-29T05:38:19.090211+00:00", "billing_tax_id": null, "billing_address": null, "suspension_reason": "unpaid", "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-b502-75b0-a50b-773946264690", "name": "workspace aba01225-8bbf-450b-bf0b-a30162580fb0", "version": 2, "closing_at": "2026-11-29T05:38:19.126967+00:00", "created_at": "2026-11-29T05:38:19.01026+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-b651-7745-992c-f1f9422db529", "name": "long ago", "version": 1, "closing_at": null, "created_at": "2026-11-29T05:38:19.345478+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a225cf-ba2f-72f2-8fc8-37118da20971", "name": "archived", "version": 2, "closing_at": null, "created_at": "2026-11-29T05:38:20.329832+00:00", "archived_at": "2026-11-29T05:38:20.36616+00:00", "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "version": 1, "created_at": "2026-11-29T05:38:17.129241+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "version": 1, "created_at": "2026-11-29T05:38:17.336568+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "version": 1, "created_at": "2026-11-29T05:38:17.647747+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a225cf-b05a-72b7-ad2b-1ec11c38968f", "version": 1, "created_at": "2026-11-29T05:38:17.850968+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a225cf-ae1b-74e7-b8b8-7765867d308e", "name": "ci", "scopes": ["keys:read"], "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "last_four": "e752", "created_at": "2026-11-29T05:38:17.24072+00:00", "expires_at": "2026-11-30T05:38:17.239+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\x5a8d392c403eb425966fd018ab7209b6292ff3b419c10ef66ae203068f66c3bb"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a225cf-ae94-7363-bc83-3b9914c69ae5", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "last_four": "QpVW", "created_at": "2026-11-29T05:38:17.362302+00:00", "expires_at": "2026-11-30T05:38:17.36+00:00", "revoked_at": null, "last_used_at": "2026-11-29T05:38:17.400065+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xa5202185fb9be2226a116dc14b52df296b335d25328ec3eae34b0417b55d740b"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b140-760a-8f7a-d57e7ef192d9", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T05:38:18.041264+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b140-760a-8f7b-caea0c883f9f", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T05:38:18.041264+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b140-760a-8f7c-0740d6c274f5", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T05:38:18.041264+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b11c-72da-a5ef-f8a9b7f4829d", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-29T05:38:18.012074+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8ef6-ef62d08a65b5", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8ef7-eb14287c2f92", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8ef8-057d7a3fae6f", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8ef9-0f686f6012ea", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8efa-9ad601db257c", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8efb-f1db80f5cfd7", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8efc-883fc45e5f87", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8efd-8116cd6bb8c8", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8efe-b20ce878e3a0", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8eff-731172c3efa8", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f00-cf1e25a63507", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f01-d20d7dbe2523", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f02-751c5597b8ac", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f03-e77fdef2921a", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f04-b63da9a59d82", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f05-be3222ba478f", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f06-4593a7a8ff51", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a225cf-b156-7267-8f07-30262481a803", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T05:38:18.063642+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-29T05:38:18.041264+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "defaults_version": 1, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795930698063, "60000001"]], "looked_at": "2026-11-29T05:38:18.261713+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "spent_nano_usd": 60000001, "defaults_version": 2, "credited_nano_usd": 15330000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795930698063, "0"]], "looked_at": "2026-11-29T05:38:18.261713+00:00", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "spent_nano_usd": 0, "defaults_version": 2, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a225cf-b1c2-7421-b26f-320e7f86bb19", "url": null, "kind": "balance_below", "rule_id": "01a225cf-b11c-72da-a5ef-f8a9b7f4829d", "seen_at": "2026-11-29T05:38:18.063642+00:00", "summary": "The balance of \"workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd\" is 15.26 USD, below 1,000.00 USD. Of it, 0.01 USD will expire on 1 December 2026.", "raised_at": "2026-11-29T05:38:18.063642+00:00", "threshold": 1000000000000, "subject_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "window_start": "-infinity", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "limit_nano_usd": 1000000000000, "value_nano_usd": 15269999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a225cf-b1da-74bd-82ee-62c27ac4cf3f", "url": null, "kind": "balance_share", "rule_id": "01a225cf-b156-7267-8eff-731172c3efa8", "seen_at": "2026-11-29T05:38:18.063642+00:00", "summary": "The balance of \"workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-29T05:38:18.063642+00:00", "threshold": 20, "subject_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324", "window_start": "-infinity", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a225cf-b1e7-755a-92a5-4e35262459df", "url": null, "kind": "balance_below", "rule_id": "01a225cf-b156-7267-8f00-cf1e25a63507", "seen_at": "2026-11-29T05:38:18.063642+00:00", "summary": "The balance of \"workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-29T05:38:18.063642+00:00", "threshold": 1000000000, "subject_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324", "window_start": "-infinity", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x3eb8e35c208fce113ebd8b8e59ab6b6c6b6b065a3aa064e3005c2f91ddbfe4db"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 44, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x0b44210e1442ac5a1ef9f413ea88286cdd823fd5af294870013f4a908e1e4019"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 4, "scope_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xa068b59d0dbd198ac3d8c630042bbc91f8426b1d8c381dd2a3fd9ecd22511bc8"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x70a6c9d12f8349a6168a783919a1b432a8d383b63ac36d4c877e28de8b295826"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a225cf-b502-75b0-a50b-773946264690", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xdea8aa6c8d174eeb8bf7ed22ef138f9566404841a2fce115efe2feec1d09f4e1"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 2, "scope_id": "01a225cf-b651-7745-992c-f1f9422db529", "dropped_by": "01a225cf-b69d-7327-96fd-aae93a3c7877", "dropped_to": 1, "chain_sha256": "\\x394a264c4d485e07551977e6586e533759650bafc6b55889fe58ac39667a9336"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.018476+00:00", "id": "01a225cf-a570-7737-b562-6e65d0eb6394", "after": {"name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.097885+00:00", "id": "01a225cf-a5c2-7707-9fcd-24bb643ac0f7", "after": {"name": "project b59cf12b-4ab5-48b3-acba-eb3b01ae7bbb", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project b59cf12b-4ab5-48b3-acba-eb3b01ae7bbb", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.131281+00:00", "id": "01a225cf-a609-752f-8c02-74632c988c48", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.191979+00:00", "id": "01a225cf-a633-73ec-98ec-c9ebdf6957f9", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a225cf-a61f-745e-8da4-954fe52ec808", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.230654+00:00", "id": "01a225cf-a64b-77a4-b16f-9c81176cdf35", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a225cf-a644-77a8-9439-f8398a88d378", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:15.258478+00:00", "id": "01a225cf-a668-702c-a043-cc38713a61ae", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a225cf-a65d-702b-af70-49a61024de62", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.470934+00:00", "id": "01a225cf-ab21-708e-ab44-773dcd6cf04e", "after": {"period": "month", "reason": "a \"reason\", with Ünïcode", "starts": "now", "expires": "with_period", "amount_nano_usd": "10000000", "expires_after_days": null}, "action": "recurring_grant.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ab1c-74a3-ad18-3cd7465fc1d6", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "recurring_grant", "target_name": "0.01 USD each month", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.508889+00:00", "id": "01a225cf-ab41-756a-8d0b-4723ae75a718", "after": {"name": "workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace fa1a6bd6-c01d-476c-b36d-5a5cc0864324", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.547398+00:00", "id": "01a225cf-ab65-74db-8160-e6c831164c72", "after": {"name": "project 79b297ce-3d90-4ff2-9876-28f4ff4e653f", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ab63-73f5-a00e-e420373056ac", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 79b297ce-3d90-4ff2-9876-28f4ff4e653f", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.566211+00:00", "id": "01a225cf-ab82-72b3-a352-9d75db5b9be2", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ab77-77af-b478-3af6d44354de", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.614199+00:00", "id": "01a225cf-abb0-7579-82b8-ab75378d3b06", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-aba6-7279-90a2-2f0fab6e6bed", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.644546+00:00", "id": "01a225cf-abda-71ad-b8db-73a33a775a07", "after": {"revoked_at": "2026-11-29T05:38:16.644Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a225cf-aba6-7279-90a2-2f0fab6e6bed", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.684961+00:00", "id": "01a225cf-abfd-70c6-b6b7-43657bea7a5a", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.804427+00:00", "id": "01a225cf-ac73-7691-a6b8-1cf4353891ff", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ac6e-72bd-b895-ff7960551165", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.841387+00:00", "id": "01a225cf-ac95-71a6-9d19-7279af2bc347", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-30T05:38:16.840Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ac88-75ac-94e0-405bfc7c9d71", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:16.868738+00:00", "id": "01a225cf-aca9-753e-b751-a2cf912f3ade", "after": {"code": "…JY4G"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-aca4-77cd-bb38-96ad82c4020a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.198091+00:00", "id": "01a225cf-adfc-762d-b42e-14d8ff9815ff", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "target_id": "01a225cf-adad-71c2-b517-23ce098775f8", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "298d1b1e-a300-4694-b616-b4e958cf94a3", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.226344+00:00", "id": "01a225cf-ae0f-73dc-a753-dd1a24fec662", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "target_id": "01a225cf-adad-71c2-b517-23ce098775f8", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "298d1b1e-a300-4694-b616-b4e958cf94a3", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.24072+00:00", "id": "01a225cf-ae23-70a5-ade4-02c9a8683621", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-30T05:38:17.239Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "target_id": "01a225cf-ae1b-74e7-b8b8-7765867d308e", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "298d1b1e-a300-4694-b616-b4e958cf94a3", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.262152+00:00", "id": "01a225cf-ae3b-7559-8b7c-de30cb1f2bb1", "after": {"role": "member"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ae33-744f-986e-0d851a18b92c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.296774+00:00", "id": "01a225cf-ae54-75f8-8319-2cc178bd6b37", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "target_id": "01a225cf-ae51-737d-b0be-303eb6abc38c", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "298d1b1e-a300-4694-b616-b4e958cf94a3", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.362302+00:00", "id": "01a225cf-ae9d-7451-9aa5-82ce566df75e", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-30T05:38:17.360Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "target_id": "01a225cf-ae94-7363-bc83-3b9914c69ae5", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "3364cdff-4ea7-4eeb-af2f-b764973e95ce", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.415846+00:00", "id": "01a225cf-aecb-73e9-b507-17837585d278", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "target_id": "01a225cf-aec8-7158-846c-4f7151b7f88a", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.432382+00:00", "id": "01a225cf-aee6-70b3-bd4b-955cbd07be90", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "target_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.469447+00:00", "id": "01a225cf-af3b-7465-8102-04864859d07b", "after": {"issuer": "https://login.company.example", "client_id": "faregate", "group_roles": "{\"engineers\":\"developer\"}", "client_secret": "replaced", "allowed_networks": ["0.0.0.0/0", "::/0"]}, "action": "access.update", "before": {"issuer": null, "client_id": null, "group_roles": "{}", "client_secret": null, "allowed_networks": null}, "address": null, "user_id": null, "target_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "access", "target_name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.559001+00:00", "id": "01a225cf-af66-7702-8a54-d3aab4813d1a", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "unproven.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "unproven.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.591985+00:00", "id": "01a225cf-af80-72d6-af50-02fa09e47193", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.628457+00:00", "id": "01a225cf-afa3-7147-b82b-73b4bddf2c32", "after": {"by": "operator"}, "action": "domain.prove", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.647747+00:00", "id": "01a225cf-afc3-7715-bd7f-d319a911509d", "after": {"issuer": "https://login.company.example", "subject": "2"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "0894835d-a53a-42e7-838a-64359c7b0431", "target_kind": "user", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.647747+00:00", "id": "01a225cf-afef-70b2-8d71-2f99d22f87d0", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "0894835d-a53a-42e7-838a-64359c7b0431", "target_kind": "member", "target_name": "engineer@company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.647747+00:00", "id": "01a225cf-b00a-7789-aafc-eda19ce18dc0", "after": {"by": "openid"}, "action": "session.begin", "before": null, "address": "192.0.2.1", "user_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "target_id": "01a225cf-b002-727b-ba06-a2f037ca45d9", "actor_kind": "session", "actor_name": "engineer@company.example", "request_id": "0894835d-a53a-42e7-838a-64359c7b0431", "target_kind": "session", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.759414+00:00", "id": "01a225cf-b022-7589-9852-ce204a7f577b", "after": null, "action": "directory_token.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "directory", "target_name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.804105+00:00", "id": "01a225cf-b061-70cf-96d0-7b0a633f317d", "after": {"email": "ada@company.example", "active": true, "external_id": "1"}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-b05d-73da-b1b9-791d5bcbd3f2", "actor_kind": "job", "actor_name": "directory", "request_id": "72ce740f-27d5-4085-bc08-d0652bc341cb", "target_kind": "directory_user", "target_name": "ada@company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.850968+00:00", "id": "01a225cf-b084-7506-a1df-4945adb346e0", "after": {"members": 1, "external_id": "2"}, "action": "directory_group.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-b07d-7329-93f0-1568e77ac44e", "actor_kind": "job", "actor_name": "directory", "request_id": "72ce740f-27d5-4085-bc08-d0652bc341cb", "target_kind": "directory_group", "target_name": "engineers", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.850968+00:00", "id": "01a225cf-b09e-758c-bddb-e18ff6980b99", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-b05a-72b7-ad2b-1ec11c38968f", "actor_kind": "job", "actor_name": "directory", "request_id": "72ce740f-27d5-4085-bc08-d0652bc341cb", "target_kind": "member", "target_name": "ada@company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.906909+00:00", "id": "01a225cf-b0be-73ad-aef8-dd65a0482252", "after": {"email": "left@company.example", "active": false, "external_id": null}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-b0bd-7410-9469-b358f69c3134", "actor_kind": "job", "actor_name": "directory", "request_id": "72ce740f-27d5-4085-bc08-d0652bc341cb", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.906909+00:00", "id": "01a225cf-b0dd-748e-ae85-dbe685bf47f7", "after": {"keys": 0, "sessions": 0, "access_tokens": 0}, "action": "directory_user.deactivate", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a225cf-b0bd-7410-9469-b358f69c3134", "actor_kind": "job", "actor_name": "directory", "request_id": "72ce740f-27d5-4085-bc08-d0652bc341cb", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.96982+00:00", "id": "01a225cf-b0f8-76c9-a5f0-192501635017", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b0ea-737d-a358-9001dca429c9", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:17.993546+00:00", "id": "01a225cf-b10e-73be-91a5-0dfc554f7086", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b0ea-737d-a358-9001dca429c9", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.012074+00:00", "id": "01a225cf-b125-74dd-8c13-e4ae932dfc84", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b11c-72da-a5ef-f8a9b7f4829d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.292983+00:00", "id": "01a225cf-b23b-737b-ab5d-bd1d04e2627c", "after": {"redact": ["keys"], "records": ["content", "receipts"], "sample_percent": 10}, "action": "sink.update", "before": {"redact": [], "records": [], "sample_percent": 100}, "address": null, "user_id": null, "target_id": "archive", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "sink", "target_name": "archive", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.338997+00:00", "id": "01a225cf-b276-710d-85a2-8d3559fd5a42", "after": {"billing_name": "Acme", "member_monthly_limit_nano_usd": "200000000"}, "action": "workspace.update", "before": {"billing_name": null, "member_monthly_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 7f1a7a5f-f4f9-4f49-89e3-ec45d70cd3fd", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.379844+00:00", "id": "01a225cf-b298-7619-a35d-e0721a286c17", "after": {"name": "of a member", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b28b-7292-9bfe-607c89033f9c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "of a member", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.510135+00:00", "id": "01a225cf-b319-71ed-a2ac-0ceeff00754d", "after": {"name": "raised", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": "500000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b312-7586-8284-ab5b77bce184", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.534858+00:00", "id": "01a225cf-b332-727a-a874-4b892d80db0d", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "raised_limit_nano_usd": "900000000"}, "action": "key.update", "before": {"raised_until": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a225cf-b312-7586-8284-ab5b77bce184", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.561736+00:00", "id": "01a225cf-b348-7066-b2b1-7a246624137e", "after": {"name": "raised", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": "500000000", "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b341-706c-bf42-b6cb15ff6f94", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.587539+00:00", "id": "01a225cf-b360-707d-b58c-43914c6c7d55", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "model_when_spent": "small-chat", "raised_limit_nano_usd": "900000000"}, "action": "project.update", "before": {"raised_until": null, "model_when_spent": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a225cf-b341-706c-bf42-b6cb15ff6f94", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.632395+00:00", "id": "01a225cf-b38d-73c7-b128-321828ebd1f9", "after": {"name": "serves many", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": "100000000", "end_user_limit_nano_usd": "200000000", "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b38a-7043-8120-068800e1548c", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "serves many", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.647888+00:00", "id": "01a225cf-b3a3-762c-857c-dbb0b1ca7f93", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b398-741f-b04d-7d4a807bfe9f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.76315+00:00", "id": "01a225cf-b415-7317-bf75-b48cbc80c5a8", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b40e-72ef-b272-38c01e5abeee", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.785794+00:00", "id": "01a225cf-b43b-70df-90bf-ebf5c6e19fb2", "after": {"masked_key": "fg_live_00Sc3P70FVe5zW…EDVl", "former_secret_until": "2026-12-29T05:38:18.785Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00YxspOZfC0glZ…BgGg"}, "address": null, "user_id": null, "target_id": "01a225cf-b40e-72ef-b272-38c01e5abeee", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.826801+00:00", "id": "01a225cf-b45a-7533-be3a-44d5c5bcf7b6", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b44c-7663-805a-445640fc6624", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.848321+00:00", "id": "01a225cf-b469-7217-801c-ca30bf181d7b", "after": {"disabled_at": "2026-11-29T05:38:18.857Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a225cf-b44c-7663-805a-445640fc6624", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.881446+00:00", "id": "01a225cf-b485-756b-8fe3-ba94f3e3b18b", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b482-70f1-a2b3-4f518861e4d7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.901365+00:00", "id": "01a225cf-b4a3-7184-b9eb-a42a27398dc5", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b482-70f1-a2b3-4f518861e4d7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.944486+00:00", "id": "01a225cf-b4c1-7137-bf4e-01637df580ab", "after": {"name": "workspace 4ac31061-83c7-4d48-8a46-11cb17a87e5d"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 4ac31061-83c7-4d48-8a46-11cb17a87e5d", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.975836+00:00", "id": "01a225cf-b4e3-7667-aa42-56bb74423151", "after": {"name": "project a7014cbb-a35a-4bbf-8bb7-26ce6493dfb9", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b4e0-7544-ad9e-53095e11988b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project a7014cbb-a35a-4bbf-8bb7-26ce6493dfb9", "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:18.993776+00:00", "id": "01a225cf-b4f6-74b9-bcf9-5cd697643b5e", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b4f1-7071-8bff-fef063132e29", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.01026+00:00", "id": "01a225cf-b502-75b0-a50c-6f93faff5021", "after": {"name": "workspace aba01225-8bbf-450b-bf0b-a30162580fb0"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b502-75b0-a50b-773946264690", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace aba01225-8bbf-450b-bf0b-a30162580fb0", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.046082+00:00", "id": "01a225cf-b528-7239-9102-28043fe14057", "after": {"name": "project 319a3b59-3c72-4dfe-a3ed-3a5d6175ff13", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b526-7295-8e9a-f3462d55c189", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 319a3b59-3c72-4dfe-a3ed-3a5d6175ff13", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.064925+00:00", "id": "01a225cf-b544-7409-b86f-d3a78be1810c", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b539-727f-8f0f-0eab87bbc948", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.090211+00:00", "id": "01a225cf-b562-7004-8a55-43f6e7ae5bd0", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 4ac31061-83c7-4d48-8a46-11cb17a87e5d", "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.126967+00:00", "id": "01a225cf-b582-73f5-a595-367f98b558d5", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b502-75b0-a50b-773946264690", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace aba01225-8bbf-450b-bf0b-a30162580fb0", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.185931+00:00", "id": "01a225cf-b5f5-7358-ac83-c701de70ef0f", "after": null, "action": "member.remove", "before": {"role": "viewer"}, "address": null, "user_id": null, "target_id": "01a225cf-b59b-7563-b030-b61e9b3e7401", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "member", "target_name": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.29477+00:00", "id": "01a225cf-b648-73ad-8cc8-903ac25205cb", "after": null, "action": "user.erase", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b59b-7563-b030-b61e9b3e7401", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "user", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.345478+00:00", "id": "01a225cf-b656-71c7-a3fe-9b5a9d964425", "after": {"name": "long ago"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b651-7745-992c-f1f9422db529", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "long ago", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:19.413787+00:00", "id": "01a225cf-b69d-7327-96fd-aae93a3c7877", "after": {"events": 1, "position": "1", "chain_sha256": "c6ab83e816788eecb5153675ff9f6400b596b0bef9772b8902b6044c8771eb43"}, "action": "audit.drop", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-b651-7745-992c-f1f9422db529", "actor_kind": "job", "actor_name": "retention", "request_id": null, "target_kind": "audit_chain", "target_name": null, "workspace_id": "01a225cf-b651-7745-992c-f1f9422db529"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T05:38:20.329832+00:00", "id": "01a225cf-ba2f-72f2-8fc9-2f8612bec887", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a225cf-ba2f-72f2-8fc8-37118da20971", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a570-7737-b562-6e65d0eb6394", "position": 1, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x07798d7a3f1da6fa067f31c55b44b1294a991779bf90065c3b8626985381c5e9", "event_sha256": "\\xba2ff286437a6d06c8fecc8891acf93be4fb0edeb597a3d05e707a91fa629172"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b502-75b0-a50c-6f93faff5021", "position": 10, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xf79227a17b7ab0d8c1d1b2418be73281180c7b456d1cc68fdf40160a23ecf10c", "event_sha256": "\\xd0c1d5d201c4d79a44bdcca2a7176ba47b8f45b19e6957a235d1329555b33416"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b648-73ad-8cc8-903ac25205cb", "position": 11, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0c25a7caab87b8426924c1b2aaca61fc5a0d67c36f35014983088cc94cd901b7", "event_sha256": "\\x739291f7daa7f6d2d8a8eeec44e5f8e1fe78fb3d7364486520b749586faf4c09"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b656-71c7-a3fe-9b5a9d964425", "position": 12, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc6f9afea2defd046d72f0d16020a8d79b1137821e685b260976284b5b51fe4b4", "event_sha256": "\\x83269e60b403ff868d6558d860f290eedd7c8b76869704680b455c99f904c114"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ba2f-72f2-8fc9-2f8612bec887", "position": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x3eb8e35c208fce113ebd8b8e59ab6b6c6b6b065a3aa064e3005c2f91ddbfe4db", "event_sha256": "\\x798d42092669adeb5f707c10e3c8ab2e870cb562477a3d39c62bc30a6596eaa8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ab41-756a-8d0b-4723ae75a718", "position": 2, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xf76b3acdab9956acef33d4b38cc94f68fe4bf9a3a03dcc9eb7af712c18578dfe", "event_sha256": "\\x7baa953cb921e7b2ef6ab9f2301b5092fa879373a4c708b9e04ba512b7faa4bb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ac95-71a6-9d19-7279af2bc347", "position": 3, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x14fb35d3d5df6d1e3d00aa150b34c723fb2b5c514361630bbda7962f9a43a579", "event_sha256": "\\xfa6bc2ea10ff1df782a5aa7ae21cd8ea69c3f12f068f42221c67396ffe3ee3fe"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-adfc-762d-b42e-14d8ff9815ff", "position": 4, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x20c0e37ffa6475ef0df80c48ce646a345d282ee715458fc14191edef7e7e3b89", "event_sha256": "\\xbdf93232c5d08a1e1cd4e2a641d9c14b416a6a2cc733ed0310736e2e9f6f3fa3"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ae0f-73dc-a753-dd1a24fec662", "position": 5, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x669bb988c8ac91e1947632d14cbacb528bdccb6900449ecdcc5db345bd43ed56", "event_sha256": "\\xad4c4d47620deb412d331d81a2283cf6cafc1925d7bb29e9347ef22715434a30"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ae54-75f8-8319-2cc178bd6b37", "position": 6, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x8d7ef8121e8b7d58018a39be94d8985b2d2f70d03baeb35859dd0a6c0e3d0c98", "event_sha256": "\\x24ebb78397bb9670efdb0e2b956570126e83d1c6de1cf886a24e4871232640c7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-afc3-7715-bd7f-d319a911509d", "position": 7, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x8b95f166c7f5fc87ceb8dd2ae111222dbd14605be38d3ff15bd53d350463b968", "event_sha256": "\\x5f7838d370d6fab8e24f82b5ef644cfc0f6d6b43905cc91b7ae011957766a6a6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b00a-7789-aafc-eda19ce18dc0", "position": 8, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x980502e6a2e58b6c17f060906dac1b663d75c74b2415da61ffa996a4378d1b67", "event_sha256": "\\xda9fd426798e9f696b2dbe40f7e19f123a6fe77c41f4ae4a85737fd954751b3c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b4c1-7137-bf4e-01637df580ab", "position": 9, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x5275d3fb19d1f80a775ac144f0dbbeb92f9c3d364be0a911efea501877bce604", "event_sha256": "\\xf3aeb7bd349f31f8bc8b652ce90dc65e691aa5e3b2d9ab9f97ce5ca5e756cc8a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a5c2-7707-9fcd-24bb643ac0f7", "position": 1, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xc5112cfe3ab7a47e34c8f868d42350d981a753961e5416739a4046e72e305ed5", "event_sha256": "\\x3bdeda4a4c8ac57e290e4db882ca2b3622a5a3d9e5f206be9916f522362051f7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ae23-70a5-ade4-02c9a8683621", "position": 10, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x1cbca317c2327f2cd91c64bd666ca03f6744cd8fb9afe970f4f25224adf48e07", "event_sha256": "\\x4cc0d5949c698fc08eb13386c796cc788c3e569e806da79a4a804043e6c20e30"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ae3b-7559-8b7c-de30cb1f2bb1", "position": 11, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x5c2f51b8e40c8b39af8d08590156a115ab4c720ac7ea22ae45e977b1e840d258", "event_sha256": "\\x4d68832589036819062bb84e26347646b54d5c98ce62debe319edbabacdb10f3"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ae9d-7451-9aa5-82ce566df75e", "position": 12, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xd388c26087ba7bbe93979367ac63872b38790ca59e9258bf4781a08a15de200d", "event_sha256": "\\x818eae05df068b98a82975c8f188400cb853d5dc6bb6fcda277be357713861da"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-aecb-73e9-b507-17837585d278", "position": 13, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x8405bf5231bade9d21bfd6fe3f7fcaccc127950d9a3192a5bf45e3cccc52ba6b", "event_sha256": "\\x7b081b28801c05f3a1b6beb365e2ec929f87bb2ad9223c59934d135c872db2d5"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-aee6-70b3-bd4b-955cbd07be90", "position": 14, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x5a53f84aabbf8c20e0cdd13a55001646f4962f448ba303bb0cc768bc1f33c0a1", "event_sha256": "\\x840c13d565d6ec76066826475ed1852ad89f9e50e2fa9355b49a65b577adebb9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-af3b-7465-8102-04864859d07b", "position": 15, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x7662e6e2f169de36e236f454b9ac8beb612fb0acefafc0598d3770afb8bfddbd", "event_sha256": "\\xc7bc97a72153a55d821e20fb134d3630bc23731c81bbd1314937a70cc7dd760e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-af66-7702-8a54-d3aab4813d1a", "position": 16, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xd6cb21ab36e60883a95c2a94fe885620a8dff1675fd1942a50dd7bfb806637dc", "event_sha256": "\\x9f212b7d74964fdf50d1446610fd7cd1a44dc73b34408f5a74527d820da27105"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-af80-72d6-af50-02fa09e47193", "position": 17, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x57febff92afe09fe526f0e51e8bab587babbcfdf00b805583a75bb84494e9700", "event_sha256": "\\xc658466ee2655e7943ddb6c0f0d88aa14bea437bb0ff973512507fade9478e59"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-afa3-7147-b82b-73b4bddf2c32", "position": 18, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x258c5175adc6902d6a38f6bd782d903c6da4ba485ca2690f2812fb76abef369f", "event_sha256": "\\x48ba2bcb3bd20e1cc38fbcce8c71b84173c2bbcb72bd36916b9c5c4020286d26"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-afef-70b2-8d71-2f99d22f87d0", "position": 19, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x3b0f08533f923280332798ce56c430ce7c9fd7e3b39d2d7364ed3c02d5d4a30a", "event_sha256": "\\x06acba9a4c2a6ae9000238952ae824d3008da88bc67160322fdb30e5259760fe"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a609-752f-8c02-74632c988c48", "position": 2, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x752bc61b1bebcde31242ef66f078d25149734b3b9b078ab77a73b26d7f268879", "event_sha256": "\\x0d23f191af4399b414d6b7341c31b400d77c8ef69934bf0c5265ab6d1776706f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b022-7589-9852-ce204a7f577b", "position": 20, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xab1fbecfcf7db9b40063386b2b3b7505c28bf4ef8e19dc085782177af632e2ad", "event_sha256": "\\xe81e38d052c43c6796ff254613388b766962b2066957b3ae71324682887c768f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b061-70cf-96d0-7b0a633f317d", "position": 21, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x38e535976c6da21b4c9e2f14c11f0160e429a6077450ae295eeb9a0339265811", "event_sha256": "\\xf851140d2697d70b30c117765563858f3ac4eefa57ff40a42f765e2001a8de3d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b084-7506-a1df-4945adb346e0", "position": 22, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x26a0ddcffaa8f51cb31429b59e3fb3d184d561e0e6df6320a0a0ca0234d25309", "event_sha256": "\\x143c93c2723418cc121cad312bf57205bdc4a1a316112b73bcc406d147526660"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b09e-758c-bddb-e18ff6980b99", "position": 23, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xf9e8ec27667399213cf9f8347b7f8e9ac1576bdda79bba30f99b6334597dd423", "event_sha256": "\\xaf00897479596b7b4ce0318eea9cff0844ff627d544e5e482a20f8d0df307390"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b0be-73ad-aef8-dd65a0482252", "position": 24, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xe21362be3866b0f97f2e1af54d3c7f3c026a425a92164eeacfd889afdac82a14", "event_sha256": "\\x8aaed48abcaf904ce6ecd703b99932e2e9d50e71c976f29531a227ed50fdec8a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b0dd-748e-ae85-dbe685bf47f7", "position": 25, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xdc1956e85ba9ed70173340244b2e5c4ea758d615464b12a4cb54b9e885bc5119", "event_sha256": "\\x0b3c361b9032a1f7cdf8d8bba203f089452983aabc0038682c1b7fb33f65de23"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b0f8-76c9-a5f0-192501635017", "position": 26, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x282bc23fc239f84d87f178b6e7c49c357d875c7bf6514c70ab2bde8b9e19c9e6", "event_sha256": "\\x13747299650648514a8d7464cd9698a739e00830c6b98d06768d631e9076d438"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b10e-73be-91a5-0dfc554f7086", "position": 27, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xe82a77b2b1b617ebae6d46c9b85ba6979acaef2e6c11b8ee6941bff269fa416f", "event_sha256": "\\xdc610c7da7579fdc1c7963e3983881fb6dfe49643b28ff75c803548ff53f82a3"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b125-74dd-8c13-e4ae932dfc84", "position": 28, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x22765b19c027962f9c7567903527c3323a478973bc6766e1670bd6358ebf371a", "event_sha256": "\\x4d027548f01d6db8a890bc199b582d865ff93cc6cafecf2a4a6f69843c5a9bc8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b23b-737b-ab5d-bd1d04e2627c", "position": 29, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x461d4f912d359d8ee98dc8917ecf0f208b10fdce9d9d6e8c068fa30a93e356d3", "event_sha256": "\\x26c4dd66721531f5f73d5bd0a0cf28ffd2bb275f6a511298b239ec2f87966cb1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a633-73ec-98ec-c9ebdf6957f9", "position": 3, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xaec7f9c0505903a3e005ecd81500d572d493391afab6cb46b823de0c1a194830", "event_sha256": "\\x5d08a96c0763fb09d12ea8f6c1860ca3aa2aed37828cb972289053edf8ffe939"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b276-710d-85a2-8d3559fd5a42", "position": 30, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x5ce88d8196cec946b6398f815b8f698529c9c8d4b05d487f5eabc9ac5aa91f10", "event_sha256": "\\xc6d6232865c543047add70510010c65cfed1e0ffef49a5828081e9666a78bfe5"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b298-7619-a35d-e0721a286c17", "position": 31, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x9031c64d72d9f7ba7bccb7295cd42c4b1d8213b4a40b156c6200b2d38ae789e1", "event_sha256": "\\x4d077a2d7264cad59dad31f78d65b2904fdbe6d31a953a6ed092820c552e8cf0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b319-71ed-a2ac-0ceeff00754d", "position": 32, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x4d90b949dca1ca14a5cf01ba45af450f366c5c957d98f1020c55c8a2736e19d3", "event_sha256": "\\xd326c83db37df808579cc26b72dd375b150c32f60b584afdc90a9fef0b1d6a2c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b332-727a-a874-4b892d80db0d", "position": 33, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x4b096d4ab13297173d3d923d65538be4e5438cb8bb65ea7750106a43685c6fee", "event_sha256": "\\x4eae569cc9aa961c25e7c5729d362632508697873d861249b41a65d44d6105e1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b348-7066-b2b1-7a246624137e", "position": 34, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x7c81f8e9856fcb308240f23c512ddf8eedcb3e3cae0a3e16fabfb6a91e36bd8e", "event_sha256": "\\xcc6f2fffa641db6a5040042e9689920e65636e64a22e833cf6f87049d91d1fc2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b360-707d-b58c-43914c6c7d55", "position": 35, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x7b87ff6e7a3f5423a41d222d6d6fde934403595c4fbf452e55940b70033b65da", "event_sha256": "\\xf1ce63fc147e0baa91c714f6460d9e64dbcb087e86003b66b9f684eaaa7dfbdb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b38d-73c7-b128-321828ebd1f9", "position": 36, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x030098a4aaf97d7b51ab8deabec5b25a0bafdf5d571c24724f9ffa0f908881ae", "event_sha256": "\\xcaea2800ddd27f2ccf628d1a96bd3dea019669952b40acdd81cc8bdaa9f5b09f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b3a3-762c-857c-dbb0b1ca7f93", "position": 37, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xb76362e8b9bbccb9347cd97fbf88b8e89dee8dea1c024622ca982ab86cf0f9c1", "event_sha256": "\\x1751209884ae584f32e3530a38e015266523f9ec07837274c32e6d9af258b8b8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b415-7317-bf75-b48cbc80c5a8", "position": 38, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xc3808e7447f08a5e50d80c5a31c2695d2ca7ec5cbf3e33020fbafac3c528f8e5", "event_sha256": "\\x4e7c139e39f85ca8e56b8c7a6f2ca6c313ed5a7aba64c39e14a64b8000f19e06"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b43b-70df-90bf-ebf5c6e19fb2", "position": 39, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x3c925ca036f05fc4cad62d401fcf74cf520e5ff0f18789b9fd707e43e4b4fc8e", "event_sha256": "\\xe5d5c278f268e74731fad55b77a0457ab1c3d5f7731b95139ab653694e03d78a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a64b-77a4-b16f-9c81176cdf35", "position": 4, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xee2a05c817419da7597ba687a0b6dae1fd35f9e23e8282bb0c656630905de1b0", "event_sha256": "\\x3acc61799c70849c2aa2d09b3e81b08d253a61051bfbd7f2a261265c59e33ecf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b45a-7533-be3a-44d5c5bcf7b6", "position": 40, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xc8bf25e7c303888587135592668226f347d23da55abd675035f6527fd6e3d0f3", "event_sha256": "\\x5542139b3a1f1c9d147f509719a2a13cdf87ab7c806707efbd092c7b7c933f41"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b469-7217-801c-ca30bf181d7b", "position": 41, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x9db4a608fb2cbe1d21f9dc8e433de7cb65a8d504bbdd52df94e5dbe4565da718", "event_sha256": "\\x83f4fec60de2791d067fa9c62d3036410e5479d63ae502cc88c849db469cabad"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b485-756b-8fe3-ba94f3e3b18b", "position": 42, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xe7c774dc3b474ac6b3cf6243f7c6fbe27efac2a940d1bf1be767a197dcca2021", "event_sha256": "\\xd1a2150284da027f5c3edcfc4af60485708125d50c306748b5e7a681532ac392"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b4a3-7184-b9eb-a42a27398dc5", "position": 43, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x5b59b8e8a22b3365139d6daadd67eb5e9ad50ba9137077e0c1fbaa6d74a6d7e6", "event_sha256": "\\x7becf43ff105ac3e38087227acf4671b3a75f9ff63a617a78f1bc9b855d2a769"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b5f5-7358-ac83-c701de70ef0f", "position": 44, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x0b44210e1442ac5a1ef9f413ea88286cdd823fd5af294870013f4a908e1e4019", "event_sha256": "\\x7c0674a2c3151f725eb1fbafb0f45953def5d7fca3c9d59a8bd4a25bac4a6818"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-a668-702c-a043-cc38713a61ae", "position": 5, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\xace0327f9582744fd4b843e28293d61abe4717fc463a0b6d04e8182cafb24d3b", "event_sha256": "\\xcca012adae8e7b650179bc71b58392fa8bcc5dce1c81144c2837628be13b3a3c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ab21-708e-ab44-773dcd6cf04e", "position": 6, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x17d8457add9204bb3b19be9076a5a8e33285aee0d24931a82f99fc209c034c4c", "event_sha256": "\\x95f49d117694adcc4f4b7fc5349bc8ce199e6289ef52b084565f31c23dcde296"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-abfd-70c6-b6b7-43657bea7a5a", "position": 7, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x601fc325391de8c7fccf154c68382c11c47bac5f44ed362eb4beb71538391058", "event_sha256": "\\x9635a10c6bae9e85de4dbfc244ea231ea8487d601f69a7f6b7363115525d92d8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ac73-7691-a6b8-1cf4353891ff", "position": 8, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x1a6cf09a9fc9dff9b7f8f5b935d0323a9ee8bbd3207480de6f1e5b3d845b7fa6", "event_sha256": "\\x8aa30cfc8a0620db99c44d015cf052828232980fb75cad26f3d1c75c03357542"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-aca9-753e-b751-a2cf912f3ade", "position": 9, "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "chain_sha256": "\\x703956b1199a6a3302506e4f68167470f5bd7bfdbcdb1c1f428ef581136b9c3a", "event_sha256": "\\x7b7c81ec79a8b03a4964fae15f4f2c4e2c7e8c36f2e32f8baec3fe7f384b73e6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ab65-74db-8160-e6c831164c72", "position": 1, "scope_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "chain_sha256": "\\x3742a713f0246a4042648ef14ff591943c16bcd33a318951ae87ec46ae81cb87", "event_sha256": "\\x62f9d1f0481c3f0346c660d4ee57d7b905fde669e962471104b6e3dec1597fcc"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-ab82-72b3-a352-9d75db5b9be2", "position": 2, "scope_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "chain_sha256": "\\xd844923258a8e8c2fd82652d2acd909e2e5cfb2bdd4da182b8f0e2e439d7ada7", "event_sha256": "\\x991c6703043ec6b1f91177e408ae67fa76c365dd23d93a55d58c3a01043989e4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-abb0-7579-82b8-ab75378d3b06", "position": 3, "scope_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "chain_sha256": "\\xb12588b735658bae94bfaa9899db3c872fb6a04b108224e2aa153cb46e757b69", "event_sha256": "\\xf539b55713af1aa4126b49cd54016023e94b25b556acc7b7957321b7b277352a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-abda-71ad-b8db-73a33a775a07", "position": 4, "scope_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "chain_sha256": "\\xa068b59d0dbd198ac3d8c630042bbc91f8426b1d8c381dd2a3fd9ecd22511bc8", "event_sha256": "\\xec8c0b1c882e18b839f791ee4cf29e84443d6642d1f6508671de34640e0dc10f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b4e3-7667-aa42-56bb74423151", "position": 1, "scope_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "chain_sha256": "\\x7594d46608f3f4c94790a831f5ff569c273b3f921d50a1fa7825b01a1369b93e", "event_sha256": "\\xdf170b73cadce48ddd1b6f3c153cf41ed61c8b3c2d18952bc679396f29f8ae56"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b4f6-74b9-bcf9-5cd697643b5e", "position": 2, "scope_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "chain_sha256": "\\xe0ddd6b16d1ecff92babf7ba8e801ab0ba679b9e1c6c87553eeb4972dd2e06a8", "event_sha256": "\\xc1e64f84662bcc07cc2944f8b17113031069ba77ce111d490d703e96d6368224"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b562-7004-8a55-43f6e7ae5bd0", "position": 3, "scope_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "chain_sha256": "\\x70a6c9d12f8349a6168a783919a1b432a8d383b63ac36d4c877e28de8b295826", "event_sha256": "\\x56cc7b9b80f38abe4cc08c1e2a11bbcd0ee78148d4a3ebbaaae1d89013fc69e6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b528-7239-9102-28043fe14057", "position": 1, "scope_id": "01a225cf-b502-75b0-a50b-773946264690", "chain_sha256": "\\xa3ed0524f56a8f0eac8f3495cb170b13a600afc5a26fff804d144872a35edf47", "event_sha256": "\\x7952301b173981170d21df849dfae43cdd9ed51a949cb14716e68c609f481f19"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b544-7409-b86f-d3a78be1810c", "position": 2, "scope_id": "01a225cf-b502-75b0-a50b-773946264690", "chain_sha256": "\\x2eabaf2a5b907f89f42a134ace846ad6c11c51abd882b0e2ec954488ddd01cb1", "event_sha256": "\\x758ebba9d20a0eaca39951cf5ed20a6624741aca9919d06041afd173fb5fba0a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b582-73f5-a595-367f98b558d5", "position": 3, "scope_id": "01a225cf-b502-75b0-a50b-773946264690", "chain_sha256": "\\xdea8aa6c8d174eeb8bf7ed22ef138f9566404841a2fce115efe2feec1d09f4e1", "event_sha256": "\\x56e5553b57237a77e470364abea402abf12fc78abb918ef920dae7729e35b8bc"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "f736d28e-dacf-4466-81e5-b3d11d7df830", "position": 1, "scope_id": "01a225cf-b651-7745-992c-f1f9422db529", "chain_sha256": "\\xc6ab83e816788eecb5153675ff9f6400b596b0bef9772b8902b6044c8771eb43", "event_sha256": "\\xbb93b573f228029382a8114025bf141bb834a2fe8a358b0ed13c8ca5a60b797e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a225cf-b69d-7327-96fd-aae93a3c7877", "position": 2, "scope_id": "01a225cf-b651-7745-992c-f1f9422db529", "chain_sha256": "\\x394a264c4d485e07551977e6586e533759650bafc6b55889fe58ac39667a9336", "event_sha256": "\\x28170f4f306352082d9bf37d62c5bc94512fd300427d92cf7b3af395be7e4e6f"}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "last_step": 59864356, "created_at": "2026-11-29T05:38:17.184309+00:00", "confirmed_at": "2026-11-29T05:38:17.198091+00:00", "encrypted_secret": "\\x017179ffd764ea45829218377b9f977855a5befa1f632b88d681120482d3da6f6f21534c64a81080c19c8e8a6a6beb6b0870519c7a714721cfcbef3580b2477f6d"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a225cf-acfd-7a1a-bcdf-940a18600f59", "cancelled_at": "2026-11-29T05:38:16.978379+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-29T05:38:14.923675+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-29T05:38:14.999804+00:00", "output_rate": 2000000000, "service_tiers": null, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-29T05:38:14.923675+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "service_tiers": {"flex": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}}, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "target_id": "01a225cf-b44c-7663-805a-445640fc6624", "created_at": "2026-11-29T05:38:18.826801+00:00", "request_sha256": "\\xae1d7138bfdaecf30ace8dc0f4b28ea31031ca13d5429287d898b102201ff9e6"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "7179ffd7-64ea-4582-9218-377b9f977855", "lost_at": null, "wrapped": "\\x017179ffd764ea45829218377b9f977855b67bcd38f5fe396f2b818d41a66ce95b585e7840720f891b498f616d2837f2f37d74903fb04fa83bae44f41dd512bda9d6e0dee54d18c2170cce645d", "created_at": "2026-11-29T05:38:17.01968+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into database_shard overriding system value select * from jsonb_populate_record(null::database_shard, '{"shard": "00", "is_only": true}');
insert into directories overriding system value select * from jsonb_populate_record(null::directories, '{"last_four": "YfNI", "created_at": "2026-11-29T05:38:17.759414+00:00", "created_by": "test", "last_used_at": "2026-11-29T05:38:17.790807+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xb219b4c78b52153b7124b485863506bdeb8ad305e79e1a47a170a71fe71b8eb9"}');
insert into directory_groups overriding system value select * from jsonb_populate_record(null::directory_groups, '{"id": "01a225cf-b07d-7329-93f0-1568e77ac44e", "changed_at": "2026-11-29T05:38:17.850968+00:00", "created_at": "2026-11-29T05:38:17.850968+00:00", "external_id": "2", "display_name": "engineers", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a225cf-b05d-73da-b1b9-791d5bcbd3f2", "active": true, "user_id": "01a225cf-b05a-72b7-ad2b-1ec11c38968f", "user_name": "ada@company.example", "changed_at": "2026-11-29T05:38:17.804105+00:00", "created_at": "2026-11-29T05:38:17.804105+00:00", "given_name": "Ada", "external_id": "1", "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a225cf-b0bd-7410-9469-b358f69c3134", "active": false, "user_id": "01a225cf-b0b4-7109-9f6b-6a56e05cb187", "user_name": "left@company.example", "changed_at": "2026-11-29T05:38:17.906909+00:00", "created_at": "2026-11-29T05:38:17.906909+00:00", "given_name": "Ada", "external_id": null, "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into directory_group_members overriding system value select * from jsonb_populate_record(null::directory_group_members, '{"group_id": "01a225cf-b07d-7329-93f0-1568e77ac44e", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "directory_user_id": "01a225cf-b05d-73da-b1b9-791d5bcbd3f2"}');
insert into directory_leavers overriding system value select * from jsonb_populate_record(null::directory_leavers, '{"left_at": "2026-11-29T05:38:17.906909+00:00", "user_id": "01a225cf-b0b4-7109-9f6b-6a56e05cb187", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169824740212748, "fenced_at": "2026-11-29T05:38:15.555818+00:00", "reaped_at": "2026-11-29T05:38:15.563199+00:00", "started_at": "2026-11-29T05:38:15.286576+00:00", "timeout_ms": 30000, "instance_id": "e9348538-7038-43a3-9439-ba6615faf2d8", "heartbeat_at": "2026-11-29T05:38:15.286576+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169825061077007, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T05:38:15.592164+00:00", "timeout_ms": 30000, "instance_id": "7ab5a656-a633-433e-a25b-db61d2bc6ce1", "heartbeat_at": "2026-11-29T05:38:15.688677+00:00", "process_name": "test", "leases_in_use": {"1883169824462340100": "40000001", "1883169824813613069": "40000001", "1883169824867090446": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169825269743632, "fenced_at": "2026-11-29T05:38:15.815262+00:00", "reaped_at": "2026-11-29T05:38:15.817069+00:00", "started_at": "2026-11-29T05:38:15.791555+00:00", "timeout_ms": 30000, "instance_id": "255ba9f3-de6b-47df-9b49-bcd90350969f", "heartbeat_at": "2026-11-29T05:38:15.791555+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169826445197330, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T05:38:16.912754+00:00", "timeout_ms": 30000, "instance_id": "e2916f80-dd6a-47f2-9e4d-9c93a0c03f5a", "heartbeat_at": "2026-11-29T05:38:16.912754+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169828025401364, "fenced_at": "2026-11-29T05:38:18.48374+00:00", "reaped_at": "2026-11-29T05:38:18.487529+00:00", "started_at": "2026-11-29T05:38:18.419385+00:00", "timeout_ms": 30000, "instance_id": "6c470e23-4660-4ae4-9a51-025ef7fa4949", "heartbeat_at": "2026-11-29T05:38:18.419385+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883169828285448215, "fenced_at": "2026-11-29T05:38:18.741241+00:00", "reaped_at": "2026-11-29T05:38:18.749982+00:00", "started_at": "2026-11-29T05:38:18.6678+00:00", "timeout_ms": 30000, "instance_id": "c9e2cfb9-2612-4483-8f17-2a3de26fdf5f", "heartbeat_at": "2026-11-29T05:38:18.6678+00:00", "process_name": "test", "leases_in_use": null}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T05:38:16.454002+00:00", "looked_at": null, "expires_at": "2026-12-29T05:38:16.451+00:00", "posting_id": "01a225cf-ab03-70ea-be41-ac5c8bae7a0b", "recurring_id": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "rest_nano_usd": 30000000, "other_nano_usd": 0, "amount_nano_usd": 30000000, "expired_nano_usd": 0}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T05:38:16.491626+00:00", "looked_at": null, "expires_at": "2026-12-01T00:00:00+00:00", "posting_id": "c1b3c239-8425-4f72-925e-9ecb4d5e0111", "recurring_id": "01a225cf-ab1c-74a3-ad18-3cd7465fc1d6", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "rest_nano_usd": 10000000, "other_nano_usd": 0, "amount_nano_usd": 10000000, "expired_nano_usd": 0}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "name": "project b59cf12b-4ab5-48b3-acba-eb3b01ae7bbb", "models": ["small-chat"], "version": 1, "created_at": "2026-11-29T05:38:15.097885+00:00", "archived_at": null, "concurrency": 4, "raised_until": null, "reports_cost": true, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "budget_period": "month", "budget_nano_usd": 3000000000, "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-b341-706c-bf42-b6cb15ff6f94", "name": "raised", "models": null, "version": 2, "created_at": "2026-11-29T05:38:18.561736+00:00", "archived_at": null, "concurrency": null, "raised_until": "2099-01-01T00:00:00+00:00", "reports_cost": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "budget_period": "month", "budget_nano_usd": 500000000, "end_user_period": "month", "member_keys_max": null, "model_when_spent": "small-chat", "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": 900000000, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-b38a-7043-8120-068800e1548c", "name": "serves many", "models": null, "version": 1, "created_at": "2026-11-29T05:38:18.632395+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": 100000000, "end_user_limit_nano_usd": 200000000, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-b482-70f1-a2b3-4f518861e4d7", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-29T05:38:18.881446+00:00", "archived_at": "2026-11-29T05:38:18.901365+00:00", "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-ab63-73f5-a00e-e420373056ac", "name": "project 79b297ce-3d90-4ff2-9876-28f4ff4e653f", "models": null, "version": 1, "created_at": "2026-11-29T05:38:16.547398+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-b4e0-7544-ad9e-53095e11988b", "name": "project a7014cbb-a35a-4bbf-8bb7-26ce6493dfb9", "models": null, "version": 1, "created_at": "2026-11-29T05:38:18.975836+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a225cf-b526-7295-8e9a-f3462d55c189", "name": "project 319a3b59-3c72-4dfe-a3ed-3a5d6175ff13", "models": null, "version": 1, "created_at": "2026-11-29T05:38:19.046082+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "6Rho", "public_id": "00I4JGtrKDA4PD", "created_at": "2026-11-29T05:38:15.131281+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xb26fcd02ff09df8357b9c1e0a7533ac442c0824377460dc68945aa67ddf9003a", "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": 2000000000, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b28b-7292-9bfe-607c89033f9c", "kind": "api", "name": "of a member", "models": null, "version": 2, "metadata": {}, "last_four": "4Ceu", "public_id": "00Mis10FjsaOEf", "created_at": "2026-11-29T05:38:18.379844+00:00", "created_by": "503dcfd3-61ad-430b-9956-99b7a0657853", "expires_at": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\x8cb0eb9e0945bbb53384599e11595807761708f331080de47d65b9e41dd9a119", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b312-7586-8284-ab5b77bce184", "kind": "api", "name": "raised", "models": null, "version": 2, "metadata": {}, "last_four": "8EbQ", "public_id": "00kPaTZ5ZErGsw", "created_at": "2026-11-29T05:38:18.510135+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "revoked_at": null, "disabled_at": null, "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xefc914558e90780f17093fc9d0c41d432f3b13ed8f2ede5c3e5e74f612c59f72", "allowed_networks": null, "spend_limit_nano_usd": 500000000, "raised_limit_nano_usd": 900000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b398-741f-b04d-7d4a807bfe9f", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "NBae", "public_id": "00Bz9COXXQX5l8", "created_at": "2026-11-29T05:38:18.647888+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-b38a-7043-8120-068800e1548c", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\x884435dcbf11672435bf2d091ff48c97083ac3e22c261ad167a80f5cc1c960dd", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b40e-72ef-b272-38c01e5abeee", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "EDVl", "public_id": "00Sc3P70FVe5zW", "created_at": "2026-11-29T05:38:18.76315+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\x938bed7633f3ecb02657754cd850bcba456af49c9315dbb8bbce8469ee7361d4", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b44c-7663-805a-445640fc6624", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "Ig3z", "public_id": "00g1cAH5Qryuw9", "created_at": "2026-11-29T05:38:18.826801+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "revoked_at": null, "disabled_at": "2026-11-29T05:38:18.857+00:00", "raised_until": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xf42e08680b7e65fe5b7bd3a59f8bb6dabfdd49de85f62a06f2d52027c84087f4", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-ab77-77af-b478-3af6d44354de", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "Qx2p", "public_id": "00yECMp3gX8J6I", "created_at": "2026-11-29T05:38:16.566211+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-ab63-73f5-a00e-e420373056ac", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "secret_sha256": "\\x1997072597b4aeeeb8d6436c9101c0a4e382d02adbaa809951e2c7c8ae745836", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-aba6-7279-90a2-2f0fab6e6bed", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "kgSp", "public_id": "00APg6EAIHsweR", "created_at": "2026-11-29T05:38:16.614199+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-ab63-73f5-a00e-e420373056ac", "revoked_at": "2026-11-29T05:38:16.644546+00:00", "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "secret_sha256": "\\xf41c16733bfb592351481683004629a3d9b606658516526a5f6b466992a30c03", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b4f1-7071-8bff-fef063132e29", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "I4xE", "public_id": "00hWcLrZynAr8l", "created_at": "2026-11-29T05:38:18.993776+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-b4e0-7544-ad9e-53095e11988b", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "secret_sha256": "\\x01a9dc3ec82c0be592bd0dda2814cb5871d68edbc0a8844dbc0842290027ae7d", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a225cf-b539-727f-8f0f-0eab87bbc948", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "Ch2a", "public_id": "00eBSqUUiKVS5t", "created_at": "2026-11-29T05:38:19.064925+00:00", "created_by": null, "expires_at": null, "project_id": "01a225cf-b526-7295-8e9a-f3462d55c189", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "secret_sha256": "\\x0bcb580ca5874bf2b4d59b42463c142844755a253521f53cc136abfc9e2bf852", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a225cf-b40e-72ef-b272-38c01e5abeee", "last_four": "BgGg", "public_id": "00YxspOZfC0glZ", "expires_at": "2026-12-29T05:38:18.785794+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "secret_sha256": "\\xfe448b0523bff38349f5e7b99a96cb427778537f9424102ea6402c0dc1d64b91"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-29T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 7}');
insert into grant_counts overriding system value select * from jsonb_populate_record(null::grant_counts, '{"workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "other_nano_usd": 0, "charged_nano_usd": 60000001}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "epoch_id": 1883169826445197330, "claimed_at": "2026-11-29T05:38:16.93816+00:00", "request_id": "01a225cf-acea-7ba7-b712-0546348a57ae", "body_sha256": "\\x612068617368", "completed_at": "2026-11-29T05:38:16.949507+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "epoch_id": 1883169826445197330, "claimed_at": "2026-11-29T05:38:16.930643+00:00", "request_id": "01a225cf-ace2-7922-ac45-8cfd9ea7ab3e", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a225cf-ae33-744f-986e-0d851a18b92c", "role": "member", "email": "new@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T05:38:17.262152+00:00", "expires_at": "2026-12-06T05:38:17.262152+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xc15b330565f5330bd945a76c1f4e05f57daa6c8e2453ed43e009aa7b11730961", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "invited_by_token": null, "monthly_limit_nano_usd": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a225cf-aec8-7158-846c-4f7151b7f88a", "role": "viewer", "email": "third@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T05:38:17.415846+00:00", "expires_at": "2026-12-06T05:38:17.415846+00:00", "invited_by": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xa9b03952248e2b1d684490b81e52a8019ea0dd2b74a437e5a0cdc309ea72ac96", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "invited_by_token": "01a225cf-ae94-7363-bc83-3b9914c69ae5", "monthly_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169824462340100, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 15330000000, "spent_nano_usd": 70000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169824813613069, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 50000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169824867090446, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169826024718353, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828011769875, "kind": "member", "mode": "wet", "period": "month", "subject_id": "adab0c09-e773-435b-ac1a-36c5792d9a93", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828055810069, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a225cf-b28b-7292-9bfe-607c89033f9c", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828225679382, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a225cf-b341-706c-bf42-b6cb15ff6f94", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": "2099-01-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": 900000000}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828306419736, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a225cf-b38a-7043-8120-068800e1548c", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828321099801, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a225cf-b398-741f-b04d-7d4a807bfe9f", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828331585562, "kind": "end_user", "mode": "wet", "period": "month", "subject_id": "25024fe6-b508-0818-85bc-2fb6ca1a36c5", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 200000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828348362779, "kind": "session", "mode": "wet", "period": "month", "subject_id": "d4ad85fe-bcd5-86a0-a9d9-6b2d10b7b8ef", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "owed_nano_usd": 0, "limit_nano_usd": 100000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828576952348, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-b4c1-7137-bf4d-0ac5c5a3a9b5", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828645109789, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-b502-75b0-a50b-773946264690", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169828997431326, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-b651-7745-992c-f1f9422db529", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-b651-7745-992c-f1f9422db529", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883169830034472991, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a225cf-ba2f-72f2-8fc8-37118da20971", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a225cf-ba2f-72f2-8fc8-37118da20971", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883169825061077007, "purse_id": 1883169824462340100, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883169825061077007, "purse_id": 1883169824813613069, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883169825061077007, "purse_id": 1883169824867090446, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-a5a0-758e-b2af-6566585af8df", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-29T05:38:15.080595+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-aaae-72ba-8323-85bf19e45688", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T05:38:16.367717+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-aabd-718e-88de-bb0c301b6594", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T05:38:16.38232+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-ab03-70ea-be41-ac5c8bae7a0b", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T05:38:16.452773+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 5269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-ab56-7741-88c1-6b567c72a8f5", "kind": "grant", "once": null, "actor": "test", "number": 6, "reason": "a test", "posted_at": "2026-11-29T05:38:16.534759+00:00", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-ab95-735a-b0fb-1b6a679ec7d2", "kind": "dispute", "once": null, "actor": "test", "number": 7, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T05:38:16.598639+00:00", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a225cf-b51c-70a8-b103-ebc80712ca30", "kind": "grant", "once": null, "actor": "test", "number": 11, "reason": "a test", "posted_at": "2026-11-29T05:38:19.036506+00:00", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "60e99b08-ff15-4444-8a8f-79de0cc22459", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 8, "reason": "Payment pi_1 of top-up 01a225cf-abf8-77fc-bd61-809b7c29ef06", "posted_at": "2026-11-29T05:38:16.737856+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 15279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "97de84dc-8ee9-445f-91b8-bfd875009e27", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 9, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-29T05:38:16.772868+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 15259999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "c1b3c239-8425-4f72-925e-9ecb4d5e0111", "kind": "grant", "once": "recurring:01a225cf-ab1c-74a3-ad18-3cd7465fc1d6:2026-11-01", "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T05:38:16.491206+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 5279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "c97fbb6d-6936-42fd-bc00-7bc4b5c79025", "kind": "top_up", "once": "payment:codes:01a225cf-ac8a-7282-8b92-b9d4e4578f8e", "actor": "codes", "number": 10, "reason": "Payment 01a225cf-ac8a-7282-8b92-b9d4e4578f8e of top-up 01a225cf-aca4-77cd-bb38-96ad82c4020a", "posted_at": "2026-11-29T05:38:16.885609+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "balance_nano_usd": 15269999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-a5a0-758e-b2af-6566585af8df", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a225cf-a5a0-758e-b2af-6566585af8df", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-aaae-72ba-8323-85bf19e45688", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a225cf-aaae-72ba-8323-85bf19e45688", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-aabd-718e-88de-bb0c301b6594", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a225cf-aabd-718e-88de-bb0c301b6594", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-ab03-70ea-be41-ac5c8bae7a0b", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a225cf-ab03-70ea-be41-ac5c8bae7a0b", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "60e99b08-ff15-4444-8a8f-79de0cc22459", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "60e99b08-ff15-4444-8a8f-79de0cc22459", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "97de84dc-8ee9-445f-91b8-bfd875009e27", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "97de84dc-8ee9-445f-91b8-bfd875009e27", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "c1b3c239-8425-4f72-925e-9ecb4d5e0111", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "c1b3c239-8425-4f72-925e-9ecb4d5e0111", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "c97fbb6d-6936-42fd-bc00-7bc4b5c79025", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "c97fbb6d-6936-42fd-bc00-7bc4b5c79025", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-ab56-7741-88c1-6b567c72a8f5", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a225cf-ab56-7741-88c1-6b567c72a8f5", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-ab95-735a-b0fb-1b6a679ec7d2", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a225cf-ab95-735a-b0fb-1b6a679ec7d2", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a225cf-ab95-735a-b0fb-1b6a679ec7d2", "workspace_id": "01a225cf-ab3f-72ec-a2b1-98633ddf2c15", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a225cf-b51c-70a8-b103-ebc80712ca30", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a225cf-b51c-70a8-b103-ebc80712ca30", "workspace_id": "01a225cf-b502-75b0-a50b-773946264690", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-29T05:38:19.459+00:00", "differences": [], "finished_at": "2026-11-29T05:38:20.313918+00:00", "difference_count": 0}');
insert into member_limits overriding system value select * from jsonb_populate_record(null::member_limits, '{"id": "adab0c09-e773-435b-ac1a-36c5792d9a93", "user_id": "503dcfd3-61ad-430b-9956-99b7a0657853", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "raised_limit_nano_usd": 900000000, "monthly_limit_nano_usd": 500000000}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "model", "name": "stored", "version": 1, "changed_at": "2026-11-29T05:38:18.280558+00:00", "declaration": {"id": "stored", "routes": [{"model": "echo", "provider": "stored"}]}, "encrypted_key": null}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "provider", "name": "stored", "version": 1, "changed_at": "2026-11-29T05:38:18.280558+00:00", "declaration": {"kind": "sandbox"}, "encrypted_key": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a225cf-ad9d-7426-a54d-9bc94b8d577a", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-29T05:38:17.112156+00:00", "expires_at": "2026-11-30T05:38:17.112156+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\xf4e6253b183207fe1624cc97378f0d9b4be14f3622d0bb9f8d96a4180064f407", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a225cf-aee4-72bb-88c9-abd0e2978ed8", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "claimed_at": null, "created_at": "2026-11-29T05:38:17.432382+00:00", "expires_at": "2026-11-29T07:38:17.432382+00:00", "by_right_in": "01a225cf-a56c-7018-a52b-b796b039bc11", "made_by_user": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "token_sha256": "\\x5f66f2fd5072ff4699bc5610892ebd5ab4ee685bd5f14c95475947cd7bcee924", "made_by_token": "01a225cf-ae94-7363-bc83-3b9914c69ae5"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a225cf-ae51-737d-b0be-303eb6abc38c", "name": "metrics", "last_four": "Adri", "read_only": true, "created_at": "2026-11-29T05:38:17.296774+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\xc2c694dc1391f232ad1f417e0d98bac8fd259ec2cf6c33ee3f36edc20b941755", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w23", "up_to": "019ea487-7000-0000-0000-000000000000", "from_id": "019e807a-ec00-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-29T05:38:16.331474+00:00", "dropped_at": null, "export_file": "/exports/receipts_2026_w23", "exported_at": "2026-11-29T05:38:19.434626+00:00", "export_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883169824462340100, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883169824813613069, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883169824867090446, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into passkey_challenges overriding system value select * from jsonb_populate_record(null::passkey_challenges, '{"challenge": "\\xfd979a3538cdd97b44674d079707bb665e403965b6175d92b337cb5b75399410", "expires_at": "2026-11-29T05:43:17.319728+00:00", "session_id": null, "secret_sha256": "\\x9db8bff6fa8f445e69c7d655f09dc7608f92cc2efc696de2e882d9bb146ccaac"}');
insert into passkeys overriding system value select * from jsonb_populate_record(null::passkeys, '{"id": "01a225cf-ae6f-76cd-a90c-303d09d053f0", "name": "Laptop", "counter": 3, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "created_at": "2026-11-29T05:38:17.327219+00:00", "public_key": "\\x7075626c6963206b6579", "transports": ["internal"], "last_used_at": "2026-11-29T05:38:17.327219+00:00", "credential_id": "\\x63726564656e7469616c"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a225cf-ac8a-7282-8b92-b9d4e4578f8e", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a225cf-aca4-77cd-bb38-96ad82c4020a", "received_at": "2026-11-29T05:38:16.868738+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "7a94f59b-72a6-4008-9f21-caa030d037d6", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "received_at": "2026-11-29T05:38:16.796421+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "82cb8a3b-ba6a-4fc3-8956-3ad0bab14634", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-29T05:38:16.790157+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "898036c2-b032-45d0-960c-f921e912a9f5", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "received_at": "2026-11-29T05:38:16.770436+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "89b8bd80-d87f-4479-a7bc-027f48500e79", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "received_at": "2026-11-29T05:38:16.722307+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-29T05:38:16.829901+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-29T05:38:16.829901+00:00", "differences": ["one"], "finished_at": "2026-11-29T05:38:16.830076+00:00", "events_until": "2026-11-29T05:38:16.829901+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-29T05:38:16.684961+00:00", "expires_at": null, "posting_id": "60e99b08-ff15-4444-8a8f-79de0cc22459", "updated_at": "2026-11-29T05:38:16.722307+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a225cf-ac6e-72bd-b895-ff7960551165", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-29T05:38:16.804427+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-29T05:38:16.804427+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a225cf-aca4-77cd-bb38-96ad82c4020a", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-29T05:38:16.868738+00:00", "expires_at": null, "posting_id": "c97fbb6d-6936-42fd-bc00-7bc4b5c79025", "updated_at": "2026-11-29T05:38:16.868738+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000, "payment_reference": "01a225cf-ac8a-7282-8b92-b9d4e4578f8e", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a225cf-abf8-77fc-bd61-809b7c29ef06", "created_at": "2026-11-29T05:38:16.770436+00:00", "updated_at": "2026-11-29T05:38:16.770436+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-29T05:38:16.790157+00:00", "updated_at": "2026-11-29T05:38:16.790157+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a225cf-a61f-745e-8da4-954fe52ec808", "model": null, "ended_at": "2026-11-29T05:38:15.230654+00:00", "started_at": "2026-11-29T05:38:15.191979+00:00", "basis_points": -500, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a225cf-a644-77a8-9439-f8398a88d378", "model": null, "ended_at": null, "started_at": "2026-11-29T05:38:15.230654+00:00", "basis_points": -1000, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a225cf-a65d-702b-af70-49a61024de62", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-29T05:38:15.258478+00:00", "basis_points": 2500, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824287227905, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T05:38:14.837809+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824312393730, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T05:38:14.837809+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824318685187, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T05:38:14.837809+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824660520965, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824287227905, "version": 2, "created_at": "2026-11-29T05:38:15.191979+00:00", "retired_at": "2026-11-29T05:38:15.230654+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a61f-745e-8da4-954fe52ec808"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824660520966, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824312393730, "version": 2, "created_at": "2026-11-29T05:38:15.191979+00:00", "retired_at": "2026-11-29T05:38:15.230654+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a61f-745e-8da4-954fe52ec808"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824660520967, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824318685187, "version": 2, "created_at": "2026-11-29T05:38:15.191979+00:00", "retired_at": "2026-11-29T05:38:15.230654+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a61f-745e-8da4-954fe52ec808"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824691978248, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824287227905, "version": 3, "created_at": "2026-11-29T05:38:15.230654+00:00", "retired_at": "2026-11-29T05:38:15.258478+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a644-77a8-9439-f8398a88d378"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824691978249, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824312393730, "version": 3, "created_at": "2026-11-29T05:38:15.230654+00:00", "retired_at": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a644-77a8-9439-f8398a88d378"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824691978250, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824318685187, "version": 3, "created_at": "2026-11-29T05:38:15.230654+00:00", "retired_at": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a644-77a8-9439-f8398a88d378"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883169824724484107, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883169824287227905, "version": 4, "created_at": "2026-11-29T05:38:15.258478+00:00", "retired_at": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "adjustment_id": "01a225cf-a65d-702b-af70-49a61024de62"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "quarantined_at": "2026-11-29T05:38:16.995137+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1883169825061077007, "requests": 2, "sequence": 1, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "taken_before": 0, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883169825269743632, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "019e86d6-f83b-7000-8000-000000000001", "settled_at": "2026-11-29T05:38:15.806777+00:00", "admitted_at": "2026-06-02T05:38:15.739+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883169824740212748, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-a6f6-70b0-9330-c025ee434d0c", "settled_at": "2026-11-29T05:38:15.416011+00:00", "admitted_at": "2026-11-29T05:38:15.295+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1883169824740212748, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-a745-79f2-89cc-55b205b8dd61", "settled_at": "2026-11-29T05:38:15.493832+00:00", "admitted_at": "2026-11-29T05:38:15.448+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "charge_nano_usd": 10000000, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "failed", "session": null, "attempts": null, "epoch_id": 1883169824740212748, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-a779-7a9f-83e0-93d446225f7e", "settled_at": "2026-11-29T05:38:15.546327+00:00", "admitted_at": "2026-11-29T05:38:15.504+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 0, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": "mine", "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "embeddings", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883169825061077007, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-a7d1-76ef-bcc6-beb03c9ea829", "settled_at": "2026-11-29T05:38:15.634162+00:00", "admitted_at": "2026-11-29T05:38:15.597+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "charge_nano_usd": 20000001, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 3}, "model": "small-chat", "retry": true, "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "responses", "outcome": "completed", "session": "a \"session\", {of} ours", "attempts": null, "epoch_id": 1883169825061077007, "left_out": ["web_search", "tool {odd}", "NULL"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-a7f9-7657-ae27-665688e3881a", "settled_at": "2026-11-29T05:38:15.675156+00:00", "admitted_at": "2026-11-29T05:38:15.639+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169824867090446, "service_tier": "a \"session\", {of} ours", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": "a \"session\", {of} ours", "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-b28b-7292-9bfe-607c89033f9c", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883169828025401364, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "request_id": "01a225cf-b2eb-790a-8d16-1cddb29bd9ca", "settled_at": "2026-11-29T05:38:18.475761+00:00", "admitted_at": "2026-11-29T05:38:18.432+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169828055810069, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883169824462340100, "member_purse_id": 1883169828011769875, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169824813613069, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a225cf-b398-741f-b04d-7d4a807bfe9f", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883169828285448215, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a225cf-b38a-7043-8120-068800e1548c", "request_id": "01a225cf-b3f0-7102-b761-1c9d0200c3d8", "settled_at": "2026-11-29T05:38:18.736945+00:00", "admitted_at": "2026-11-29T05:38:18.679+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883169828321099801, "service_tier": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883169824462340100, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883169828306419736, "session_purse_id": 1883169828348362779, "client_request_id": null, "end_user_purse_id": 1883169828331585562, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x07961e21f43b50b413490d4da92578a51ff7a92699406e56d925ddeb73e905b0"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x140033a3b9caba492d508a78d2a0ad410622e1b10066e9c33cffa7a8a6556eb4"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x4e51b62989482e67b265d903b550037a33a49c2128350ca9f9f06791a7b9b1c6"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x55bfb574c837d14a8d018dcb63b23dac1186468b07c28eea289a6eccd76526b4"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x7add67c85c3cd4edf3ac5a602411504436692a952190e7f1c45c2d0a75c074e6"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x7f2092352a5958e5294d8953a54dc4b07206ad225e3bb68df67071a5bcbb907b"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\x92580bda32b22843806b8bd553edc4bb83f138a0d06c22eef807fcb49d58f4e3"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\xa3079fa5dfaffb9506413990f3f90d570480ced63d8e870325588edc69a3d995"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\xdeac5a5198258d88edd6496112d248038e968f56f054e64289f1014c3f09a2fa"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "code_sha256": "\\xe795304b804442465a2274af6b1a7a3cd9393710f0e84b9ff0c0669248cdb036"}');
insert into recurring_grants overriding system value select * from jsonb_populate_record(null::recurring_grants, '{"id": "01a225cf-ab1c-74a3-ad18-3cd7465fc1d6", "actor": "test", "period": "month", "reason": "a \"reason\", with Ünïcode", "next_at": "2026-12-01T00:00:00+00:00", "ended_at": null, "created_at": "2026-11-29T05:38:16.470934+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "amount_nano_usd": 10000000, "expires_after_days": null, "expires_with_period": true}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a225cf-ac88-75ac-94e0-405bfc7c9d71", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-29T05:38:16.841387+00:00", "expires_at": "2026-11-30T05:38:16.84+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a225cf-ac8a-7282-8b92-b9d4e4578f8e", "batch_id": "01a225cf-ac88-75ac-94e0-405bfc7c9d71", "last_four": "JY4G", "top_up_id": "01a225cf-aca4-77cd-bb38-96ad82c4020a", "code_sha256": "\\x9d73f1f5d5f53aa314b11a1355b5725d1e39a08981a315e065158788633b3980", "redeemed_at": "2026-11-29T05:38:16.868738+00:00", "redeemed_by": "test", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a225cf-ac8a-7282-8b93-1ff4fd026eed", "batch_id": "01a225cf-ac88-75ac-94e0-405bfc7c9d71", "last_four": "5B1T", "top_up_id": null, "code_sha256": "\\xe5a496a6113bd70a4d5fa4afc66653eda2a2a4bf88b3cfcb73804cabc1023a9c", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "refused_at": "2026-11-29T05:38:17.076+00:00", "request_id": "01a225cf-ad73-723f-9e85-69a40e5d4004", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "retry_after_ms": null}');
insert into route_hours overriding system value select * from jsonb_populate_record(null::route_hours, '{"hour": "2026-11-29T05:00:00+00:00", "fault": {"kind": "failed", "status": 500, "request_id": "f09e4892-2794-48b6-8463-d3da7c22ce1a"}, "model": "small-chat", "whole": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "faults": {"failed": 1}, "answered": 2, "fault_at": "2026-11-29T05:38:17.099+00:00", "provider": "local", "rejected": 0, "abandoned": 0, "answered_at": "2026-11-29T05:38:17.099+00:00", "first_event": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "upstream_model": "qwen3"}');
insert into scheduled_work overriding system value select * from jsonb_populate_record(null::scheduled_work, '{"name": "backup", "holder": null, "outcome": {"file": "/backups/one", "bytes": 1, "verified": true}, "problem": null, "done_turn": "2026-11-28T05:38:19.447+00:00", "failed_at": null, "held_until": "2026-11-29T05:40:19.448036+00:00", "succeeded_at": "2026-11-29T05:38:19.453812+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a225cf-adb5-7055-a890-5db1cc4d372b", "address": "192.0.2.1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "created_at": "2026-11-29T05:38:17.129241+00:00", "expires_at": "2026-12-29T05:38:17.129241+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T05:38:17.129241+00:00", "token_sha256": "\\x28f261a7611785e9036a43feca59bf2ff28ae2af2a6fb81a9dbce78153c869cd", "authenticated_at": "2026-11-29T05:38:17.129241+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a225cf-ae7e-75a6-89b9-f935d6036fba", "address": "192.0.2.1", "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194", "created_at": "2026-11-29T05:38:17.336568+00:00", "expires_at": "2026-12-29T05:38:17.336568+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T05:38:17.336568+00:00", "token_sha256": "\\xb210aaa4699ed599b62560dfc25882b561f4bebe9128d11c907393db98f7bcfe", "authenticated_at": "2026-11-29T05:38:17.336568+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a225cf-b002-727b-ba06-a2f037ca45d9", "address": "192.0.2.1", "user_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "created_at": "2026-11-29T05:38:17.647747+00:00", "expires_at": "2026-12-29T05:38:17.647747+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T05:38:17.647747+00:00", "token_sha256": "\\xf240aa51ad912d373cbde3f05acec2a58688109ec18889d42b86fea8b234cfce", "authenticated_at": "2026-11-29T05:38:17.647747+00:00", "second_factor_at": null, "provider_workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T05:38:17.129241+00:00", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T05:38:17.336568+00:00", "user_id": "01a225cf-ae79-70ed-a4f8-4db286bd5194"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T05:38:17.647747+00:00", "user_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620"}');
insert into sink_progress overriding system value select * from jsonb_populate_record(null::sink_progress, '{"sink": "archive", "fault": null, "holder": "35be8e6f-f26b-4e1f-bac8-042fc467951c", "server": 7713463540004852566, "delivered": "888:888:", "held_until": "2026-11-29T05:43:18.327941+00:00", "failing_since": null}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x017179ffd764ea45829218377b9f977855fd78bea319f70f6eaac1a8f9c38c895722a549f26ff6cdd8e5ab65c822925a5e3303e823a05e9bd9f0e57650ab6b84c2e5a62ef3345e608d6587017179ffd764ea45829218377b9f977855c3d59a347e48bf996729c1ef46c23132f72b209d23551d7ca2134337b401eb94264e363921e52878a8dcacbb86fdfa770489ffff662f222e1990e6333404a819814bc84df1e0b617", "response": "\\x017179ffd764ea45829218377b9f977855f0bf2dc883bee5359fee20a5cfda2db7af6fb73717bad8b99bdadec465b14f40f95acb046e0dccd590a39b", "encrypted": true, "expires_at": "2026-11-30T08:38:17.06819+00:00", "request_id": "01a225cf-ad2e-71a4-bb31-d5dfcf211dc0", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x017179ffd764ea45829218377b9f977855fc35000cd4a6ef69630076b70f8f8a279ad992f43566e960d5ab2c610f74768ccd4711944cea03e490d8e65f1ce4bc43b8b87fb717ac85d74131017179ffd764ea45829218377b9f977855c32d64adb8964a4b2744d90a3cc6c4b10de09b61899357fdd5c02c066ec622130618a42b9633fb2a82273687561253c9bce07d848177e5d1b0d9fb38d6d69c438f32d2f22b215fb2", "response": "\\x017179ffd764ea45829218377b9f97785523aa2ea01d493069a05a31363971e25236a46556654818c218728016027d2e82dc45f08c556b8860fad407", "encrypted": true, "expires_at": "2026-11-30T05:38:17.06819+00:00", "request_id": "01a225cf-ad66-7e40-b741-5b052e957953", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "previous_request_id": "01a225cf-ad2e-71a4-bb31-d5dfcf211dc0"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a225cf-ad2e-71a4-bb31-d5dfcf211dc0", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a225cf-ad66-7e40-b741-5b052e957953", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-29T05:00:00+00:00", "requests": 3, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2944, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T05:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T05:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2944, "model": "small-chat", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "input_tokens": 7, "last_used_at": "2026-06-02T05:38:15.739+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "input_tokens": 14, "last_used_at": "2026-11-29T05:38:15.448+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "input_tokens": 7, "last_used_at": "2026-11-29T05:38:15.504+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "input_tokens": 7, "last_used_at": "2026-11-29T05:38:15.597+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T05:00:00+00:00", "project_id": "01a225cf-a5bc-7768-ad35-fdb0c3dadb74", "input_tokens": 7, "last_used_at": "2026-11-29T05:38:15.639+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a225cf-a5dd-737d-9c62-9177de7b8de5", "last_used_at": "2026-11-29T05:38:15.639+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.company.example", "subject": "2", "user_id": "01a225cf-afbf-7472-9c6b-a65ccabf3620", "created_at": "2026-11-29T05:38:17.647747+00:00"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a225cf-adad-71c2-b517-23ce098775f8", "created_at": "2026-11-29T05:38:17.226344+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a225cf-b0ea-737d-a358-9001dca429c9", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-29T05:38:17.96982+00:00", "description": "ours", "former_until": "2026-11-30T05:38:17.993546+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "former_secret": null, "encrypted_secret": "\\x017179ffd764ea45829218377b9f977855470e4da622757d99373d443869a05eb7b66e0ef9268ed01602c6ec1c21c8e9ea0d926319dd63834301dae0d3afbc402a815dd5bd4a5e6c4d4176cd51d04831bc356ca1f1c563d679e4cc5b31afe55307", "encrypted_former_secret": "\\x017179ffd764ea45829218377b9f9778552684d4f9b3fbaa21b9afff9313fbd165ce4640b32504d4c4af0b956c723a1cbc33d82f618c975b1b46fa14eb47b7fc976f2d5020486c392519b2780074b6d001e0a83adc0edf4062e485ad66499a64f9"}');
insert into workspace_access overriding system value select * from jsonb_populate_record(null::workspace_access, '{"issuer": "https://login.company.example", "version": 1, "client_id": "faregate", "group_roles": {"engineers": "developer"}, "only_openid": false, "default_role": "none", "groups_claim": null, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "second_factor": false, "allowed_networks": ["0.0.0.0/0", "::/0"], "trusts_addresses": false, "ends_leavers_keys": true, "encrypted_client_secret": "\\x017179ffd764ea45829218377b9f97785565dfac4c90c549b66254f7d0a8eccfdde33da93d72b85191060ac8e5feb9245a47c1d6769381a4629cbea1"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "424eda2073da8088408171ef4e88338b60fc53d9", "domain": "company.example", "proven_at": "2026-11-29T05:38:17.628457+00:00", "proven_by": "operator", "created_at": "2026-11-29T05:38:17.591985+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "1220f5808eceb9ceaee0b57ba0b71643d09b9f07", "domain": "unproven.example", "proven_at": null, "proven_by": null, "created_at": "2026-11-29T05:38:17.559001+00:00", "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11"}');
insert into workspace_sinks overriding system value select * from jsonb_populate_record(null::workspace_sinks, '{"sink": "archive", "redact": ["keys"], "records": ["content", "receipts"], "version": 1, "changed_at": "2026-11-29T05:38:18.292983+00:00", "last_lost_at": "2026-11-29T05:38:18.322582+00:00", "lost_records": 2, "workspace_id": "01a225cf-a56c-7018-a52b-b796b039bc11", "receipts_from": "886:886:", "audit_position": 28, "sample_percent": 10}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "1f6daeff86f8e897a7e9132ad83507b79e67fa87d8e28886cd86ef6b8cbfb1cc", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "b4cc9da4e7773457e26a5ac47b7073c566613849a0ce5b83df71703ca5e06a4e", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "a884f4077af6c1bdd7fd422ff503ebf895d515537c029a11b455aba02ff9231f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_budget", "sha256": "1acad0a65dfa033553ab07afc35bac9492ec62eec6ff7c20f5d0f44c8ffa274f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_payment_fact", "sha256": "785e4501a2dac816bf3a23f570c66642dd9e4257237c795217700710efa6b797", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "audit_event_digest", "sha256": "e1ee5158f324be8deef5fbdd8c1c26e10b7650a7242bf6f2e359aca9eff3fbef", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_leases", "sha256": "84af03335e4285dcc2409f5b1c93d733eceb20aec976c0e99d4424b1d67d721e", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_look_up_keys", "sha256": "dd28780a214fedaa74402f3ac90c58b2d217c5f2dcd506c78575e1d764cb3a35", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_receipt", "sha256": "d1363fd84e194c39cbf733212176229e0f77ebb42b77441b3ac0b2f628f69ca9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_grants", "sha256": "ee38f91365fc02aa9047fe94a9436d4db316a4d8b332c15a94d0723530338f44", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw", "sha256": "d69c9d9483280e14519e017010c1fd094a3ea80fa599ec452d274930c28074aa", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_leases", "sha256": "109324e4f727071bb32af50eaf0ff5103fb3eb7518e34ee2239683ea85f3653c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "expire_grant", "sha256": "5a3a16e579f1496639758409f4f0cc6b94e113731f9eb21224c84ca5ec2f6c9a", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_principals", "sha256": "f23c455f89d233a0433ff7a6edf44b9a4c388eead5db762565ec3fbf3c1dd5a8", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_purses", "sha256": "753b0548dad6c4777a544fb407ab3395c0a124dc3b2cf32ea15e6ea86683be8c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_to_grants", "sha256": "a73db84e3e307acb41b742a51a0dad63eb36b793c233b2451af6084512d334af", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_audit_event", "sha256": "c7c58ffd398d3833f326b469020fa71a065ddb18eb9f0a4138e39598a2a3e13e", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_posting", "sha256": "ea707fce4065a393600a41af195c764ebcc248a07e6dd2c4e01399f70b4aec0d", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_purses", "sha256": "faf8a4faa63f65ed7c630e4b1893cac213170a28bb10d37eb27b375ed0cbdab6", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_served", "sha256": "211a8813aad776b723725efe1b73be6092eebeb4e2b31286de5bc46bc655623f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_member_keys", "sha256": "e39bd7fcefb37370518341035d9cb202a5cdc3e1c2145802cdd36198620bf88f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_now", "sha256": "b8e123d269ad460e054e4209fafe8a3124987f6c3edad1f3f4390e173b5c8f96", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "link_audit_event", "sha256": "42ee2f1b06d21a55e1c9e950198638b21fdeb8052de69170e4329eb0672c1a68", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "live_grants", "sha256": "c31aea9ae4e2391947a1b1abcb6166f2c6bd0c57e7b44516477c00718d095591", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_number", "sha256": "8f118c84340247f8f43159e7f4549e45602c077f4541be6f95349fa177c83b2f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "look_up_keys", "sha256": "58bc03b169ad83e50aaec0643d05a3dca18d6a076a29e148c55b1dcbee228e09", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_cost_time", "sha256": "0857d106c70f3033084455dfbe6a333fa4ed4c431c921a6032c0e8b4e9e5d303", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_expiries", "sha256": "026e6e0167ac3cdf84bb778b1356dc59101acb293d0e26122d9db89981e35f36", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "open_purses", "sha256": "d50a11d8c93797f15ab1bc16b6af1e7ac161e299d523c0bb9bf971cbd04233df", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_credit", "sha256": "8718ae3be9a09cc9077320262d065e1987cc420449f81c08811234449ac9c339", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_recurring_grant", "sha256": "db17d11c0b34e7de1041064fd554188c583f3f83dbf3158dacebf4dcff14d429", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipt_cost", "sha256": "a58b951168c31077902d7b68c2564e5504fa9d2632ee4c90a42328a83af707c1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "renew_limits", "sha256": "5f0eb78f0f1c3881ac8d48a6654d531543930b490d6b7076c278aef24ee8c213", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "served_limit", "sha256": "e059864680291c69fe0b1e329860b65b515d857056a815d76d82c67fd4a36d8e", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "set_member_limit", "sha256": "45439700faea49f59ccfa6d76baf493e02a1629597486b8af2e25e39ebf423d3", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_late_receipts", "sha256": "c965502cc355518f5a7b205d63f5b4506def21bd4ec4632c3518018dd99d49d2", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts", "sha256": "2f24868422840406282c50ea6985627e933c6ebc16867976579d35bb579720ec", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts_again", "sha256": "63ac70acc22c08f81f0ec74ab5cd98a565aad04f78d7671ea0d35c141cf71b4f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "share_posting", "sha256": "b5968eda44df69cdb6b96710a6e63e0b79b9adecef64f41a5b46d92eb13ae5bb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_from_grants", "sha256": "5f90efa6b033f0622fe199feedd494a82fd210f61c8a5c3261491d6525706376", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_key", "sha256": "bdb5b02333dc404beeabf10a4dbee1c5b708c29d3248b8ab6be1629dfc9a755f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_project", "sha256": "52fdce09ac84bc85e37eeae6733a478f7285d8754fcb29db5dcd105540dba260", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0029_audit_chains", "sha256": "4ffd1e8c25941754f5be0e97b93013ea469179f4c683c8d621f30e8c4c3f4803", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0030_workspace_access", "sha256": "42da6b588046e42a04a5ca1faada4d50738a09ee76808c5adf8ebc734aad4663", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0031_directories", "sha256": "9ddb5cb2e5bf4c647d8b208fcb04b9b0fa5cf429f3bd9581633601228355d4b4", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0032_sinks", "sha256": "fbf9d7983c467e655282bc20a0bc83a23f222dbfa0b1178d0917bf85b7c31ea9", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0033_retention", "sha256": "09db4c608d13efd70a72104cb189979e615c1cffaa4b6a1d5973a88f0241acee", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0034_passkeys", "sha256": "a114600eb3b68f0cea286f9b6216ceda77a4faf85eddac94a1316ef29ab73a5b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0035_shards", "sha256": "0f4ef75f979be715bd986164c20db895785a1e5f05ff08cdcac0787f0b1b127b", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0036_member_limits", "sha256": "71262be8a606b667238ed82bca237936dafa5f79810aa132c28ed0a5c29d5cea", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0037_route_hours", "sha256": "bc1ecc006ce3786120cfa6773802cf5f1e80ae9df839e837492dc3a3c1ad301f", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0038_member_role", "sha256": "06a782bcc373b7b4e870204b8b80d4bac3d600d4874a0e97748df8382cfba5d7", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0039_service_tiers", "sha256": "33705f5fe74c4fc81b96992abc2da954c7c3caeae34c0ca9caa4766c10683f1c", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0040_offer_declarations", "sha256": "7622d46c88d3c9becf371f228b8957406932c0809a77fb2d14bc4efa4d541133", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0041_colleagues", "sha256": "5d54cca08bc8c73486ea47333fea070eb89511b25b007f9bb66ee622b84c7632", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0042_requested_models", "sha256": "7e690b53e057284c02dab29a95d6cfc3c16694d2358eb82d4a5d967d83291a42", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0043_owner_suspensions", "sha256": "9164b1dc17c8e783adf8d8021fbe1f07df576223bd96186ad4a79278ed10006d", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0049_expiring_credit", "sha256": "bb569632de3d7331885add358d4030f9dc9633439569c0bf86e14ad6fdbcad96", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0050_raised_limits", "sha256": "3b6d310f75de9651bd3aaa299ec2f08ef6e9f47b39842c60e2d1b32eedbce716", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0051_served_limits", "sha256": "3fdfbbee184036703a26fa37b7ed258057d6062b747211769837f57084eba032", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0052_billing_parties", "sha256": "eb9d90e4a37b738535f1450a5b493e69c07b21c56d8ef3769027c162315aedcb", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0053_default_alerts", "sha256": "8f32d56a68f696c9ac2ae1f6a217ba7e058658c8e5bada0c263b100c91ab4f09", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0054_models_when_spent", "sha256": "b33fdb53e55210f8428e1c716e7e694360390a3aec719c5540adaab44928f647", "applied_at": "2026-11-29T05:38:05.322313+00:00"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "1724b3bffccde1805d1c42a7a1fd2c4fa4963c16c9386073efcff6a1d38f443c", "version": "0.2.0"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f3e88740da2f7dd6223d37ebdb332691718e49f229a0285e779b5f76c97d2770", "version": "0.2.0"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w23 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('changes_id_seq', 54);
select setval('fresh_ids', 31);
select setval('ledger_postings_number_seq', 11);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
