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

-- What a payment had as tax beside credit and fee, as its provider reports.
alter table top_ups add column tax_nano_usd bigint not null default 0;

-- The kinds of alerts and of their subjects, limits of members among them.
-- Not valid: rows that are there meet it, and are not read for it.
alter table alert_rules add constraint alert_rules_kind_check
  check (kind in (
    'balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'member_limit', 'auto_top_up_stopped',
    'payment_after_closing', 'provider_key_refused', 'ledger_difference'
  )) not valid;
alter table alerts add constraint alerts_subject_kind_check
  check (subject_kind in ('workspace', 'project', 'key', 'member', 'provider', 'ledger')) not valid;

-- The other cells that this one knows, by their shards. The token is an operator's of that cell, and is encrypted.
create table cells (
  shard text collate "C" primary key check (shard ~ '^[0-9A-Za-z]{2}$'),
  url text not null,
  encrypted_token bytea not null,
  version integer not null default 1,
  added_at timestamptz not null default now()
);
-- The cell in which the workspace lives now; null: in this one.
-- Not valid: no row names one yet.
alter table workspaces add column moved_to text collate "C";
alter table workspaces add constraint workspaces_moved_to_fkey foreign key (moved_to) references cells (shard) not valid;
create index workspaces_moved on workspaces (moved_to) where moved_to is not null;
-- A change of cells reaches each process.
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check
  check (kind in ('workspace', 'project', 'key', 'purse', 'catalogue', 'rate', 'cell')) not valid;

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
  p_reference text, p_amount bigint, p_currency text, p_customer text, p_failure text, p_tax bigint default 0,
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
      t, p_provider, p_fact, p_payment, p_workspace, p_origin, p_amount, p_currency, p_tax);
    if outcome = 'applied' then
      if p_fact = 'paid' then
        t.tax_nano_usd := p_tax;
      end if;
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
-- paid, fee and tax included, and what of it is still in the credit. The fee goes back last.
create or replace function closed_payments() returns table (
  workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint,
  paid_at timestamptz
) language sql stable as $$
  select w.id, w.name, t.id, t.provider, t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd,
    (t.amount_nano_usd - returned_credit(t, returned.amount))::bigint,
    q.posted_at
  from workspaces w
  join top_ups t on t.workspace_id = w.id and t.state = 'paid' and t.payment_reference is not null
  join ledger_postings q on q.workspace_id = w.id and q.id = t.posting_id and q.posted_at > w.archived_at
  cross join lateral (
    select coalesce(sum(r.amount_nano_usd), 0)::bigint as amount from payment_reversals r
    where r.workspace_id = w.id and r.top_up_id = t.id and r.counted
  ) returned
  where w.archived_at is not null and t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd > returned.amount
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
  p_currency text, p_tax bigint default 0, out outcome text, out detail text
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
  elsif p_tax is null or p_tax < 0 then
    detail := format('its tax is %s nano-USD', coalesce(p_tax::text, 'unknown'));
  elsif p_amount is distinct from t.amount_nano_usd + t.fee_nano_usd + p_tax then
    detail := format('%s nano-USD were paid and not %s', p_amount, t.amount_nano_usd + t.fee_nano_usd + p_tax)
      || case when p_tax = 0 then '' else format(', of them %s as tax', p_tax) end;
  elsif t.state = 'paid' and t.tax_nano_usd <> p_tax then
    detail := format('its tax was %s nano-USD before, and not %s', t.tax_nano_usd, p_tax);
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
  update top_ups set state = p_fact, updated_at = now(), tax_nano_usd = t.tax_nano_usd,
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
  select w.id, upcoming.amount, upcoming.expires_at
  from unnest(p_workspaces) as w (id)
  cross join lateral (
    select sum(g.rest_nano_usd)::bigint as amount, g.expires_at from live_grants(w.id) g
    group by g.expires_at order by g.expires_at limit 1
  ) upcoming
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
-- the payer, at most the payment's credit, without its share of the tax: the fee goes back last. The caller has locked the paid top-up.
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
    v_delta := returned_credit(t, v_before) - returned_credit(t, v_after);
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

-- What of a payment's credit goes back if so much of the payment does: each part of it returns its share of the tax, rounded down to
-- one nano-USD, and the fee goes back last.
create or replace function returned_credit(t top_ups, p_returned numeric) returns numeric language sql immutable as $$
  select least(
    t.amount_nano_usd,
    p_returned - least(t.tax_nano_usd, div(p_returned * t.tax_nano_usd, t.amount_nano_usd::numeric + t.fee_nano_usd + t.tax_nano_usd))
  )
$$;

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
    where g.workspace_id = p_workspace and g.posting_id = earlier.posting_id and earlier.amount < p_amount and g.rest_nano_usd > 0;
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

insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "name": "A user", "email": "owner@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T12:04:49.224109+00:00", "disabled_at": null, "is_operator": true, "password_hash": "$argon2id$v=19$m=64,t=1,p=1$tr/DZD1Jx4iCNZQZIE2Q3g$8iQFHTFdCRC+XXFK5/2TCusR+gm1zuhiGd5AHPC1NGI", "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "name": "A user", "email": "second@example.com", "version": 1, "erased_at": null, "created_at": "2026-11-29T12:04:49.327394+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "name": "Engineer", "email": "engineer@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T12:04:49.445585+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T12:04:49.445585+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-90eb-759e-9302-d5565e805e0c", "name": "Ada", "email": "ada@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T12:04:49.509401+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T12:04:49.509401+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-9125-77cf-9d7f-0f2698382697", "name": "Ada", "email": "left@company.example", "version": 1, "erased_at": null, "created_at": "2026-11-29T12:04:49.568576+00:00", "disabled_at": null, "is_operator": false, "password_hash": null, "email_verified_at": "2026-11-29T12:04:49.568576+00:00"}');
insert into users overriding system value select * from jsonb_populate_record(null::users, '{"id": "01a22731-941c-71e6-bd88-07cfe77f216a", "name": "erased", "email": "01a22731-941c-71e6-bd88-07cfe77f216a@erased.invalid", "version": 3, "erased_at": "2026-11-29T12:04:50.384357+00:00", "created_at": "2026-11-29T12:04:50.332352+00:00", "disabled_at": "2026-11-29T12:04:50.341526+00:00", "is_operator": false, "password_hash": null, "email_verified_at": null}');
insert into cells overriding system value select * from jsonb_populate_record(null::cells, '{"url": "https://one.gateway.example", "shard": "01", "version": 1, "added_at": "2026-11-29T12:04:50.960083+00:00", "encrypted_token": "\\x010127cf9de640468cbab57ed8cc0ed846b70686228f3a7f15692dc17bcc86dc1dcb349411a58d61ba3e5baf37b4fc9f0710656466de1d"}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-8b04-7223-ab8c-6c46b574831f", "name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T12:04:48.002859+00:00", "archived_at": null, "billing_name": "Acme", "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": 200000000}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-8ec0-7696-97db-e8b9d048e253", "name": "workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a", "version": 1, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T12:04:48.959988+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-939f-72b5-9243-50907d4de7d7", "name": "workspace eebd6401-4673-4682-bc29-89aeb8f0a6c8", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T12:04:50.207462+00:00", "archived_at": null, "billing_name": null, "suspended_at": "2026-11-29T12:04:50.29645+00:00", "billing_tax_id": null, "billing_address": null, "suspension_reason": "unpaid", "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "name": "workspace 1f9f6728-80a3-4f2c-a638-80594fb648bd", "version": 2, "moved_to": null, "closing_at": "2026-11-29T12:04:50.314104+00:00", "created_at": "2026-11-29T12:04:50.248392+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-946f-77a4-97f4-430bdf2a382f", "name": "long ago", "version": 1, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T12:04:50.415694+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-967e-743d-b35b-01126eb55d95", "name": "archived", "version": 2, "moved_to": null, "closing_at": null, "created_at": "2026-11-29T12:04:50.942859+00:00", "archived_at": "2026-11-29T12:04:50.953914+00:00", "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into workspaces overriding system value select * from jsonb_populate_record(null::workspaces, '{"id": "01a22731-969b-7011-bc4e-df8d17e0bb60", "name": "moved", "version": 2, "moved_to": "01", "closing_at": null, "created_at": "2026-11-29T12:04:50.971182+00:00", "archived_at": null, "billing_name": null, "suspended_at": null, "billing_tax_id": null, "billing_address": null, "suspension_reason": null, "owner_suspended_at": null, "member_monthly_limit_nano_usd": null}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "version": 1, "created_at": "2026-11-29T12:04:49.224109+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "owner", "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "version": 1, "created_at": "2026-11-29T12:04:49.327394+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "version": 1, "created_at": "2026-11-29T12:04:49.445585+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into members overriding system value select * from jsonb_populate_record(null::members, '{"role": "developer", "user_id": "01a22731-90eb-759e-9302-d5565e805e0c", "version": 1, "created_at": "2026-11-29T12:04:49.53647+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a22731-9008-7261-8337-ff1b47ea6e12", "name": "ci", "scopes": ["keys:read"], "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "last_four": "642s", "created_at": "2026-11-29T12:04:49.287797+00:00", "expires_at": "2026-11-30T12:04:49.286+00:00", "revoked_at": null, "last_used_at": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\x62dc6ec49d27e3b2280ff35c3c855d7c70477429b8372b343861ac559a3ed444"}');
insert into access_tokens overriding system value select * from jsonb_populate_record(null::access_tokens, '{"id": "01a22731-903c-71ae-812e-376ecb1be83c", "name": "staff", "scopes": ["members:write", "owners:write"], "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "last_four": "uNoy", "created_at": "2026-11-29T12:04:49.340814+00:00", "expires_at": "2026-11-30T12:04:49.34+00:00", "revoked_at": null, "last_used_at": "2026-11-29T12:04:49.350915+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\xa1d5a2e39c71a0f930dbdec5a38ca25420744bb7733c904cbd6ed40f8a1955b1"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9169-72b2-8751-d5b92b4557c0", "kind": "provider_key_refused", "name": "Provider refuses its API key", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T12:04:49.633232+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9169-72b2-8752-b096f7e83368", "kind": "ledger_difference", "name": "Ledger does not add up", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T12:04:49.633232+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9169-72b2-8753-3a244444ee98", "kind": "payment_after_closing", "name": "Payment for a closed workspace", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T12:04:49.633232+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "00000000-0000-0000-0000-000000000000"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9156-7674-9f91-3a933661dd8f", "kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "version": 1, "threshold": 1000000000000, "created_at": "2026-11-29T12:04:49.622279+00:00", "mail_roles": ["owner"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d99-2ba7eb64272d", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9a-e9cad3bb9fda", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9b-98e024e92bd7", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9c-8aa0393d608c", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9d-d51500a62052", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9e-8f1b7c94b929", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9d9f-d73aeb79a973", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da0-d13fe02c6a25", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da1-baea6c8acaf5", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da2-17f002194a52", "kind": "balance_share", "name": "Balance below 20 % of the last top-up", "enabled": true, "mail_to": [], "version": 1, "threshold": 20, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da3-f86ed8e66f2d", "kind": "balance_below", "name": "Balance below 1 USD", "enabled": true, "mail_to": [], "version": 1, "threshold": 1000000000, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da4-077a6e3e1a45", "kind": "project_budget", "name": "Project budget used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da5-a1a70017e004", "kind": "project_budget", "name": "Project budget used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da6-b3dc5b4de2c8", "kind": "auto_top_up_stopped", "name": "Automatic top-ups have stopped", "enabled": true, "mail_to": [], "version": 1, "threshold": null, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": ["owner", "admin", "billing"], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da7-14976c59ffb1", "kind": "key_limit", "name": "Key limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da8-9a85e8e596d8", "kind": "key_limit", "name": "Key limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9da9-3bcf9983120e", "kind": "member_limit", "name": "Member''s limit used to 80 %", "enabled": true, "mail_to": [], "version": 1, "threshold": 80, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_rules overriding system value select * from jsonb_populate_record(null::alert_rules, '{"id": "01a22731-9179-7749-9daa-945c2ad2405a", "kind": "member_limit", "name": "Member''s limit used up", "enabled": true, "mail_to": [], "version": 1, "threshold": 100, "created_at": "2026-11-29T12:04:49.650499+00:00", "mail_roles": [], "subject_id": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [], "looked_at": "2026-11-29T12:04:49.633232+00:00", "workspace_id": "00000000-0000-0000-0000-000000000000", "spent_nano_usd": 0, "defaults_version": 1, "credited_nano_usd": 0}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795953889650, "60000001"]], "looked_at": "2026-11-29T12:04:49.782818+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "spent_nano_usd": 60000001, "defaults_version": 2, "credited_nano_usd": 15330000000}');
insert into alert_watches overriding system value select * from jsonb_populate_record(null::alert_watches, '{"marks": [[1795953889650, "0"]], "looked_at": "2026-11-29T12:04:49.782818+00:00", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "spent_nano_usd": 0, "defaults_version": 2, "credited_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22731-91b7-713f-8894-e4d7bda87f09", "url": null, "kind": "balance_below", "rule_id": "01a22731-9156-7674-9f91-3a933661dd8f", "seen_at": "2026-11-29T12:04:49.650499+00:00", "summary": "The balance of \"workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac\" is 15.26 USD, below 1,000.00 USD. Of it, 0.01 USD will expire on 1 December 2026.", "raised_at": "2026-11-29T12:04:49.650499+00:00", "threshold": 1000000000000, "subject_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "window_start": "-infinity", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "limit_nano_usd": 1000000000000, "value_nano_usd": 15269999999}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22731-91cb-7128-93f6-8d14274ac848", "url": null, "kind": "balance_share", "rule_id": "01a22731-9179-7749-9da2-17f002194a52", "seen_at": "2026-11-29T12:04:49.650499+00:00", "summary": "The balance of \"workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a\" is -0.02 USD, below 20 % of the last top-up of 0.01 USD.", "raised_at": "2026-11-29T12:04:49.650499+00:00", "threshold": 20, "subject_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a", "window_start": "-infinity", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "limit_nano_usd": 2000000, "value_nano_usd": -20000000}');
insert into alerts overriding system value select * from jsonb_populate_record(null::alerts, '{"id": "01a22731-91d3-779c-8dda-5dc3f6e4848e", "url": null, "kind": "balance_below", "rule_id": "01a22731-9179-7749-9da3-f86ed8e66f2d", "seen_at": "2026-11-29T12:04:49.650499+00:00", "summary": "The balance of \"workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a\" is -0.02 USD, below 1.00 USD.", "raised_at": "2026-11-29T12:04:49.650499+00:00", "threshold": 1000000000, "subject_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "window_end": null, "resolved_at": null, "subject_kind": "workspace", "subject_name": "workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a", "window_start": "-infinity", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "limit_nano_usd": 1000000000, "value_nano_usd": -20000000}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x9287e5fcfacb0970454d56f3c0cf5daee7580338dd213fc8cf2602b0b9d398ee"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 44, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x134fe4e38ccbf48c0a891de583a97d4ffec6802f0efe60454486157899130332"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 4, "scope_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x29388c55ec27819d598802205d9ce26bd1ced8549f546a5056722bbcb295be75"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a22731-939f-72b5-9243-50907d4de7d7", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\x2918325e11009525409866ae1f7d0acb7c8d01e93e052154764b19d787ebafb4"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 3, "scope_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "dropped_by": null, "dropped_to": 0, "chain_sha256": "\\xae7295bafab65321435c58d2eaab6912a9eccb1217bf53604ca59931dbe6936a"}');
insert into audit_chains overriding system value select * from jsonb_populate_record(null::audit_chains, '{"length": 2, "scope_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "dropped_by": "01a22731-949c-759f-aff5-954ee6e69581", "dropped_to": 1, "chain_sha256": "\\xda7ce5e7dd6be4053ad837dda745d0057bd5d86032aef528dcc4213d1f4f83c3"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.002859+00:00", "id": "01a22731-8b11-70b0-80aa-b7c5e66a3bb5", "after": {"name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.081221+00:00", "id": "01a22731-8b58-7569-bcf2-0dff43f92edf", "after": {"name": "project bf40b0c7-8bef-44ec-b416-1c557432af4f", "models": ["small-chat"], "concurrency": 4, "reports_cost": true, "budget_period": "month", "budget_nano_usd": "3000000000", "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": "2500000000"}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8b51-720b-b536-e24d894a707b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project bf40b0c7-8bef-44ec-b416-1c557432af4f", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.100597+00:00", "id": "01a22731-8b76-74f5-9e14-e10a35a5f4d1", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": "2000000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8b65-7125-9828-987db5c514fb", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.12508+00:00", "id": "01a22731-8b89-708b-bf4d-f74cd168a823", "after": {"model": null, "change_percent": "-5"}, "action": "price.adjust", "before": {"model": null, "change_percent": null}, "address": null, "user_id": null, "target_id": "01a22731-8b81-763d-ba64-de5b2af39e5b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.145276+00:00", "id": "01a22731-8ba2-76c7-a8cd-8d1d4e92bc1b", "after": {"model": null, "change_percent": "-10"}, "action": "price.adjust", "before": {"model": null, "change_percent": "-5"}, "address": null, "user_id": null, "target_id": "01a22731-8b94-703d-b21f-c8ed6f9519d2", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.169445+00:00", "id": "01a22731-8bba-7220-9cd6-ff3ecc87f805", "after": {"model": "sandbox/echo", "change_percent": "25"}, "action": "price.adjust", "before": {"model": "sandbox/echo", "change_percent": null}, "address": null, "user_id": null, "target_id": "01a22731-8bad-762d-aae3-3655f1f7fc35", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "price_adjustment", "target_name": "sandbox/echo", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.939759+00:00", "id": "01a22731-8eae-772e-9948-ae121dfca5b0", "after": {"period": "month", "reason": "a \"reason\", with Ünïcode", "starts": "now", "expires": "with_period", "amount_nano_usd": "10000000", "expires_after_days": null}, "action": "recurring_grant.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8eac-76c5-be34-8aa7296236dd", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "recurring_grant", "target_name": "0.01 USD each month", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.959988+00:00", "id": "01a22731-8ec0-7696-97dc-fdbcab9ea14a", "after": {"name": "workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 7a415864-4d90-4d7c-b0c4-876fcf8aec8a", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.973277+00:00", "id": "01a22731-8ecf-710e-8981-569fad8b2977", "after": {"name": "project 06ed30a2-e84b-4bc7-a235-213ef0baf970", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8ecd-70a4-ae77-cdf972e2e4ed", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project 06ed30a2-e84b-4bc7-a235-213ef0baf970", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.981499+00:00", "id": "01a22731-8ed8-763c-bb39-af46ab9b717d", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8ed5-7172-917b-5b61b8ef8459", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.988459+00:00", "id": "01a22731-8edf-74ea-8eb3-3d445a84a066", "after": {"name": "revoked", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8edc-77b7-9178-eadd28a03e4d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:48.992453+00:00", "id": "01a22731-8eed-7454-a98a-d7c45d5e369c", "after": {"revoked_at": "2026-11-29T12:04:48.992Z"}, "action": "key.revoke", "before": {"revoked_at": null}, "address": null, "user_id": null, "target_id": "01a22731-8edc-77b7-9178-eadd28a03e4d", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "revoked", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.009954+00:00", "id": "01a22731-8efc-7437-a7c8-2fc53a91d69a", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.065373+00:00", "id": "01a22731-8f2f-7718-a908-4e330d7fc334", "after": {"provider": "stripe", "fee_nano_usd": "800000000", "amount_nano_usd": "10000000000"}, "action": "top_up.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8f2a-7718-925e-7b62756d1ad5", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.085765+00:00", "id": "01a22731-8f3f-73b9-bced-471ac01d3426", "after": {"sold": true, "count": 2, "reason": "sold", "expires_at": "2026-11-30T12:04:49.084Z", "amount_nano_usd": "10000000"}, "action": "codes.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8f3c-7236-b414-e8dbaa5e0c83", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "code_batch", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.099723+00:00", "id": "01a22731-8f4e-72f1-9107-4d15446874be", "after": {"code": "…ZETH"}, "action": "code.redeem", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8f4b-70b8-99c4-a0c6b3add1fa", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "top_up", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.263779+00:00", "id": "01a22731-8ff5-7216-a6e6-8c30f2464ff0", "after": null, "action": "authenticator.add", "before": null, "address": "192.0.2.1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "target_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "4aa94322-8f07-4e90-bcf0-c5994c05559d", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.278566+00:00", "id": "01a22731-9003-7082-812e-e343ca353898", "after": {"issuer": "https://login.example", "subject": "1"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "target_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "4aa94322-8f07-4e90-bcf0-c5994c05559d", "target_kind": "user", "target_name": "owner@example.com", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.287797+00:00", "id": "01a22731-900a-7367-b5c1-43c6aac3768f", "after": {"scopes": ["keys:read"], "expires_at": "2026-11-30T12:04:49.286Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "target_id": "01a22731-9008-7261-8337-ff1b47ea6e12", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "4aa94322-8f07-4e90-bcf0-c5994c05559d", "target_kind": "access_token", "target_name": "ci", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.302594+00:00", "id": "01a22731-901b-7707-9db3-9128ccfa2457", "after": {"role": "member"}, "action": "invitation.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-9016-7321-8985-e659ae336da4", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "invitation", "target_name": "new@example.com", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.311098+00:00", "id": "01a22731-9020-7794-af99-03c84ee45511", "after": {"access": "read_and_backup"}, "action": "operator_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "target_id": "01a22731-901f-76e1-85ea-337a0aa24f85", "actor_kind": "session", "actor_name": "owner@example.com", "request_id": "4aa94322-8f07-4e90-bcf0-c5994c05559d", "target_kind": "operator_token", "target_name": "metrics", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.340814+00:00", "id": "01a22731-903d-7408-abc8-05b6fb28c91e", "after": {"scopes": ["members:write", "owners:write"], "expires_at": "2026-11-30T12:04:49.340Z"}, "action": "access_token.create", "before": null, "address": "192.0.2.1", "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "target_id": "01a22731-903c-71ae-812e-376ecb1be83c", "actor_kind": "session", "actor_name": "second@example.com", "request_id": "97ed1dbc-c4ce-4175-9892-fa4d59274d7e", "target_kind": "access_token", "target_name": "staff", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.360911+00:00", "id": "01a22731-9052-7752-9a07-e76e276753da", "after": {"role": "viewer"}, "action": "invitation.create", "before": null, "address": null, "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "target_id": "01a22731-9051-7759-9da1-37253e37727f", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "invitation", "target_name": "third@example.com", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.373073+00:00", "id": "01a22731-9063-73ae-bfd5-6f04171512a0", "after": null, "action": "password.reset_link", "before": null, "address": null, "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "target_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "actor_kind": "access_token", "actor_name": "second@example.com", "request_id": null, "target_kind": "user", "target_name": "second@example.com", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.386654+00:00", "id": "01a22731-9083-77dc-a6bb-4f962c6a3c2c", "after": {"issuer": "https://login.company.example", "client_id": "faregate", "group_roles": "{\"engineers\":\"developer\"}", "client_secret": "replaced", "allowed_networks": ["0.0.0.0/0", "::/0"]}, "action": "access.update", "before": {"issuer": null, "client_id": null, "group_roles": "{}", "client_secret": null, "allowed_networks": null}, "address": null, "user_id": null, "target_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "access", "target_name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.42266+00:00", "id": "01a22731-9091-77e1-a5e7-c96c392c9343", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "unproven.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "unproven.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.429049+00:00", "id": "01a22731-9096-7606-8fb5-28af517c1355", "after": null, "action": "domain.add", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.437361+00:00", "id": "01a22731-90a1-71e5-8742-b80e873ffcd8", "after": {"by": "operator"}, "action": "domain.prove", "before": null, "address": null, "user_id": null, "target_id": "company.example", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "domain", "target_name": "company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.445585+00:00", "id": "01a22731-90ac-7323-a1b2-282003fd4328", "after": {"issuer": "https://login.company.example", "subject": "2"}, "action": "openid.link", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "46e0a0c8-0245-4d43-b301-9f4b84d3f4ba", "target_kind": "user", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.445585+00:00", "id": "01a22731-90b9-7631-961f-06b452b0459e", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "actor_kind": "job", "actor_name": "single sign-on", "request_id": "46e0a0c8-0245-4d43-b301-9f4b84d3f4ba", "target_kind": "member", "target_name": "engineer@company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.445585+00:00", "id": "01a22731-90c4-75c6-9668-621c38c8c71e", "after": {"by": "openid"}, "action": "session.begin", "before": null, "address": "192.0.2.1", "user_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "target_id": "01a22731-90be-7571-9e6d-ecc5eb3b139d", "actor_kind": "session", "actor_name": "engineer@company.example", "request_id": "46e0a0c8-0245-4d43-b301-9f4b84d3f4ba", "target_kind": "session", "target_name": "engineer@company.example", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.489692+00:00", "id": "01a22731-90d7-71e2-a2b4-47488904993e", "after": null, "action": "directory_token.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "directory", "target_name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.509401+00:00", "id": "01a22731-90ed-71aa-a7d9-d4677e211ad2", "after": {"email": "ada@company.example", "active": true, "external_id": "1"}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-90ec-70fe-ab16-91debc560615", "actor_kind": "job", "actor_name": "directory", "request_id": "81669bba-4322-4bf6-934f-24819fe9d87a", "target_kind": "directory_user", "target_name": "ada@company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.53647+00:00", "id": "01a22731-9108-769f-9978-82adfd8b5094", "after": {"members": 1, "external_id": "2"}, "action": "directory_group.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-9104-77b5-acdb-6a9605f6c0ca", "actor_kind": "job", "actor_name": "directory", "request_id": "81669bba-4322-4bf6-934f-24819fe9d87a", "target_kind": "directory_group", "target_name": "engineers", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.53647+00:00", "id": "01a22731-9116-7094-b86c-3784a0b2f3f6", "after": {"role": "developer"}, "action": "member.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-90eb-759e-9302-d5565e805e0c", "actor_kind": "job", "actor_name": "directory", "request_id": "81669bba-4322-4bf6-934f-24819fe9d87a", "target_kind": "member", "target_name": "ada@company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.568576+00:00", "id": "01a22731-9127-731b-86cf-7866db248cc6", "after": {"email": "left@company.example", "active": false, "external_id": null}, "action": "directory_user.add", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-9126-7726-b9be-b90eaf3b75e6", "actor_kind": "job", "actor_name": "directory", "request_id": "81669bba-4322-4bf6-934f-24819fe9d87a", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.568576+00:00", "id": "01a22731-9135-71c3-823d-0a8ac21936c5", "after": {"keys": 0, "sessions": 0, "access_tokens": 0}, "action": "directory_user.deactivate", "before": null, "address": "192.0.2.1", "user_id": null, "target_id": "01a22731-9126-7726-b9be-b90eaf3b75e6", "actor_kind": "job", "actor_name": "directory", "request_id": "81669bba-4322-4bf6-934f-24819fe9d87a", "target_kind": "directory_user", "target_name": "left@company.example", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.604912+00:00", "id": "01a22731-9148-717d-81e1-951dc463a95a", "after": {"url": "https://hooks.example/", "enabled": true, "description": "ours"}, "action": "webhook.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-913f-723e-a06d-71161b2fcf23", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.612389+00:00", "id": "01a22731-9152-777e-8b24-3aa804d70b95", "after": {"overlap_hours": 24}, "action": "webhook.rotate", "before": null, "address": null, "user_id": null, "target_id": "01a22731-913f-723e-a06d-71161b2fcf23", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "webhook", "target_name": "https://hooks.example/", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.622279+00:00", "id": "01a22731-915c-771c-92fc-c6783f19f9e8", "after": {"kind": "balance_below", "name": "much", "enabled": true, "mail_to": ["ops@example.com"], "threshold": "1000000000000", "mail_roles": ["owner"], "subject_id": null}, "action": "alert_rule.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-9156-7674-9f91-3a933661dd8f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "alert_rule", "target_name": "much", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.803763+00:00", "id": "01a22731-9212-7109-b94e-7fef952e6ec8", "after": {"redact": ["keys"], "records": ["content", "receipts"], "sample_percent": 10}, "action": "sink.update", "before": {"redact": [], "records": [], "sample_percent": 100}, "address": null, "user_id": null, "target_id": "archive", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "sink", "target_name": "archive", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.831723+00:00", "id": "01a22731-9233-75c1-addc-02e431005262", "after": {"billing_name": "Acme", "member_monthly_limit_nano_usd": "200000000"}, "action": "workspace.update", "before": {"billing_name": null, "member_monthly_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 968745a3-74cc-4ac8-949e-03ec4821a2ac", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.85503+00:00", "id": "01a22731-9250-70a1-a1b6-7f84726fbc89", "after": {"name": "of a member", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-9240-7592-8d95-4e43497fe049", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "of a member", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.929585+00:00", "id": "01a22731-928e-741c-97e5-a167c15d0cd9", "after": {"name": "raised", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": "500000000"}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-9289-76f6-8596-3a6dd4a3f3bd", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.938813+00:00", "id": "01a22731-9298-7656-8bf1-033d859908f0", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "raised_limit_nano_usd": "900000000"}, "action": "key.update", "before": {"raised_until": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22731-9289-76f6-8596-3a6dd4a3f3bd", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "raised", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.965379+00:00", "id": "01a22731-92ae-73cb-9139-efc9ece4f3ea", "after": {"name": "raised", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": "500000000", "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-92ad-712d-96c2-b71f3f486d8e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:49.972524+00:00", "id": "01a22731-92b7-73fe-b680-acbcd24ef6a3", "after": {"raised_until": "2099-01-01T00:00:00.000Z", "model_when_spent": "small-chat", "raised_limit_nano_usd": "900000000"}, "action": "project.update", "before": {"raised_until": null, "model_when_spent": null, "raised_limit_nano_usd": null}, "address": null, "user_id": null, "target_id": "01a22731-92ad-712d-96c2-b71f3f486d8e", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "raised", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.001217+00:00", "id": "01a22731-92d5-76c3-855c-30bd2512455e", "after": {"name": "serves many", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": "100000000", "end_user_limit_nano_usd": "200000000", "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-92d2-779a-bc52-33a2ce098dad", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "serves many", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.012328+00:00", "id": "01a22731-92e8-7124-8b81-0d0cd295c122", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-92dc-7000-9f00-1f7316e82b56", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.082809+00:00", "id": "01a22731-9327-76ed-93e2-4a0de127261b", "after": {"name": "rotated", "models": null, "metadata": "{\"team\":\"search\"}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-9323-74e7-9542-212f3c8f6a08", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.09704+00:00", "id": "01a22731-9348-7755-ac07-5eb7622e3853", "after": {"masked_key": "fg_live_00ws6Yc052sZnN…HPpD", "former_secret_until": "2026-12-29T12:04:50.097Z"}, "action": "key.rotate", "before": {"masked_key": "fg_live_00BevDnqlPAMtc…3FhT"}, "address": null, "user_id": null, "target_id": "01a22731-9323-74e7-9542-212f3c8f6a08", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "rotated", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.126288+00:00", "id": "01a22731-9360-706e-9999-bcc935559883", "after": {"name": "disabled", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-934e-754c-8abd-7514c5670962", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.151615+00:00", "id": "01a22731-936e-7372-b624-a69e649961c0", "after": {"disabled_at": "2026-11-29T12:04:50.158Z"}, "action": "key.update", "before": {"disabled_at": null}, "address": null, "user_id": null, "target_id": "01a22731-934e-754c-8abd-7514c5670962", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "disabled", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.170681+00:00", "id": "01a22731-937e-746f-bc38-ec8a2f93755b", "after": {"name": "archived", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-937c-72fa-b3bd-c370256ae830", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.185557+00:00", "id": "01a22731-9396-7539-9c82-5c823a3e7f4a", "after": null, "action": "project.archive", "before": null, "address": null, "user_id": null, "target_id": "01a22731-937c-72fa-b3bd-c370256ae830", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "archived", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.207462+00:00", "id": "01a22731-93a0-723a-83a6-aca7f1e4b9ee", "after": {"name": "workspace eebd6401-4673-4682-bc29-89aeb8f0a6c8"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-939f-72b5-9243-50907d4de7d7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace eebd6401-4673-4682-bc29-89aeb8f0a6c8", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.223565+00:00", "id": "01a22731-93b0-72db-baa6-3e2a12a7792e", "after": {"name": "project ddb51117-dc98-4dce-bff6-3e623f0f578d", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93af-71bb-9270-18c1eecc49db", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project ddb51117-dc98-4dce-bff6-3e623f0f578d", "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.233529+00:00", "id": "01a22731-93c1-74b5-a1eb-14a0370c739c", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93b9-712d-b643-b78a3903046f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.248392+00:00", "id": "01a22731-93ca-72e5-98f7-0dbd6fe5ed64", "after": {"name": "workspace 1f9f6728-80a3-4f2c-a638-80594fb648bd"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1f9f6728-80a3-4f2c-a638-80594fb648bd", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.267058+00:00", "id": "01a22731-93dd-7505-8375-31b929840565", "after": {"name": "project d138dee4-6784-4d7d-90f0-ff5f076af441", "models": null, "concurrency": null, "reports_cost": false, "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}, "action": "project.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93db-7182-bc47-915e86a55120", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "project", "target_name": "project d138dee4-6784-4d7d-90f0-ff5f076af441", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.279488+00:00", "id": "01a22731-93f0-7570-b944-9c55b98cdffa", "after": {"name": "key", "models": null, "metadata": "{}", "expires_at": null, "revoked_at": null, "disabled_at": null, "allowed_networks": null, "spend_limit_nano_usd": null}, "action": "key.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93e7-750d-a9d3-77376f562c80", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "key", "target_name": "key", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.29645+00:00", "id": "01a22731-93fd-70f9-adbc-ffebdf3a721d", "after": {"suspension_reason": "unpaid"}, "action": "workspace.suspend", "before": {"suspension_reason": null}, "address": null, "user_id": null, "target_id": "01a22731-939f-72b5-9243-50907d4de7d7", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace eebd6401-4673-4682-bc29-89aeb8f0a6c8", "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.314104+00:00", "id": "01a22731-9413-7423-bd2f-cf920973c222", "after": null, "action": "workspace.close", "before": null, "address": null, "user_id": null, "target_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "workspace 1f9f6728-80a3-4f2c-a638-80594fb648bd", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.341526+00:00", "id": "01a22731-943d-71eb-a2a6-aed8d04b4e4a", "after": null, "action": "member.remove", "before": {"role": "viewer"}, "address": null, "user_id": null, "target_id": "01a22731-941c-71e6-bd88-07cfe77f216a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "member", "target_name": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.384357+00:00", "id": "01a22731-9469-7481-90c5-e31ac117c026", "after": null, "action": "user.erase", "before": null, "address": null, "user_id": null, "target_id": "01a22731-941c-71e6-bd88-07cfe77f216a", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "user", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.415694+00:00", "id": "01a22731-9471-7485-a7f9-c793c1bed1a8", "after": {"name": "long ago"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "long ago", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.454078+00:00", "id": "01a22731-949c-759f-aff5-954ee6e69581", "after": {"events": 1, "position": "1", "chain_sha256": "9b99be240e43b4e367a12b08060ad49973df5d2f3d7c4376c681853eb8f85f0b"}, "action": "audit.drop", "before": null, "address": null, "user_id": null, "target_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "actor_kind": "job", "actor_name": "retention", "request_id": null, "target_kind": "audit_chain", "target_name": null, "workspace_id": "01a22731-946f-77a4-97f4-430bdf2a382f"}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.942859+00:00", "id": "01a22731-967f-70c0-b124-5c8bee251c54", "after": {"name": "archived"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-967e-743d-b35b-01126eb55d95", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "archived", "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.960083+00:00", "id": "01a22731-9696-7258-bac2-d42c45b6d06b", "after": {"url": "https://one.gateway.example"}, "action": "cell.create", "before": null, "address": null, "user_id": null, "target_id": "01", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "cell", "target_name": null, "workspace_id": null}');
insert into audit_events overriding system value select * from jsonb_populate_record(null::audit_events, '{"at": "2026-11-29T12:04:50.971182+00:00", "id": "01a22731-969b-7011-bc4f-59583b951afd", "after": {"name": "moved"}, "action": "workspace.create", "before": null, "address": null, "user_id": null, "target_id": "01a22731-969b-7011-bc4e-df8d17e0bb60", "actor_kind": "job", "actor_name": "test", "request_id": null, "target_kind": "workspace", "target_name": "moved", "workspace_id": null}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8b11-70b0-80aa-b7c5e66a3bb5", "position": 1, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xa5aa4b60684a6c2c28fc900e2a89aadadca25cdcfe0c7f258756dff5ca6d016a", "event_sha256": "\\xd6e34aae04f73cbeabef49fc0c6e370311e41c283f2dcf690b863d46f80fa614"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93ca-72e5-98f7-0dbd6fe5ed64", "position": 10, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x1d432788c6257756f127259fba476d78a9181e0666e65f7bc88fa2112f675524", "event_sha256": "\\x56e3cc21577d960c1066f6e8785801360ff5ed4b0974a28c25f129423d02dd6c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9469-7481-90c5-e31ac117c026", "position": 11, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x24bbef2ba62429b1382b121755dd27b3d2ac076ded3b5127c106f0f20d58ab8c", "event_sha256": "\\x5edb2a6e1efd6e30ce79dcfb39379e035ee6289d0c664efa2b96bc2192d09ee2"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9471-7485-a7f9-c793c1bed1a8", "position": 12, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x4ccdf87f84db9446a38cd173c4fe1a84f5a23f288759404e150d489e7b108030", "event_sha256": "\\x97809c7d271470e53f37819edf025bb5e9e12329b2275006a20a41cec03ceb8b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-967f-70c0-b124-5c8bee251c54", "position": 13, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x2e39c8daf86ac620f1a97708d10f521b2f7ae4421c85fdabd98a0eb9251ccda9", "event_sha256": "\\x4f6808feb8c1f937bbd094662467a6a973f8744f4538b07d44b5bbfa7a2f17fd"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9696-7258-bac2-d42c45b6d06b", "position": 14, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x56dae259c369a1ece03b1edc219030799acea4e7dd21adb010f2cf070716aff5", "event_sha256": "\\x741285f679eba60742f4070a87dc329f7b0e6761105524f8c6c6b01b0f0a1624"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-969b-7011-bc4f-59583b951afd", "position": 15, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x9287e5fcfacb0970454d56f3c0cf5daee7580338dd213fc8cf2602b0b9d398ee", "event_sha256": "\\x9c5565a00906bb2820e18bf41844000bff37bb1e7ecf68f6dfb5f44313fb8dbf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8ec0-7696-97dc-fdbcab9ea14a", "position": 2, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x1b17e057e13efd93770f7ee9a1c2acece9033d71d2738c8e877cb6ebb936ce7e", "event_sha256": "\\x52eaf3341350e0cbb0c6bf1f63c4471d98a015c522cacfe9db10628ee2754933"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8f3f-73b9-bced-471ac01d3426", "position": 3, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x35f862052fc4febd5612c5868745d15ec715801b996810ecc2439f339cfeee5e", "event_sha256": "\\x5a757f52244f103bc830dfbf8ee9c93f7b2834f18b5d977fe59b5d6fdbed9e95"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8ff5-7216-a6e6-8c30f2464ff0", "position": 4, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xbb2370af8f43bcc4f3207088277496cdd38a6d1b81e10e3a3c9db41b9841308f", "event_sha256": "\\xd377bf6fd211ef218b3aa89fc95e5efd5c2d89bdf8071368360c4d0bdc28b16e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9003-7082-812e-e343ca353898", "position": 5, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x0fbb397760651a492c3fdf9172da1fc6d220ac18491cb0d801687f0c6832df1d", "event_sha256": "\\x159a73066c404fad6b3f182411b53d515ca791470b2c790d9ebeaa3ae6bdbeae"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9020-7794-af99-03c84ee45511", "position": 6, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xb43d9606d48c6e72bd8b8e5361077ad4e734af1c02dc620050e645cf49c65acb", "event_sha256": "\\x5d023db74b2860080632b7659687a16fb78c263cf6f2670763921429ae4b434e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90ac-7323-a1b2-282003fd4328", "position": 7, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\x013dd77d76c727fd8538a12080476678ba92bb8a68b24d6f97f4957397f32b11", "event_sha256": "\\x36d2fabc57336b20b62ead87c336353dd309a832365a1b142261db7c5716b9fe"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90c4-75c6-9668-621c38c8c71e", "position": 8, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xdbfe3e1478e25f055c137af468624db083bf47bb1ede3d031926047a4505ea88", "event_sha256": "\\x350eb4754e77ead738057fbd3e8adea16e4dc80d3b15c1a951b67ed1c4514fe6"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93a0-723a-83a6-aca7f1e4b9ee", "position": 9, "scope_id": "00000000-0000-0000-0000-000000000000", "chain_sha256": "\\xc530004d1413945752fd802462091eb7f715779cbbc9ac59f7c918ae39c62de0", "event_sha256": "\\xc2844b81c964fda5e669e18b9dff156c570b6afb6991b1c44d53db93fed09950"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8b58-7569-bcf2-0dff43f92edf", "position": 1, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x684c449356aacc129483d6223539ef75294108d1dd127f85db3d662c951a6baf", "event_sha256": "\\x6b3fa01e9de5e86fa15cc6c3aefa14f4e6d5ad98d289ae6635474cbf385b1f41"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-900a-7367-b5c1-43c6aac3768f", "position": 10, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x4dbd2aa781f1f5cc91b558aa5b5b598fbbdb483f977805ac3eb8024f8cf2f352", "event_sha256": "\\x0c648ec1f66e8e134f789ac9b110fb54fdc950710995b7c746057ed9a44b1b2f"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-901b-7707-9db3-9128ccfa2457", "position": 11, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x11524a359ea805fa943ef5880ebc7d1766c60b42853f6a29552b02ebe7819253", "event_sha256": "\\x90ca78c2e8c4c39ab0f3e23320e1912333c2e4e4b15c71658485a473324d9da1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-903d-7408-abc8-05b6fb28c91e", "position": 12, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x3aeada60ab2c8fde755ca9c6684ae6d1738b1ef19567063d48972ab42f26c91a", "event_sha256": "\\xf028750f9e16b2c10bb471d8bf413c9275345866310125cca91a690c997ab0b3"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9052-7752-9a07-e76e276753da", "position": 13, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x169658aadafac86e340eb2fbcc1c7cbe757d4591926e87db0965435a33028202", "event_sha256": "\\x4a5aa9cfb4d6e326a2489a3ab8cffaf39104b22d517b7b91b669b9d241edb7aa"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9063-73ae-bfd5-6f04171512a0", "position": 14, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x1f71660a108952aa0076b33d63a483fa03a4b511580ed3d4cfbc477236e0618a", "event_sha256": "\\x954fd75da42f0095765c8852cdf4a7d489780b7f177865b3a5d73c694c111e97"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9083-77dc-a6bb-4f962c6a3c2c", "position": 15, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x78a998c08fadb5ba19b8aedcf12dd487f29a6abee698aed6ce84b84ab2b601b6", "event_sha256": "\\x8126b27f7d52d192c47c17ee5f2a8fe3e90c194dc4004884c7ad0fafed02c4b5"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9091-77e1-a5e7-c96c392c9343", "position": 16, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xeb59201d77c846bddc967892d8f59c7df4003eb6f3959f96ccf8a386e643e55b", "event_sha256": "\\x4f32a68c71a8181c92c336548f19841e2fe57dba253c9fc3fa13db3e686f19fc"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9096-7606-8fb5-28af517c1355", "position": 17, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xb3b2b6d8caf58c9f8864b210354c1e7880c00e2b9cd3f16ac5a0da8aedeb5c4f", "event_sha256": "\\x455d6877bf642f13befe7b663faaadc388438f2e0382cf77260081794f38fd63"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90a1-71e5-8742-b80e873ffcd8", "position": 18, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x7e6fb8f5fedc84f52e5a266ca49cae8017a4031ffb1d8052ef2ef550f7d0f060", "event_sha256": "\\xf74999d391655e9d20cd5c60a500e8c4154284bf0af2450b3470952895687806"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90b9-7631-961f-06b452b0459e", "position": 19, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x737d331fc1c17b70a583b94ba7c83a206d1cbc6ac0986531ee31d4785c7ef3cc", "event_sha256": "\\x2214fa9fd2881a138794e25844e01478dbb6a533e5c1675eed23762066e06c98"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8b76-74f5-9e14-e10a35a5f4d1", "position": 2, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x34fa22c87089708e0db540b1f57cc5238d4c42402ec0aba2a41c145b4680bf82", "event_sha256": "\\xa0fe35e5ebb5f876a4e7184295e4abd5b0279f1557005fc8eca148e745ab3e4a"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90d7-71e2-a2b4-47488904993e", "position": 20, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xeae9d085b3352e5fd7e7cfe5352b5c2e257ad43e477ec4c34af3fe6d659ac9a1", "event_sha256": "\\x15319d0c28f2240fbd01b28b54355a7aaadfa44ff23c1d106b363f364038b983"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-90ed-71aa-a7d9-d4677e211ad2", "position": 21, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x1cfc429a35525754a50ac3758eca61cf9859423836e4aa358da19fb6227c9bc6", "event_sha256": "\\x71ccf1e3349aace8194a11c48ceff69b4c915103b3e1b4a9826d775b3b54b4d1"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9108-769f-9978-82adfd8b5094", "position": 22, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x9a82f5c41565dc6084f6fb5acc154c7f957ba3d1f70623720464411aee7bb4c6", "event_sha256": "\\xbeceb9af559f0e0d35dbfbd29ba2845e61831c9e69d30c764f3321982afe4343"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9116-7094-b86c-3784a0b2f3f6", "position": 23, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x5cef10f45ca3738692f86d097f2456d2b0abc077542c75c0eb5a569f629c8818", "event_sha256": "\\xf6510657d1c569b8dd54aeca6bdfecea57b7d37a06fb378b3b0f2a66864cb4d0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9127-731b-86cf-7866db248cc6", "position": 24, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xe98d70d898ac2dcc868b2e0bc5abd73a20b16ba5972ce75438a0671b3301ea1c", "event_sha256": "\\xf5dee82f78a0d53f32ac95a2341d4baa118475f7cee93254a22914266d78586e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9135-71c3-823d-0a8ac21936c5", "position": 25, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x032af8c835a289ce50620497ddd1d16d77335f4b688bb68915cbad7903742fe4", "event_sha256": "\\xac5b8da079c0f51c1248808dbc9967ee8e4d145e333ac55ee346f944558d2419"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9148-717d-81e1-951dc463a95a", "position": 26, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xce1dcd27582dea670971dc610fea41a702abf865c241ab1e9fded84d9f0a8682", "event_sha256": "\\x56f793915d5bbdea6367f4038bab21db920f7b078ec5433c4424661832ba90ef"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9152-777e-8b24-3aa804d70b95", "position": 27, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x710ad1df806859d401096baabceaa5f58b1246ca66bfa0e71496e13c0dadf506", "event_sha256": "\\x317c6bf65fb7ff41a1f431c021ebd3555fbe4cb6f21958358a2cb9b50af6298e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-915c-771c-92fc-c6783f19f9e8", "position": 28, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xf8708c6813c5ff6c748e09e978fb2b0c5aaec0c3c33ee43aa1ebe4628dff4f41", "event_sha256": "\\x00710f3d9f69933809aeb39c6f188d14c2d07c5c159cf0dc6d47d767c86fbaa7"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9212-7109-b94e-7fef952e6ec8", "position": 29, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xca5c91d16380f58eb7af07a60fe4b27e6c4c5f4bdd702aa1f54a18155d38663f", "event_sha256": "\\xab4de677bc5dc69d640e2fdab754c8a9941282632f7ba832fb52d057ccdda7d8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8b89-708b-bf4d-f74cd168a823", "position": 3, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x55b538f702d641a8f6af44ade072816c5110de6e6eaf5be645e0bb04a3f54b59", "event_sha256": "\\x0cab1f9376531e2b6fa8144ea06747d1f41d5504be79342f96dcbb58439003f8"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9233-75c1-addc-02e431005262", "position": 30, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x03c97ab62c258dfbc3715ad672ecfa8afc2675208ecc2dcdc0d4b6cda99c81a3", "event_sha256": "\\x6b0259d11272ec44adba73211ebcc0dc7ac6240d11e270d64461708a4495765b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9250-70a1-a1b6-7f84726fbc89", "position": 31, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x3932a45a15fb211926f02ef46a624bd673b12b9898abcfa35b6c579cf22ea4be", "event_sha256": "\\x5b516a1e7002d421f0c883c262ee86ce1e7c87d44a7a86b9f0fb722fff3a70af"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-928e-741c-97e5-a167c15d0cd9", "position": 32, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x4a9f4001010694dd1078a6cebccf46e79d289bde6cca32dc01cd7f54b760bc8f", "event_sha256": "\\x2de671fe4050acc823e171bd9dcbd4c4574ef7d59f74c462e5aedd2c804446c0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9298-7656-8bf1-033d859908f0", "position": 33, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xab005f19435da50529f3aad9cdab1937f7661683f6cdf0cdf2f36132d34febcf", "event_sha256": "\\xfe1bbc2ca839cf25da3d6cd42f27e8985edd16f1fd1677075ae8deb445a08b73"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-92ae-73cb-9139-efc9ece4f3ea", "position": 34, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x4162f7e6f83cfc2a048df630dccfbd55e61fadfb77068fe7b4914dd175ab5539", "event_sha256": "\\x1492025ccc870b47a1d65c0d61641f5aa90042ea8fb41321385abae096c77626"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-92b7-73fe-b680-acbcd24ef6a3", "position": 35, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xc53126a10e85983be4d7ef6c1fb2349c77c3365792c63a476bf9049660eaaffb", "event_sha256": "\\xf1f1bbea7320892a60d045bffcc74f287f77c21c4c4cdd842e5181d2d164c233"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-92d5-76c3-855c-30bd2512455e", "position": 36, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x0d6880ce94caac334d86a12c5518ff8c163bf8faeaae433abdcc4e8762126264", "event_sha256": "\\x11f242b5dc92dfb07f4b39323a91e62ce2ee41fc6c89d040ae45dd96bb2a247c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-92e8-7124-8b81-0d0cd295c122", "position": 37, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x5df79288f2870a0ff81ddb81e4ade50ebbf4f84ed839c37aef3c13bc88a1063c", "event_sha256": "\\x519086ef178c0c0dd5ec30bb1e3ab20af8e4a5d68ccde113a5c53881c64ab9fb"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9327-76ed-93e2-4a0de127261b", "position": 38, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x478d56727a51ded4222be043500797a0796774bcad8e369fdd7f04c5d4592fa1", "event_sha256": "\\x68bfc162ca7154c3963ff2b46cedcd498278051d1ef65f41a538053cacded426"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9348-7755-ac07-5eb7622e3853", "position": 39, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x1ed80db068e73e6c11eacc4f5157897311e618ce7f45c448a2d566d944faadb5", "event_sha256": "\\x58806a1765c4a03d37d76f47c5c20b5a9cb40b0f2c0cbf1a0ab015d1d9c0167b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8ba2-76c7-a8cd-8d1d4e92bc1b", "position": 4, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xb0279e50507dcc1d54a20b44bf64a67c02e22e618d6c8632a119b40ff5f8e5f7", "event_sha256": "\\x5e70fe12b7daaf250a0ae05b1d47ef8843c272ba578874df8125ad1d29c0702e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9360-706e-9999-bcc935559883", "position": 40, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xed422e21528ea30da417585820af8f0701c26ce379a5b5c5b6099b947d939953", "event_sha256": "\\x15bc6bf7dd27c9c56af6dec03b40006cd697c34fd7be4bb5cdc67bd1435d580c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-936e-7372-b624-a69e649961c0", "position": 41, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xc2d55b91e2a08bb59bff267f897f07b8c219ba421e5cd51f861235fa7a87d33d", "event_sha256": "\\x57454609c21fd25a0a9ab0e83f9709e486b3ff167f185432ce079b8636275987"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-937e-746f-bc38-ec8a2f93755b", "position": 42, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x78d87c38c17be52197bea52350bfc321ec43fa0f8b7eed1023fb3b9df175cbcb", "event_sha256": "\\xa4c049fa31fd2475c60b2984a9eb4495dc1fd436d2a7bacd5847e4894cd311ef"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9396-7539-9c82-5c823a3e7f4a", "position": 43, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x640803fc0f02f735df7dac946ce81ab515df64f19844138ce6946c21d42340fc", "event_sha256": "\\x5b36b65657d6595bf2d75eb3b4b3559d0563c49cf5f6bf044ef0e64b3a81d172"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-943d-71eb-a2a6-aed8d04b4e4a", "position": 44, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x134fe4e38ccbf48c0a891de583a97d4ffec6802f0efe60454486157899130332", "event_sha256": "\\xa64121ed240211f442e2973301d993edea1418dddbd52f3506254eab203b36d4"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8bba-7220-9cd6-ff3ecc87f805", "position": 5, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xc22eb2fb23171e0bd8f3d6b6e49a6c781cd9fb42f6ed56f33e2f867813ca3f99", "event_sha256": "\\x84b37965568b67df0c5d95fb236f4592133b547f16c479553179f6c2b93c561e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8eae-772e-9948-ae121dfca5b0", "position": 6, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xe82ab9224909f73bf1ada264189f34548a173b99eec394853d6a27e58f0f2ff3", "event_sha256": "\\x971cdf0ae1d3c10591f8ab63c6e5cfa2434a86d6fc319fa54986abf1ce95332c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8efc-7437-a7c8-2fc53a91d69a", "position": 7, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xfe48b7ce99257d0e9f3424b7e9c24cea353522d78db34ee04bcd275fd9e913bd", "event_sha256": "\\xdae810b7d45c6383e8072405804bcbc1f610fd991e97931000c43801cd39993b"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8f2f-7718-a908-4e330d7fc334", "position": 8, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\x496e1efb2a4b17d2fc9f0dae6f40b2a59ee868fd8b3d8bba1fa98e638bd6a959", "event_sha256": "\\xcecca4ce5c3719272abefe4e0974d651da4ab3d98aba8f980a09188a1aacc0af"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8f4e-72f1-9107-4d15446874be", "position": 9, "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "chain_sha256": "\\xbb82e3fd34701aadc2ad7545eafc19d18aaeb1c4270d7f724f60fa077ef79f78", "event_sha256": "\\x889ba3aa5bdf857f6a76a2f71f0ef4ea6333767c7038930e72802dae9225ed2c"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8ecf-710e-8981-569fad8b2977", "position": 1, "scope_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "chain_sha256": "\\x8589a5c907527da0e6829e677be5f1d2c06a3f8da7b8881c13d62e8519cab951", "event_sha256": "\\x41faee751e840ef05cce82fd62c0367e43ef360b9876948f6c227197ee130ca0"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8ed8-763c-bb39-af46ab9b717d", "position": 2, "scope_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "chain_sha256": "\\x801de2a7e2d77c3c320e40e1e32df59e0b801b36e28fbc861f0d58cd2f829a78", "event_sha256": "\\xaac89ee0e99d1be61ef757fd1fcc53740e23db63ea04054986ecf5912305be17"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8edf-74ea-8eb3-3d445a84a066", "position": 3, "scope_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "chain_sha256": "\\x9c180d3de21b7310e07842baec20385a09074bae6f2bfda2b9acc04088bae5bb", "event_sha256": "\\x816046d4c17c158b45aba5f4bb08fbd6b6ffd109620c323c75ec5fc83d886a54"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-8eed-7454-a98a-d7c45d5e369c", "position": 4, "scope_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "chain_sha256": "\\x29388c55ec27819d598802205d9ce26bd1ced8549f546a5056722bbcb295be75", "event_sha256": "\\xd26f6e15b0d09f3f0979d9ca3e9568e5001ae97d2d30561a12501369f295344d"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93b0-72db-baa6-3e2a12a7792e", "position": 1, "scope_id": "01a22731-939f-72b5-9243-50907d4de7d7", "chain_sha256": "\\x7cbafc009d2ead02303a906a4e8f952160d56ff2fd57814ef871e7c3ae92e774", "event_sha256": "\\xf97b4c0a8cdf2fa8c90df80cc3f43c367540d9262d991bf1910bdb5858f5c143"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93c1-74b5-a1eb-14a0370c739c", "position": 2, "scope_id": "01a22731-939f-72b5-9243-50907d4de7d7", "chain_sha256": "\\xa730218491be63c8e5e81990d8b5b66eaf1e6685c57f53fb2a606f5409abc2ed", "event_sha256": "\\x00d9c8dc3b2ad5ccb0fe9265dfb9439f528255e7edebe8e5cb42d9a7ee446c34"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93fd-70f9-adbc-ffebdf3a721d", "position": 3, "scope_id": "01a22731-939f-72b5-9243-50907d4de7d7", "chain_sha256": "\\x2918325e11009525409866ae1f7d0acb7c8d01e93e052154764b19d787ebafb4", "event_sha256": "\\x4a762149298b5d5f3fb60c976878b6324d3eee81b920efdb42854f4fa9a8bd65"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93dd-7505-8375-31b929840565", "position": 1, "scope_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "chain_sha256": "\\x474135921d2093f763c94a89a0dbfbbbce4e3548e2cf7bb61b6b91b9db37a067", "event_sha256": "\\x74896e780af683d07b918f9beb60008e7e67d6e717819485c3d0af46ef1246bf"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-93f0-7570-b944-9c55b98cdffa", "position": 2, "scope_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "chain_sha256": "\\xd016ec8d2627b8aef1d35e0cbfdcee575b1caa2db062c20eb5d228aae91372e0", "event_sha256": "\\xbabfcf7a5e887000b837e56f83fb4906842bd3b8c9be917abe25dc7adc88d30e"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-9413-7423-bd2f-cf920973c222", "position": 3, "scope_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "chain_sha256": "\\xae7295bafab65321435c58d2eaab6912a9eccb1217bf53604ca59931dbe6936a", "event_sha256": "\\x8933582bc50459c3aa5542b8262b93389fd72b8f927f37bf4e39d8a0ab5965d9"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "3fee886f-4810-4294-9fe5-e697c4cc7904", "position": 1, "scope_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "chain_sha256": "\\x9b99be240e43b4e367a12b08060ad49973df5d2f3d7c4376c681853eb8f85f0b", "event_sha256": "\\x5b7d609564462061d06738e8b2df622fc42953bd36cadfd55a0c268a7768bc07"}');
insert into audit_links overriding system value select * from jsonb_populate_record(null::audit_links, '{"event_id": "01a22731-949c-759f-aff5-954ee6e69581", "position": 2, "scope_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "chain_sha256": "\\xda7ce5e7dd6be4053ad837dda745d0057bd5d86032aef528dcc4213d1f4f83c3", "event_sha256": "\\x8c7d8df75aa714e441f26d4a069711cb3e1d8b6b10d08955c4dfe36ab29728ec"}');
insert into authenticators overriding system value select * from jsonb_populate_record(null::authenticators, '{"secret": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "last_step": 59865129, "created_at": "2026-11-29T12:04:49.258233+00:00", "confirmed_at": "2026-11-29T12:04:49.263779+00:00", "encrypted_secret": "\\x010127cf9de640468cbab57ed8cc0ed846eaa00a817d29bb0ca9154e02a8cde71c7fc1cd3fe8c02814ae9dfe54220e48bbd1bfed6e4ac9ff198d9a945ed43dd8a2"}');
insert into cancelled_claims overriding system value select * from jsonb_populate_record(null::cancelled_claims, '{"request_id": "01a22731-8f73-7233-a347-4e55920e1975", "cancelled_at": "2026-11-29T12:04:49.142882+00:00"}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "sandbox/slow", "input_to": null, "provider": "sandbox", "created_at": "2026-11-29T12:04:47.918978+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": "2026-11-29T12:04:47.985258+00:00", "output_rate": 2000000000, "service_tiers": null, "upstream_model": "slow", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into cost_versions overriding system value select * from jsonb_populate_record(null::cost_versions, '{"fees": null, "model": "small-chat", "input_to": null, "provider": "local", "created_at": "2026-11-29T12:04:47.918978+00:00", "input_from": 0, "input_rate": 250000000, "retired_at": null, "output_rate": 2000000000, "service_tiers": {"flex": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}}, "upstream_model": "qwen3", "audio_input_rate": 250000000, "audio_output_rate": 2000000000, "cached_input_rate": 250000000, "cache_write_1h_rate": 250000000, "cache_write_5m_rate": 250000000}');
insert into creations overriding system value select * from jsonb_populate_record(null::creations, '{"kind": "key", "once": "first", "scope_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "target_id": "01a22731-934e-754c-8abd-7514c5670962", "created_at": "2026-11-29T12:04:50.126288+00:00", "request_sha256": "\\x34bd9cac1812a507d789b30c77b37df1aeeb48c7246386142707b4d3c0f80382"}');
insert into data_keys overriding system value select * from jsonb_populate_record(null::data_keys, '{"id": "0127cf9d-e640-468c-bab5-7ed8cc0ed846", "lost_at": null, "wrapped": "\\x010127cf9de640468cbab57ed8cc0ed8465daddbdc9d0fe16ec090bdf1ed95232db685cbaa69ee10ed989948a5598cdd143ac323faba2014b43e8738659fa0e7c9ed00ba9afbb564c16d2921b7", "created_at": "2026-11-29T12:04:49.161736+00:00", "wrapped_by": "ad0dec1b0f53896f"}');
insert into database_shard overriding system value select * from jsonb_populate_record(null::database_shard, '{"shard": "00", "is_only": true}');
insert into directories overriding system value select * from jsonb_populate_record(null::directories, '{"last_four": "XR0g", "created_at": "2026-11-29T12:04:49.489692+00:00", "created_by": "test", "last_used_at": "2026-11-29T12:04:49.506416+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\xe9760ddac946c8b8ddce0e670300d6779fe74764c83f95ef3c0c37a65bf2bd22"}');
insert into directory_groups overriding system value select * from jsonb_populate_record(null::directory_groups, '{"id": "01a22731-9104-77b5-acdb-6a9605f6c0ca", "changed_at": "2026-11-29T12:04:49.53647+00:00", "created_at": "2026-11-29T12:04:49.53647+00:00", "external_id": "2", "display_name": "engineers", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a22731-90ec-70fe-ab16-91debc560615", "active": true, "user_id": "01a22731-90eb-759e-9302-d5565e805e0c", "user_name": "ada@company.example", "changed_at": "2026-11-29T12:04:49.509401+00:00", "created_at": "2026-11-29T12:04:49.509401+00:00", "given_name": "Ada", "external_id": "1", "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into directory_users overriding system value select * from jsonb_populate_record(null::directory_users, '{"id": "01a22731-9126-7726-b9be-b90eaf3b75e6", "active": false, "user_id": "01a22731-9125-77cf-9d7f-0f2698382697", "user_name": "left@company.example", "changed_at": "2026-11-29T12:04:49.568576+00:00", "created_at": "2026-11-29T12:04:49.568576+00:00", "given_name": "Ada", "external_id": null, "family_name": "Lovelace", "display_name": "Ada", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into directory_group_members overriding system value select * from jsonb_populate_record(null::directory_group_members, '{"group_id": "01a22731-9104-77b5-acdb-6a9605f6c0ca", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "directory_user_id": "01a22731-90ec-70fe-ab16-91debc560615"}');
insert into directory_leavers overriding system value select * from jsonb_populate_record(null::directory_leavers, '{"left_at": "2026-11-29T12:04:49.568576+00:00", "user_id": "01a22731-9125-77cf-9d7f-0f2698382697", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194144261668876, "fenced_at": "2026-11-29T12:04:48.366417+00:00", "reaped_at": "2026-11-29T12:04:48.367594+00:00", "started_at": "2026-11-29T12:04:48.189075+00:00", "timeout_ms": 30000, "instance_id": "1f6b3483-d3b4-4761-9815-ad8cb2f74f9b", "heartbeat_at": "2026-11-29T12:04:48.189075+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194144457752591, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T12:04:48.376518+00:00", "timeout_ms": 30000, "instance_id": "f3bed75b-5d48-49a6-b013-bfcf1435588f", "heartbeat_at": "2026-11-29T12:04:48.415283+00:00", "process_name": "test", "leases_in_use": {"1883194144071876612": "40000001", "1883194144327729165": "40000001", "1883194144349749262": "40000001"}}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194144586727440, "fenced_at": "2026-11-29T12:04:48.542824+00:00", "reaped_at": "2026-11-29T12:04:48.550368+00:00", "started_at": "2026-11-29T12:04:48.499633+00:00", "timeout_ms": 30000, "instance_id": "c2ac3f96-7293-4fa6-a82e-c263d2500136", "heartbeat_at": "2026-11-29T12:04:48.499633+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194145234747410, "fenced_at": null, "reaped_at": null, "started_at": "2026-11-29T12:04:49.117359+00:00", "timeout_ms": 30000, "instance_id": "2d05d381-4335-45fc-adb8-6edcfa7efcc7", "heartbeat_at": "2026-11-29T12:04:49.117359+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194146051588116, "fenced_at": "2026-11-29T12:04:49.921108+00:00", "reaped_at": "2026-11-29T12:04:49.922254+00:00", "started_at": "2026-11-29T12:04:49.896208+00:00", "timeout_ms": 30000, "instance_id": "eb0a99e6-f158-47de-afd3-f37068307842", "heartbeat_at": "2026-11-29T12:04:49.896208+00:00", "process_name": "test", "leases_in_use": null}');
insert into epochs overriding system value select * from jsonb_populate_record(null::epochs, '{"id": 1883194146196291607, "fenced_at": "2026-11-29T12:04:50.074096+00:00", "reaped_at": "2026-11-29T12:04:50.074851+00:00", "started_at": "2026-11-29T12:04:50.034295+00:00", "timeout_ms": 30000, "instance_id": "1eb6669a-e17d-410f-b724-d0ac8f552925", "heartbeat_at": "2026-11-29T12:04:50.034295+00:00", "process_name": "test", "leases_in_use": null}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T12:04:48.935101+00:00", "looked_at": null, "expires_at": "2026-12-29T12:04:48.933+00:00", "posting_id": "01a22731-8ea5-7384-89cb-ac04f02a026b", "recurring_id": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "rest_nano_usd": 30000000, "other_nano_usd": 0, "amount_nano_usd": 30000000, "expired_nano_usd": 0}');
insert into expiring_grants overriding system value select * from jsonb_populate_record(null::expiring_grants, '{"ended_at": null, "given_at": "2026-11-29T12:04:48.951524+00:00", "looked_at": null, "expires_at": "2026-12-01T00:00:00+00:00", "posting_id": "c6d47ea0-8446-4abd-9ef4-988805175f03", "recurring_id": "01a22731-8eac-76c5-be34-8aa7296236dd", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "rest_nano_usd": 10000000, "other_nano_usd": 0, "amount_nano_usd": 10000000, "expired_nano_usd": 0}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-8b51-720b-b536-e24d894a707b", "name": "project bf40b0c7-8bef-44ec-b416-1c557432af4f", "models": ["small-chat"], "version": 1, "created_at": "2026-11-29T12:04:48.081221+00:00", "archived_at": null, "concurrency": 4, "raised_until": null, "reports_cost": true, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "budget_period": "month", "budget_nano_usd": 3000000000, "end_user_period": "month", "member_keys_max": 5, "model_when_spent": null, "tokens_per_minute": 100000, "requests_per_minute": 60, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": 2500000000}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-92ad-712d-96c2-b71f3f486d8e", "name": "raised", "models": null, "version": 2, "created_at": "2026-11-29T12:04:49.965379+00:00", "archived_at": null, "concurrency": null, "raised_until": "2099-01-01T00:00:00+00:00", "reports_cost": false, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "budget_period": "month", "budget_nano_usd": 500000000, "end_user_period": "month", "member_keys_max": null, "model_when_spent": "small-chat", "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": 900000000, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-92d2-779a-bc52-33a2ce098dad", "name": "serves many", "models": null, "version": 1, "created_at": "2026-11-29T12:04:50.001217+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": 100000000, "end_user_limit_nano_usd": 200000000, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-937c-72fa-b3bd-c370256ae830", "name": "archived", "models": null, "version": 2, "created_at": "2026-11-29T12:04:50.170681+00:00", "archived_at": "2026-11-29T12:04:50.185557+00:00", "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-8ecd-70a4-ae77-cdf972e2e4ed", "name": "project 06ed30a2-e84b-4bc7-a235-213ef0baf970", "models": null, "version": 1, "created_at": "2026-11-29T12:04:48.973277+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-93af-71bb-9270-18c1eecc49db", "name": "project ddb51117-dc98-4dce-bff6-3e623f0f578d", "models": null, "version": 1, "created_at": "2026-11-29T12:04:50.223565+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into projects overriding system value select * from jsonb_populate_record(null::projects, '{"id": "01a22731-93db-7182-bc47-915e86a55120", "name": "project d138dee4-6784-4d7d-90f0-ff5f076af441", "models": null, "version": 1, "created_at": "2026-11-29T12:04:50.267058+00:00", "archived_at": null, "concurrency": null, "raised_until": null, "reports_cost": false, "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "budget_period": "month", "budget_nano_usd": null, "end_user_period": "month", "member_keys_max": null, "model_when_spent": null, "tokens_per_minute": null, "requests_per_minute": null, "raised_limit_nano_usd": null, "session_limit_nano_usd": null, "end_user_limit_nano_usd": null, "member_key_spend_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-8b65-7125-9828-987db5c514fb", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "aXJF", "public_id": "00NKWx5YjDZLXl", "created_at": "2026-11-29T12:04:48.100597+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\x0e54bdc8d132b3a4581d8852c7533461e525152d0aeef848d767fe8f964d53fd", "allowed_networks": ["10.0.0.0/8"], "spend_limit_nano_usd": 2000000000, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-9240-7592-8d95-4e43497fe049", "kind": "api", "name": "of a member", "models": null, "version": 2, "metadata": {}, "last_four": "E1GQ", "public_id": "00wdY01krT22D3", "created_at": "2026-11-29T12:04:49.85503+00:00", "created_by": "d6ce4902-ff61-47f8-a2f0-74f1c5f0929f", "expires_at": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\x2c93b339414778baa9749bee60b490708a7604a44eabe5f0934547b7bff5bbeb", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-9289-76f6-8596-3a6dd4a3f3bd", "kind": "api", "name": "raised", "models": null, "version": 2, "metadata": {}, "last_four": "Xp5M", "public_id": "00qoUglBsEFEEv", "created_at": "2026-11-29T12:04:49.929585+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "revoked_at": null, "disabled_at": null, "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\xec41bf7be343478e10597cbf19a8f145a1f3b4b4486e8c904959cab58b64e156", "allowed_networks": null, "spend_limit_nano_usd": 500000000, "raised_limit_nano_usd": 900000000}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-92dc-7000-9f00-1f7316e82b56", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "pMFA", "public_id": "00GGSulOUwCrw6", "created_at": "2026-11-29T12:04:50.012328+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-92d2-779a-bc52-33a2ce098dad", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\x86bd6f737ea1a7be89ac26cbcbb2b436aac45e4fa8c72c5b485ca16d06f43043", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-9323-74e7-9542-212f3c8f6a08", "kind": "api", "name": "rotated", "models": null, "version": 2, "metadata": {"team": "search"}, "last_four": "HPpD", "public_id": "00ws6Yc052sZnN", "created_at": "2026-11-29T12:04:50.082809+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\xc8d94a4d84f43de4d15ce544548dca357ae12dee17c1bb2aea29b35f07eee2a7", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-934e-754c-8abd-7514c5670962", "kind": "api", "name": "disabled", "models": null, "version": 2, "metadata": {}, "last_four": "NLVi", "public_id": "00M2zkp1kgy06L", "created_at": "2026-11-29T12:04:50.126288+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "revoked_at": null, "disabled_at": "2026-11-29T12:04:50.158+00:00", "raised_until": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\xcc240ac805539685689529ce8cd5ca7d160d0d8645ad47f03ce473fdcaf89db0", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-8ed5-7172-917b-5b61b8ef8459", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "EbJt", "public_id": "00cWE1ieaEB6WC", "created_at": "2026-11-29T12:04:48.981499+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8ecd-70a4-ae77-cdf972e2e4ed", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "secret_sha256": "\\x4f17ed6895ca16af902c7aa25211d7bd9d313899d2dd56978412d355f61e521a", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-8edc-77b7-9178-eadd28a03e4d", "kind": "api", "name": "revoked", "models": null, "version": 2, "metadata": {}, "last_four": "YCJU", "public_id": "00e8n8vUUMRc3W", "created_at": "2026-11-29T12:04:48.988459+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-8ecd-70a4-ae77-cdf972e2e4ed", "revoked_at": "2026-11-29T12:04:48.992453+00:00", "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "secret_sha256": "\\x7b39f6c1090b3e1a7037f2f7ef6742fc947a96c3b0a2fdd43ce6e9610e39d5da", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-93b9-712d-b643-b78a3903046f", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "FYZX", "public_id": "005JS0uezpYdCe", "created_at": "2026-11-29T12:04:50.233529+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-93af-71bb-9270-18c1eecc49db", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7", "secret_sha256": "\\x566a54b862161c1aa246b5f3b42337821f22f1a9fcaa8d41f35ea331804d7811", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into keys overriding system value select * from jsonb_populate_record(null::keys, '{"id": "01a22731-93e7-750d-a9d3-77376f562c80", "kind": "api", "name": "key", "models": null, "version": 1, "metadata": {}, "last_four": "J431", "public_id": "001ghbacLveLtQ", "created_at": "2026-11-29T12:04:50.279488+00:00", "created_by": null, "expires_at": null, "project_id": "01a22731-93db-7182-bc47-915e86a55120", "revoked_at": null, "disabled_at": null, "raised_until": null, "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "secret_sha256": "\\x58094f3d3531ab8d0132001d39364c5f3a345b0d656828beb06615306415c370", "allowed_networks": null, "spend_limit_nano_usd": null, "raised_limit_nano_usd": null}');
insert into former_secrets overriding system value select * from jsonb_populate_record(null::former_secrets, '{"key_id": "01a22731-9323-74e7-9542-212f3c8f6a08", "last_four": "3FhT", "public_id": "00BevDnqlPAMtc", "expires_at": "2026-12-29T12:04:50.09704+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "secret_sha256": "\\x8692f15f23e7cd2ea394c9eb498b2bbc9f498e69ee458667b29a7afeb33c1a6f"}');
insert into free_answers overriding system value select * from jsonb_populate_record(null::free_answers, '{"hour": "2026-11-29T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 7}');
insert into grant_counts overriding system value select * from jsonb_populate_record(null::grant_counts, '{"workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "other_nano_usd": 0, "charged_nano_usd": 60000001}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": "\\x616e20616e73776572", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "epoch_id": 1883194145234747410, "claimed_at": "2026-11-29T12:04:49.131481+00:00", "request_id": "01a22731-8f6b-7e03-ad9e-8477cfb75b83", "body_sha256": "\\x612068617368", "completed_at": "2026-11-29T12:04:49.136805+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "idempotency_key": "it is done", "superseded_request_id": null}');
insert into idempotent_requests overriding system value select * from jsonb_populate_record(null::idempotent_requests, '{"answer": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "epoch_id": 1883194145234747410, "claimed_at": "2026-11-29T12:04:49.124037+00:00", "request_id": "01a22731-8f63-7248-bc08-2d0efdd4ec33", "body_sha256": "\\x612068617368", "completed_at": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "idempotency_key": "it runs", "superseded_request_id": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a22731-9016-7321-8985-e659ae336da4", "role": "member", "email": "new@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T12:04:49.302594+00:00", "expires_at": "2026-12-06T12:04:49.302594+00:00", "invited_by": null, "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\x185036cf2967fe05d34e4eba0d23fbac79284328bb70860c3d55940dc8c4d4b7", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "invited_by_token": null, "monthly_limit_nano_usd": null}');
insert into invitations overriding system value select * from jsonb_populate_record(null::invitations, '{"id": "01a22731-9051-7759-9da1-37253e37727f", "role": "viewer", "email": "third@example.com", "key_id": null, "mailed": false, "batch_id": null, "created_at": "2026-11-29T12:04:49.360911+00:00", "expires_at": "2026-12-06T12:04:49.360911+00:00", "invited_by": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "revoked_at": null, "accepted_at": null, "accepted_by": null, "token_sha256": "\\xacc6ac5d80b7593ccb0d91d27190e8d86da205c9353c4a1942d53ba436bef8cb", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "invited_by_token": "01a22731-903c-71ae-812e-376ecb1be83c", "monthly_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194144071876612, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 15330000000, "spent_nano_usd": 70000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194144327729165, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a22731-8b51-720b-b536-e24d894a707b", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 3000000000, "spent_nano_usd": 50000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194144349749262, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a22731-8b65-7125-9828-987db5c514fb", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 2000000000, "spent_nano_usd": 30000000, "leased_nano_usd": 30000001, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194145070120977, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "owed_nano_usd": 20000000, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146040053779, "kind": "member", "mode": "wet", "period": "month", "subject_id": "5a86248c-00a5-4589-ac05-cc5309e7a03c", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146065219605, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a22731-9240-7592-8d95-4e43497fe049", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146140717078, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a22731-92ad-712d-96c2-b71f3f486d8e", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": "2099-01-01T00:00:00+00:00", "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 500000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": 900000000}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146203631640, "kind": "project", "mode": "wet", "period": "month", "subject_id": "01a22731-92d2-779a-bc52-33a2ce098dad", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146207825945, "kind": "key", "mode": "wet", "period": "month", "subject_id": "01a22731-92dc-7000-9f00-1f7316e82b56", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": null, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146216214554, "kind": "end_user", "mode": "wet", "period": "month", "subject_id": "ef7f5f1c-32d6-5018-c726-88a7a5f87470", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 200000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146228797467, "kind": "session", "mode": "wet", "period": "month", "subject_id": "50705501-bec6-a78d-625b-24f05ec2075a", "window_end": "2026-12-01T00:00:00+00:00", "raised_until": null, "window_start": "2026-11-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "owed_nano_usd": 0, "limit_nano_usd": 100000000, "spent_nano_usd": 20000000, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146377695260, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-939f-72b5-9243-50907d4de7d7", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-939f-72b5-9243-50907d4de7d7", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146421735453, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "owed_nano_usd": 0, "limit_nano_usd": 10000000, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194146596847646, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-946f-77a4-97f4-430bdf2a382f", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194147149447199, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-967e-743d-b35b-01126eb55d95", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-967e-743d-b35b-01126eb55d95", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into purses overriding system value select * from jsonb_populate_record(null::purses, '{"id": 1883194147178807328, "kind": "credit", "mode": "wet", "period": "never", "subject_id": "01a22731-969b-7011-bc4e-df8d17e0bb60", "window_end": null, "raised_until": null, "window_start": "1970-01-01T00:00:00+00:00", "workspace_id": "01a22731-969b-7011-bc4e-df8d17e0bb60", "owed_nano_usd": 0, "limit_nano_usd": 0, "spent_nano_usd": 0, "leased_nano_usd": 0, "opening_nano_usd": 0, "corrected_nano_usd": 0, "raised_limit_nano_usd": null}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883194144457752591, "purse_id": 1883194144071876612, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883194144457752591, "purse_id": 1883194144327729165, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into leases overriding system value select * from jsonb_populate_record(null::leases, '{"open": false, "epoch_id": 1883194144457752591, "purse_id": 1883194144349749262, "sequence": 2, "charged_nano_usd": 30000001, "granted_nano_usd": 30000001}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8b38-7197-8472-6c26e9667472", "kind": "grant", "once": null, "actor": "test", "number": 1, "reason": "a test", "posted_at": "2026-11-29T12:04:48.060614+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 5000000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8e85-7634-92bd-734de3248d6f", "kind": "top_up", "once": "payment 1", "actor": "test", "number": 2, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T12:04:48.902124+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 5339999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8e90-7611-bff3-14eecc95b0f1", "kind": "refund", "once": null, "actor": "test", "number": 3, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T12:04:48.912929+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 5239999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8ea5-7384-89cb-ac04f02a026b", "kind": "grant", "once": null, "actor": "test", "number": 4, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T12:04:48.933912+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 5269999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8ec6-77ec-935b-58090e3f053b", "kind": "grant", "once": null, "actor": "test", "number": 6, "reason": "a test", "posted_at": "2026-11-29T12:04:48.9679+00:00", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-8ed9-776b-8fbc-112ee443e294", "kind": "dispute", "once": null, "actor": "test", "number": 7, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T12:04:48.986309+00:00", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "balance_nano_usd": -20000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "01a22731-93d7-7269-aa6c-c20e54d3a7d2", "kind": "grant", "once": null, "actor": "test", "number": 11, "reason": "a test", "posted_at": "2026-11-29T12:04:50.263769+00:00", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "balance_nano_usd": 10000000, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "4be64fb4-fab5-42d0-b608-2586da7af9b8", "kind": "top_up", "once": "payment:stripe:pi_1", "actor": "stripe", "number": 8, "reason": "Payment pi_1 of top-up 01a22731-8ef6-71ee-91e8-55de2ccc21ef", "posted_at": "2026-11-29T12:04:49.033081+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 15279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "55fc8fed-5d83-48a7-950a-8f44ef30575b", "kind": "refund", "once": "refund:stripe:re_1", "actor": "stripe", "number": 9, "reason": "Refund re_1 of payment pi_1 taken", "posted_at": "2026-11-29T12:04:49.051361+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 15259999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "c6d47ea0-8446-4abd-9ef4-988805175f03", "kind": "grant", "once": "recurring:01a22731-8eac-76c5-be34-8aa7296236dd:2026-11-01", "actor": "test", "number": 5, "reason": "a \"reason\", with Ünïcode", "posted_at": "2026-11-29T12:04:48.944474+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 5279999999, "receipt_request_id": null}');
insert into ledger_postings overriding system value select * from jsonb_populate_record(null::ledger_postings, '{"id": "d9cfdbf0-bd46-4ccc-8fcb-335e5b7532a5", "kind": "top_up", "once": "payment:codes:01a22731-8f3e-7266-b101-f2af4718307b", "actor": "codes", "number": 10, "reason": "Payment 01a22731-8f3e-7266-b101-f2af4718307b of top-up 01a22731-8f4b-70b8-99c4-a0c6b3add1fa", "posted_at": "2026-11-29T12:04:49.109238+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "balance_nano_usd": 15269999999, "receipt_request_id": null}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8b38-7197-8472-6c26e9667472", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22731-8b38-7197-8472-6c26e9667472", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -5000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8e85-7634-92bd-734de3248d6f", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22731-8e85-7634-92bd-734de3248d6f", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -400000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8e90-7611-bff3-14eecc95b0f1", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22731-8e90-7611-bff3-14eecc95b0f1", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 100000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8ea5-7384-89cb-ac04f02a026b", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22731-8ea5-7384-89cb-ac04f02a026b", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "4be64fb4-fab5-42d0-b608-2586da7af9b8", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "4be64fb4-fab5-42d0-b608-2586da7af9b8", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -10000000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "55fc8fed-5d83-48a7-950a-8f44ef30575b", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "55fc8fed-5d83-48a7-950a-8f44ef30575b", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "c6d47ea0-8446-4abd-9ef4-988805175f03", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "c6d47ea0-8446-4abd-9ef4-988805175f03", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "d9cfdbf0-bd46-4ccc-8fcb-335e5b7532a5", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "d9cfdbf0-bd46-4ccc-8fcb-335e5b7532a5", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8ec6-77ec-935b-58090e3f053b", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22731-8ec6-77ec-935b-58090e3f053b", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-8ed9-776b-8fbc-112ee443e294", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "amount_nano_usd": -10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "owed", "posting_id": "01a22731-8ed9-776b-8fbc-112ee443e294", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "amount_nano_usd": -20000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "payments", "posting_id": "01a22731-8ed9-776b-8fbc-112ee443e294", "workspace_id": "01a22731-8ec0-7696-97db-e8b9d048e253", "amount_nano_usd": 30000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "credit", "posting_id": "01a22731-93d7-7269-aa6c-c20e54d3a7d2", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "amount_nano_usd": 10000000}');
insert into ledger_entries overriding system value select * from jsonb_populate_record(null::ledger_entries, '{"account": "promotions", "posting_id": "01a22731-93d7-7269-aa6c-c20e54d3a7d2", "workspace_id": "01a22731-93c9-773f-8f8f-bdedb73eb82b", "amount_nano_usd": -10000000}');
insert into ledger_verifications overriding system value select * from jsonb_populate_record(null::ledger_verifications, '{"id": 1, "night": null, "started_at": "2026-11-29T12:04:50.477+00:00", "differences": [], "finished_at": "2026-11-29T12:04:50.935869+00:00", "difference_count": 0}');
insert into member_limits overriding system value select * from jsonb_populate_record(null::member_limits, '{"id": "5a86248c-00a5-4589-ac05-cc5309e7a03c", "user_id": "d6ce4902-ff61-47f8-a2f0-74f1c5f0929f", "raised_until": "2099-01-01T00:00:00+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "raised_limit_nano_usd": 900000000, "monthly_limit_nano_usd": 500000000}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "model", "name": "stored", "version": 1, "changed_at": "2026-11-29T12:04:49.798032+00:00", "declaration": {"id": "stored", "routes": [{"model": "echo", "provider": "stored"}]}, "encrypted_key": null}');
insert into offer_declarations overriding system value select * from jsonb_populate_record(null::offer_declarations, '{"kind": "provider", "name": "stored", "version": 1, "changed_at": "2026-11-29T12:04:49.798032+00:00", "declaration": {"kind": "sandbox"}, "encrypted_key": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a22731-8fc1-7204-8f6d-e23cd94eb0fc", "email": null, "mailed": false, "purpose": "set_up", "user_id": null, "claimed_at": null, "created_at": "2026-11-29T12:04:49.213339+00:00", "expires_at": "2026-11-30T12:04:49.213339+00:00", "by_right_in": null, "made_by_user": null, "token_sha256": "\\x0d18d8c412b9259cba260438111a3ac85e5cd2882eb1dab88132892ac232b8ab", "made_by_token": null}');
insert into one_time_links overriding system value select * from jsonb_populate_record(null::one_time_links, '{"id": "01a22731-9062-7331-bfbc-f76d38aabed5", "email": null, "mailed": false, "purpose": "reset", "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "claimed_at": null, "created_at": "2026-11-29T12:04:49.373073+00:00", "expires_at": "2026-11-29T14:04:49.373073+00:00", "by_right_in": "01a22731-8b04-7223-ab8c-6c46b574831f", "made_by_user": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "token_sha256": "\\x2aa606b34dda10db9136b19464f17602217daa9c0ce80ca75223164e508746d8", "made_by_token": "01a22731-903c-71ae-812e-376ecb1be83c"}');
insert into operator_tokens overriding system value select * from jsonb_populate_record(null::operator_tokens, '{"id": "01a22731-901f-76e1-85ea-337a0aa24f85", "name": "metrics", "last_four": "JoGV", "read_only": true, "created_at": "2026-11-29T12:04:49.311098+00:00", "created_by": "owner@example.com", "revoked_at": null, "last_used_at": null, "secret_sha256": "\\x804cc7592c5b11dff2d972d9f2647c85f3d898899cadb7f587c6cc25cd10b21f", "downloads_backups": true}');
insert into sealed_partitions overriding system value select * from jsonb_populate_record(null::sealed_partitions, '{"name": "receipts_2026_w23", "up_to": "019ea487-7000-0000-0000-000000000000", "from_id": "019e807a-ec00-0000-0000-000000000000", "receipts": 1, "sealed_at": "2026-11-29T12:04:48.888065+00:00", "dropped_at": null, "export_file": "/exports/receipts_2026_w23", "exported_at": "2026-11-29T12:04:50.467543+00:00", "export_sha256": "\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "write_off_nano_usd": 0}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883194144071876612, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883194144327729165, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into partition_totals overriding system value select * from jsonb_populate_record(null::partition_totals, '{"purse_id": 1883194144349749262, "receipts": 1, "partition": "receipts_2026_w23", "charge_nano_usd": 10000000}');
insert into passkey_challenges overriding system value select * from jsonb_populate_record(null::passkey_challenges, '{"challenge": "\\xa624de9a43612333fe1ef864a61dc40c009d36f2f7b4c2fe2ca26d98f664e5dc", "expires_at": "2026-11-29T12:09:49.317174+00:00", "session_id": null, "secret_sha256": "\\xb7500899a1978c53c8a1182ff593499386106c4a0ddf218d5d812a49b203c26d"}');
insert into passkeys overriding system value select * from jsonb_populate_record(null::passkeys, '{"id": "01a22731-9029-7368-9ace-aa4ff4d21568", "name": "Laptop", "counter": 3, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "created_at": "2026-11-29T12:04:49.32282+00:00", "public_key": "\\x7075626c6963206b6579", "transports": ["internal"], "last_used_at": "2026-11-29T12:04:49.32282+00:00", "credential_id": "\\x63726564656e7469616c"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "01a22731-8f3e-7266-b101-f2af4718307b", "fact": "paid", "detail": null, "outcome": "applied", "provider": "codes", "top_up_id": "01a22731-8f4b-70b8-99c4-a0c6b3add1fa", "received_at": "2026-11-29T12:04:49.099723+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "519862b8-a75e-4c68-8df6-3c5a1164b3f8", "fact": "paid", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "received_at": "2026-11-29T12:04:49.025817+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "92d6d425-0976-4c8e-94df-f40fafea954d", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": null, "received_at": "2026-11-29T12:04:49.056554+00:00", "workspace_id": null}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "d2d0330d-3d1c-41a3-912a-3dd0c810e153", "fact": "refund taken", "detail": null, "outcome": "applied", "provider": "stripe", "top_up_id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "received_at": "2026-11-29T12:04:49.043516+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into payment_events overriding system value select * from jsonb_populate_record(null::payment_events, '{"id": "e5baf9c4-61fe-4005-a864-6b370b96b36f", "fact": "paid", "detail": "10000000000 nano-USD were paid and not 10800000000", "outcome": "mismatch", "provider": "stripe", "top_up_id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "received_at": "2026-11-29T12:04:49.060815+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into payment_reconciliations overriding system value select * from jsonb_populate_record(null::payment_reconciliations, '{"night": "2026-11-29T12:04:49.080128+00:00", "missed": 1, "compared": 2, "provider": "stripe", "started_at": "2026-11-29T12:04:49.080128+00:00", "differences": ["one"], "finished_at": "2026-11-29T12:04:49.080301+00:00", "events_until": "2026-11-29T12:04:49.080128+00:00", "difference_count": 1}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "once": null, "actor": "test", "state": "paid", "origin": "checkout", "failure": null, "provider": "stripe", "created_at": "2026-11-29T12:04:49.009954+00:00", "expires_at": null, "posting_id": "4be64fb4-fab5-42d0-b608-2586da7af9b8", "updated_at": "2026-11-29T12:04:49.025817+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": true, "tax_nano_usd": 0, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000000, "payment_reference": "pi_1", "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22731-8f2a-7718-925e-7b62756d1ad5", "once": null, "actor": "test", "state": "pending", "origin": "auto", "failure": null, "provider": "stripe", "created_at": "2026-11-29T12:04:49.065373+00:00", "expires_at": null, "posting_id": null, "updated_at": "2026-11-29T12:04:49.065373+00:00", "checkout_url": null, "fee_nano_usd": 800000000, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000000, "payment_reference": null, "checkout_reference": null}');
insert into top_ups overriding system value select * from jsonb_populate_record(null::top_ups, '{"id": "01a22731-8f4b-70b8-99c4-a0c6b3add1fa", "once": null, "actor": "test", "state": "paid", "origin": "code", "failure": null, "provider": "codes", "created_at": "2026-11-29T12:04:49.099723+00:00", "expires_at": null, "posting_id": "d9cfdbf0-bd46-4ccc-8fcb-335e5b7532a5", "updated_at": "2026-11-29T12:04:49.099723+00:00", "checkout_url": null, "fee_nano_usd": 0, "posting_kind": "top_up", "saves_method": false, "tax_nano_usd": 0, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000, "payment_reference": "01a22731-8f3e-7266-b101-f2af4718307b", "checkout_reference": null}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": true, "provider": "stripe", "reference": "re_1", "top_up_id": "01a22731-8ef6-71ee-91e8-55de2ccc21ef", "created_at": "2026-11-29T12:04:49.043516+00:00", "updated_at": "2026-11-29T12:04:49.043516+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 20000000, "payment_reference": "pi_1"}');
insert into payment_reversals overriding system value select * from jsonb_populate_record(null::payment_reversals, '{"kind": "refund", "state": "taken", "counted": false, "provider": "stripe", "reference": "re_2", "top_up_id": null, "created_at": "2026-11-29T12:04:49.056554+00:00", "updated_at": "2026-11-29T12:04:49.056554+00:00", "workspace_id": null, "amount_nano_usd": 20000000, "payment_reference": "pi_other"}');
insert into payment_settings overriding system value select * from jsonb_populate_record(null::payment_settings, '{"version": 1, "provider": "stripe", "auto_stop": null, "auto_enabled": false, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "auto_failures": 0, "auto_failed_at": null, "auto_consent_at": null, "auto_consent_by": null, "auto_noticed_at": null, "auto_stopped_at": null, "customer_reference": "cus_1", "recovery_top_up_id": null, "auto_amount_nano_usd": null, "auto_month_noticed_at": null, "auto_month_max_nano_usd": null, "auto_threshold_nano_usd": null}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22731-8b81-763d-ba64-de5b2af39e5b", "model": null, "ended_at": "2026-11-29T12:04:48.145276+00:00", "started_at": "2026-11-29T12:04:48.12508+00:00", "basis_points": -500, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22731-8b94-703d-b21f-c8ed6f9519d2", "model": null, "ended_at": null, "started_at": "2026-11-29T12:04:48.145276+00:00", "basis_points": -1000, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into price_adjustments overriding system value select * from jsonb_populate_record(null::price_adjustments, '{"id": "01a22731-8bad-762d-aae3-3655f1f7fc35", "model": "sandbox/echo", "ended_at": null, "started_at": "2026-11-29T12:04:48.169445+00:00", "basis_points": 2500, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194143934513153, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T12:04:47.853016+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194143958630402, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T12:04:47.853016+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194143961776131, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "250000000", "output": "2000000000", "audio_input": "250000000", "audio_output": "2000000000", "cached_input": "250000000", "cache_write_1h": "250000000", "cache_write_5m": "250000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": null, "version": 1, "created_at": "2026-11-29T12:04:47.853016+00:00", "retired_at": null, "workspace_id": null, "adjustment_id": null}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144205045765, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143934513153, "version": 2, "created_at": "2026-11-29T12:04:48.12508+00:00", "retired_at": "2026-11-29T12:04:48.145276+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b81-763d-ba64-de5b2af39e5b"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144206094342, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143958630402, "version": 2, "created_at": "2026-11-29T12:04:48.12508+00:00", "retired_at": "2026-11-29T12:04:48.145276+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b81-763d-ba64-de5b2af39e5b"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144206094343, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "237500000", "output": "1900000000", "audio_input": "237500000", "audio_output": "1900000000", "cached_input": "237500000", "cache_write_1h": "237500000", "cache_write_5m": "237500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143961776131, "version": 2, "created_at": "2026-11-29T12:04:48.12508+00:00", "retired_at": "2026-11-29T12:04:48.145276+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b81-763d-ba64-de5b2af39e5b"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144231260168, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143934513153, "version": 3, "created_at": "2026-11-29T12:04:48.145276+00:00", "retired_at": "2026-11-29T12:04:48.169445+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b94-703d-b21f-c8ed6f9519d2"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144231260169, "model": "sandbox/slow", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143958630402, "version": 3, "created_at": "2026-11-29T12:04:48.145276+00:00", "retired_at": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b94-703d-b21f-c8ed6f9519d2"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144231260170, "model": "small-chat", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "225000000", "output": "1800000000", "audio_input": "225000000", "audio_output": "1800000000", "cached_input": "225000000", "cache_write_1h": "225000000", "cache_write_5m": "225000000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143961776131, "version": 3, "created_at": "2026-11-29T12:04:48.145276+00:00", "retired_at": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8b94-703d-b21f-c8ed6f9519d2"}');
insert into price_versions overriding system value select * from jsonb_populate_record(null::price_versions, '{"id": 1883194144256425995, "model": "sandbox/echo", "terms": {"kind": "chat", "media": {"fileTokens": 0, "audioTokens": 0, "imageTokens": 0}, "price": {"rates": {"input": "312500000", "output": "2500000000", "audio_input": "312500000", "audio_output": "2500000000", "cached_input": "312500000", "cache_write_1h": "312500000", "cache_write_5m": "312500000"}, "tiers": []}, "maxOutput": 8192, "contextWindow": 32768}, "list_id": 1883194143934513153, "version": 4, "created_at": "2026-11-29T12:04:48.169445+00:00", "retired_at": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "adjustment_id": "01a22731-8bad-762d-aae3-3655f1f7fc35"}');
insert into quarantined_receipts overriding system value select * from jsonb_populate_record(null::quarantined_receipts, '{"id": 1, "reason": "it was refused", "receipt": "{}", "request_id": "01a22731-8b65-7125-9828-987db5c514fb", "quarantined_at": "2026-11-29T12:04:49.147307+00:00"}');
insert into rate_buckets overriding system value select * from jsonb_populate_record(null::rate_buckets, '{"project_id": "01a22731-8b51-720b-b536-e24d894a707b", "refilled_ms": 0, "token_parts": 6, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "request_parts": 5, "called_back_ms": 0}');
insert into rate_leases overriding system value select * from jsonb_populate_record(null::rate_leases, '{"slots": 0, "taken": 0, "minute": 0, "tokens": 0, "granted": [], "running": 0, "epoch_id": 1883194144457752591, "requests": 2, "sequence": 1, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "taken_before": 0, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883194144586727440, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "019e8838-dcac-7000-8000-000000000001", "settled_at": "2026-11-29T12:04:48.537263+00:00", "admitted_at": "2026-06-02T12:04:48.428+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883194144261668876, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-8c1c-777b-89f8-c49f6868b9ff", "settled_at": "2026-11-29T12:04:48.292653+00:00", "admitted_at": "2026-11-29T12:04:48.197+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": [{"fault": "overloaded", "status": 503, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}, {"fault": null, "status": 200, "provider": "main", "duration_ms": 4, "upstream_model": "mock"}], "epoch_id": 1883194144261668876, "left_out": null, "provider": "main", "streamed": false, "attempt_ms": 4, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-8c52-710f-b0d6-7510fe5de70e", "settled_at": "2026-11-29T12:04:48.342539+00:00", "admitted_at": "2026-11-29T12:04:48.314+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 20000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "mock", "charge_nano_usd": 10000000, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "failed", "session": null, "attempts": null, "epoch_id": 1883194144261668876, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-8c6b-7a11-b9ec-b67f6c7aac34", "settled_at": "2026-11-29T12:04:48.363941+00:00", "admitted_at": "2026-11-29T12:04:48.348+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 0, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": "mine", "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "embeddings", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883194144457752591, "left_out": null, "provider": "local", "streamed": true, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-8c8b-75ad-87eb-2c22e0fac7af", "settled_at": "2026-11-29T12:04:48.397226+00:00", "admitted_at": "2026-11-29T12:04:48.377+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 50000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": 3, "upstream_model": "qwen3", "charge_nano_usd": 20000001, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": {"request": 1, "web_search": 3}, "model": "small-chat", "retry": true, "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "responses", "outcome": "completed", "session": "a \"session\", {of} ours", "attempts": null, "epoch_id": 1883194144457752591, "left_out": ["web_search", "tool {odd}", "NULL"], "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-8c98-7e5a-a168-77467468f218", "settled_at": "2026-11-29T12:04:48.411805+00:00", "admitted_at": "2026-11-29T12:04:48.399+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194144349749262, "service_tier": "a \"session\", {of} ours", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 10000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 10000000, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": "a \"session\", {of} ours", "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-9240-7592-8d95-4e43497fe049", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883194146051588116, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "request_id": "01a22731-927e-72c4-b2e5-bbbe5c0177ee", "settled_at": "2026-11-29T12:04:49.918641+00:00", "admitted_at": "2026-11-29T12:04:49.898+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194146065219605, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883194144071876612, "member_purse_id": 1883194146040053779, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194144327729165, "session_purse_id": null, "client_request_id": null, "end_user_purse_id": null, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into receipts overriding system value select * from jsonb_populate_record(null::receipts, '{"late": false, "uses": null, "model": "small-chat", "retry": null, "key_id": "01a22731-92dc-7000-9f00-1f7316e82b56", "dialect": "chat_completions", "outcome": "completed", "session": null, "attempts": null, "epoch_id": 1883194146196291607, "left_out": null, "provider": "local", "streamed": false, "attempt_ms": 10, "project_id": "01a22731-92d2-779a-bc52-33a2ce098dad", "request_id": "01a22731-9315-75b4-9d21-8e6fbabb5c08", "settled_at": "2026-11-29T12:04:50.069633+00:00", "admitted_at": "2026-11-29T12:04:50.035+00:00", "duration_ms": 12, "input_tokens": 7, "key_purse_id": 1883194146207825945, "service_tier": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "fees_nano_usd": 0, "hold_nano_usd": 30000000, "output_tokens": 11, "superseded_by": null, "first_event_ms": null, "upstream_model": "qwen3", "charge_nano_usd": 20000000, "credit_purse_id": 1883194144071876612, "member_purse_id": null, "requested_model": null, "usage_certainty": "exact", "price_version_id": 1, "project_purse_id": 1883194146203631640, "session_purse_id": 1883194146228797467, "client_request_id": null, "end_user_purse_id": 1883194146216214554, "audio_input_tokens": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "shortened_to_tokens": null, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x040db159faf463f19ff3ee335ab99df6439777f24ba3bdcc92b002096daca59d"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x05e15a3c6636eb0b247d2fae4f76becbd4880e4bce6c1529a62b2604ea33916b"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x0761baef38eab63c8eb7b4dd5859dc38396c25bcf4b3aa4f56a4602d8a35d2ca"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x0b7e753e4ba6eb59ee1b905b75ce4cb7cfefe628e896b5b6d38df565b7c92616"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x8d542ee0cc983c177892a174ba07831da51b3320050009728a204027dc0bc390"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\x9e5ecc0206dca363dac8c04f82e038fe0eef044417ecf28c1bc6187fcfea02e5"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\xa5f3c57bc563cd72b037a9293c7ac3f150ee31d7a7a3883ce3867a1efac12bac"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\xa600dc4e9ad920a5757f78a267673754b48f28a6224a44f6cc5c0d841792fb20"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\xc7d8368fb172d5663b0becc9d8630eddda6c229af1a0df7c3cb6ade59f83ddc7"}');
insert into recovery_codes overriding system value select * from jsonb_populate_record(null::recovery_codes, '{"used_at": null, "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "code_sha256": "\\xcd215b76bdcb62bdc43c1ebe77b3c9d29d404b820a9bc47a87b229191332869f"}');
insert into recurring_grants overriding system value select * from jsonb_populate_record(null::recurring_grants, '{"id": "01a22731-8eac-76c5-be34-8aa7296236dd", "actor": "test", "period": "month", "reason": "a \"reason\", with Ünïcode", "next_at": "2026-12-01T00:00:00+00:00", "ended_at": null, "created_at": "2026-11-29T12:04:48.939759+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "amount_nano_usd": 10000000, "expires_after_days": null, "expires_with_period": true}');
insert into redemption_batches overriding system value select * from jsonb_populate_record(null::redemption_batches, '{"id": "01a22731-8f3c-7236-b414-e8dbaa5e0c83", "once": null, "actor": "test", "count": 2, "reason": "sold", "created_at": "2026-11-29T12:04:49.085765+00:00", "expires_at": "2026-11-30T12:04:49.084+00:00", "posting_kind": "top_up", "amount_nano_usd": 10000000}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a22731-8f3e-7266-b101-f2af4718307b", "batch_id": "01a22731-8f3c-7236-b414-e8dbaa5e0c83", "last_four": "ZETH", "top_up_id": "01a22731-8f4b-70b8-99c4-a0c6b3add1fa", "code_sha256": "\\xa85cd58cf0c1e30a98dd1457eef01fcd1c682a94901a3e49bbe7fd18653314f3", "redeemed_at": "2026-11-29T12:04:49.099723+00:00", "redeemed_by": "test", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into redemption_codes overriding system value select * from jsonb_populate_record(null::redemption_codes, '{"id": "01a22731-8f3e-7266-b102-1a349b43e647", "batch_id": "01a22731-8f3c-7236-b414-e8dbaa5e0c83", "last_four": "9827", "top_up_id": null, "code_sha256": "\\x26b4edfe783a2dff99394607973bddcc89ac7544f3a1e24c402622366d00dba1", "redeemed_at": null, "redeemed_by": null, "workspace_id": null}');
insert into refusals overriding system value select * from jsonb_populate_record(null::refusals, '{"code": "MODEL_NOT_FOUND", "rate": null, "model": "none", "param": "model", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "status": 404, "endpoint": "chat_completions", "shortage": null, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "refused_at": "2026-11-29T12:04:49.188+00:00", "request_id": "01a22731-8fa4-7268-9062-4b1dca03ea7a", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "retry_after_ms": null}');
insert into route_hours overriding system value select * from jsonb_populate_record(null::route_hours, '{"hour": "2026-11-29T12:00:00+00:00", "fault": {"kind": "failed", "status": 500, "request_id": "13a7d70f-7455-494d-9a79-f731d4654b83"}, "model": "small-chat", "whole": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "faults": {"failed": 1}, "answered": 2, "fault_at": "2026-11-29T12:04:49.205+00:00", "provider": "local", "rejected": 0, "abandoned": 0, "answered_at": "2026-11-29T12:04:49.205+00:00", "first_event": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "upstream_model": "qwen3"}');
insert into scheduled_work overriding system value select * from jsonb_populate_record(null::scheduled_work, '{"name": "backup", "holder": null, "outcome": {"file": "/backups/one", "bytes": 1, "verified": true}, "problem": null, "done_turn": "2026-11-28T12:04:50.47+00:00", "failed_at": null, "held_until": "2026-11-29T12:06:50.470207+00:00", "succeeded_at": "2026-11-29T12:04:50.474202+00:00"}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22731-8fce-761b-9563-f91d29e4c5db", "address": "192.0.2.1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "created_at": "2026-11-29T12:04:49.224109+00:00", "expires_at": "2026-12-29T12:04:49.224109+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T12:04:49.224109+00:00", "token_sha256": "\\xc85e9c8d203092c92d1cfae1a7cec175907038f6b5938ba58c76685a97793771", "authenticated_at": "2026-11-29T12:04:49.224109+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22731-9032-7282-b2c1-11df8949525e", "address": "192.0.2.1", "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f", "created_at": "2026-11-29T12:04:49.327394+00:00", "expires_at": "2026-12-29T12:04:49.327394+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T12:04:49.327394+00:00", "token_sha256": "\\x8275ecf5c1b8e0f1d72b555c242d22c5ea7b849c534797a6764f694ef79f628b", "authenticated_at": "2026-11-29T12:04:49.327394+00:00", "second_factor_at": null, "provider_workspace_id": null}');
insert into sessions overriding system value select * from jsonb_populate_record(null::sessions, '{"id": "01a22731-90be-7571-9e6d-ecc5eb3b139d", "address": "192.0.2.1", "user_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "created_at": "2026-11-29T12:04:49.445585+00:00", "expires_at": "2026-12-29T12:04:49.445585+00:00", "user_agent": "a browser", "is_recovery": false, "last_seen_at": "2026-11-29T12:04:49.445585+00:00", "token_sha256": "\\xc6178772711e8b9b2f071daa641052ba13f64a92242718a46d16c96e1bd9bfde", "authenticated_at": "2026-11-29T12:04:49.445585+00:00", "second_factor_at": null, "provider_workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T12:04:49.224109+00:00", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T12:04:49.327394+00:00", "user_id": "01a22731-902f-76a8-bca5-87f2b77a9e8f"}');
insert into sign_in_networks overriding system value select * from jsonb_populate_record(null::sign_in_networks, '{"network": "192.0.2.1", "used_at": "2026-11-29T12:04:49.445585+00:00", "user_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b"}');
insert into sink_progress overriding system value select * from jsonb_populate_record(null::sink_progress, '{"sink": "archive", "fault": null, "holder": "60487536-8812-4011-b736-13a5637169e8", "server": 7713563171222427877, "delivered": "888:888:", "held_until": "2026-11-29T12:09:49.821205+00:00", "failing_since": null}');
insert into stored_response_bytes overriding system value select * from jsonb_populate_record(null::stored_response_bytes, '{"bytes": 448, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x010127cf9de640468cbab57ed8cc0ed846c064b4eaba420c624baca0892e75dd39a3e90487254ec902d124e32fbda47eef8c3ca03e1a1098cff0b6bbf8f17c77b1c1b0bc0c7f5eec77c609010127cf9de640468cbab57ed8cc0ed8468498f3313ba77710f9216510e08f569b2189248fa533bf86957dcf9733852282fed1ec15e546f35b9e4b454f9a35eb235a2ccaf0e5f2ef4eea7b17b26cd9a95bc81086362fe99343", "response": "\\x010127cf9de640468cbab57ed8cc0ed846fc9aaaf660f9bd12a7ebb9277fc3876b1c5bc95e29be050e473872307fdd5f941e160ecd461c6f09e0cece", "encrypted": true, "expires_at": "2026-11-30T15:04:49.186592+00:00", "request_id": "01a22731-8f81-72cb-82a0-f47e75936251", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "previous_request_id": null}');
insert into stored_responses overriding system value select * from jsonb_populate_record(null::stored_responses, '{"items": "\\x010127cf9de640468cbab57ed8cc0ed8462bc5c1a44079a13b358cd96275a77a133bf848c018bb0e994f66227dffcf4f4a0dfa9ee777d57c2b395cd9e0a74185c11e8e221fa00220e13efa010127cf9de640468cbab57ed8cc0ed8463360040d768920831ac8300c7792dcd5a970b879d13b98b09868543c43f2f9d4e473e97385069c9fcba14c53f5139936b75a9830b69220d24d07832a0f6f22ea959403a24d9bfc5f", "response": "\\x010127cf9de640468cbab57ed8cc0ed84624d01c29f5c0228c0a25c0bb273418247c73fc715627edea531f723e3fcde9c2ec7f6024fa971b5e9f8591", "encrypted": true, "expires_at": "2026-11-30T12:04:49.186592+00:00", "request_id": "01a22731-8fa1-7794-ad48-5c48ebad14de", "response_id": "resp_1", "input_length": 75, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "previous_request_id": "01a22731-8f81-72cb-82a0-f47e75936251"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a22731-8f81-72cb-82a0-f47e75936251", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into stored_response_items overriding system value select * from jsonb_populate_record(null::stored_response_items, '{"length": 44, "item_id": "msg_1", "starts_at": 0, "request_id": "01a22731-8fa1-7794-ad48-5c48ebad14de", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into unrecorded_refusals overriding system value select * from jsonb_populate_record(null::unrecorded_refusals, '{"hour": "2026-11-29T12:00:00+00:00", "requests": 3, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2944, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T12:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T12:00:00+00:00", "duration_1": 2, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "duration_10": 0, "input_tokens": 14, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 22, "first_event_10": 0, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "first_event_1": 1, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_hours overriding system value select * from jsonb_populate_record(null::usage_hours, '{"week": 2969, "model": "small-chat", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "duration_1": 1, "duration_2": 0, "duration_3": 0, "duration_4": 0, "duration_5": 0, "duration_6": 0, "duration_7": 0, "duration_8": 0, "duration_9": 0, "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "duration_10": 0, "input_tokens": 7, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 0, "first_event_1": 0, "first_event_2": 0, "first_event_3": 0, "first_event_4": 0, "first_event_5": 0, "first_event_6": 0, "first_event_7": 0, "first_event_8": 0, "first_event_9": 0, "output_tokens": 11, "first_event_10": 0, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2944, "model": "small-chat", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "completed", "requests": 1, "starts_at": "2026-06-02T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "input_tokens": 7, "last_used_at": "2026-06-02T12:04:48.428+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "completed", "requests": 2, "starts_at": "2026-11-29T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "input_tokens": 14, "last_used_at": "2026-11-29T12:04:48.314+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "output_tokens": 22, "charge_nano_usd": 20000000, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "chat_completions", "outcome": "failed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "input_tokens": 7, "last_used_at": "2026-11-29T12:04:48.348+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 0, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "embeddings", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "input_tokens": 7, "last_used_at": "2026-11-29T12:04:48.377+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 23750, "output_tokens": 11, "charge_nano_usd": 20000001, "costed_requests": 1, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_key_hours overriding system value select * from jsonb_populate_record(null::usage_key_hours, '{"week": 2969, "model": "small-chat", "key_id": "01a22731-8b65-7125-9828-987db5c514fb", "dialect": "responses", "outcome": "completed", "requests": 1, "starts_at": "2026-11-29T12:00:00+00:00", "project_id": "01a22731-8b51-720b-b536-e24d894a707b", "input_tokens": 7, "last_used_at": "2026-11-29T12:04:48.399+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "cost_nano_usd": 0, "output_tokens": 11, "charge_nano_usd": 10000000, "costed_requests": 0, "audio_input_tokens": 0, "corrected_nano_usd": 0, "write_off_nano_usd": 0, "audio_output_tokens": 0, "cached_input_tokens": 0, "cache_write_1h_tokens": 0, "cache_write_5m_tokens": 0}');
insert into usage_keys overriding system value select * from jsonb_populate_record(null::usage_keys, '{"key_id": "01a22731-8b65-7125-9828-987db5c514fb", "last_used_at": "2026-11-29T12:04:48.399+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.company.example", "subject": "2", "user_id": "01a22731-90ab-73f2-bfcc-3cb6fc4c751b", "created_at": "2026-11-29T12:04:49.445585+00:00"}');
insert into user_identities overriding system value select * from jsonb_populate_record(null::user_identities, '{"issuer": "https://login.example", "subject": "1", "user_id": "01a22731-8fc9-7357-aefb-5cbb9444dccc", "created_at": "2026-11-29T12:04:49.278566+00:00"}');
insert into webhook_endpoints overriding system value select * from jsonb_populate_record(null::webhook_endpoints, '{"id": "01a22731-913f-723e-a06d-71161b2fcf23", "url": "https://hooks.example/", "secret": null, "enabled": true, "version": 2, "created_at": "2026-11-29T12:04:49.604912+00:00", "description": "ours", "former_until": "2026-11-30T12:04:49.612389+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "former_secret": null, "encrypted_secret": "\\x010127cf9de640468cbab57ed8cc0ed846dc4b507013044dab7834bfba5cb8cccc259815d0d9feaabda53481ba1049b2a2fbb224dcdc5acc5d8b0204554cf3cb239e037e92ba99970a3d3c8cfb1fdf9455824ebf53555d387d90f1238913bccd1f", "encrypted_former_secret": "\\x010127cf9de640468cbab57ed8cc0ed846e47cb5a3fed0d03ca9773fee7ad390e38102556b3e86e3be2a7328376be1cdfe071c839c6b0b6d973daff187a0bb5d5bb863c62ab7e6706b0a75218158e7c84d33bd62c7c19b099bbdd5767b67bd6200"}');
insert into workspace_access overriding system value select * from jsonb_populate_record(null::workspace_access, '{"issuer": "https://login.company.example", "version": 1, "client_id": "faregate", "group_roles": {"engineers": "developer"}, "only_openid": false, "default_role": "none", "groups_claim": null, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "second_factor": false, "allowed_networks": ["0.0.0.0/0", "::/0"], "trusts_addresses": false, "ends_leavers_keys": true, "encrypted_client_secret": "\\x010127cf9de640468cbab57ed8cc0ed846d289e2c5a480c110b05ebd78149bc151aad2f5d3075f26310300243a205c9095784c6c7180d4bb1232c80a"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "b1d0f58e31eb2972c3b5f0a68d3a4b838bcd6799", "domain": "company.example", "proven_at": "2026-11-29T12:04:49.437361+00:00", "proven_by": "operator", "created_at": "2026-11-29T12:04:49.429049+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into workspace_domains overriding system value select * from jsonb_populate_record(null::workspace_domains, '{"token": "f081bef0f69896c88e4dd2232f74b482a5e21b5a", "domain": "unproven.example", "proven_at": null, "proven_by": null, "created_at": "2026-11-29T12:04:49.42266+00:00", "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f"}');
insert into workspace_sinks overriding system value select * from jsonb_populate_record(null::workspace_sinks, '{"sink": "archive", "redact": ["keys"], "records": ["content", "receipts"], "version": 1, "changed_at": "2026-11-29T12:04:49.803763+00:00", "last_lost_at": "2026-11-29T12:04:49.816432+00:00", "lost_records": 2, "workspace_id": "01a22731-8b04-7223-ab8c-6c46b574831f", "receipts_from": "886:886:", "audit_position": 28, "sample_percent": 10}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_migrations overriding system value select * from jsonb_populate_record(null::schema_migrations, '{"name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_budget", "sha256": "38e85a64e9049fafa1bb9b8979db9615a6d046a879406654ba966605185334a1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "apply_payment_fact", "sha256": "96ec5683385db5ce993ac8b597509d6d167209167f122071c7a53e6a06c87cab", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "closed_payments", "sha256": "04f3918c0b0930cebc7ab6e86e4f16d5f9dcd76f80305738fcd63f0222602038", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_leases", "sha256": "4c27a5be72ef012f676aaca292a633e1a2492badad83492f6a14f2e0a02f2073", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_look_up_keys", "sha256": "ab777707a8f0872e53da6c287e6a41a2362c30a5d61f7cdffcad9e7d8fa12e2e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_receipt", "sha256": "1f6daeff86f8e897a7e9132ad83507b79e67fa87d8e28886cd86ef6b8cbfb1cc", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw", "sha256": "44cd8a9aa796d98d2af5042345d30de29f50ee6f0540407b313970b6acd2cb9d", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_leases", "sha256": "2a292d8e4cfd3815dabe762e48eeeeb04fecebb6361b1ca65066fee1b794616a", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_principals", "sha256": "76626cd424090d0a66037eaef5957d370b1aded8bbbc2ecfdf7c2521902bb3c5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_purses", "sha256": "c794041895c577dd9ec6a61fb6ca1c30daeb5710e1462408443b2943d5f26868", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_purses", "sha256": "a622cedc0de38acb3a859d3a5df11194b66ca166b61f639e1852bd5c6f5f6bde", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "limit_member_keys", "sha256": "2130113a91817800949e314e5eaf538adeadf510a77adcc899d58590461894d3", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "look_up_keys", "sha256": "e566aab90728df3c5eb7dc6eadaf68c10401e712043a36147cd84242b2f2633f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "match_payment", "sha256": "fb56c909e6a7f3cd7cedbd6fedc34338ad63164bf1dbfbd3eecdf9f5e497d557", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "move_top_up", "sha256": "17ecf38736f61703ca4de95a5ee5a4064609fb08d173ed0b66afd3c3e80c8751", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "next_cost_time", "sha256": "b4cc9da4e7773457e26a5ac47b7073c566613849a0ce5b83df71703ca5e06a4e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "open_purses", "sha256": "9076e37933be03735a8e54684c939cbec0a17ce5790a3aff42ec0e5ca022c4c6", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_credit", "sha256": "7995d67c523cac9ad6fe2d379d465bef835550fca8367995f3815e92a8d5b2bb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "post_reversals", "sha256": "bc48253b1995e2a92ef217327c228370a51aa825e135e51f65a2f7cb5b9d19c9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipt_cost", "sha256": "5b6458bfdc18f8a53d198d648def8f0b7ec54e40374b0c740ed884bbcc1084e5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_late_receipts", "sha256": "4e8992a82fbedfcbaf5f633cb008b627da2f1fc521e3178ec65511cc4b7cfff4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts", "sha256": "a884f4077af6c1bdd7fd422ff503ebf895d515537c029a11b455aba02ff9231f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "settle_receipts_again", "sha256": "b054f2eff8fe74895198600e9dd3fd77cc54078db57ca59238fb3f72eae862be", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_key", "sha256": "456f58b8a0be4ec3253d982015cb135b40153d6bd4a5417dd57e62b4070f9af2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "update_project", "sha256": "8d9600123c39f7c2dad8ad46c85b0518b0223255a42bc05f08d8c99c072157c9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_functions overriding system value select * from jsonb_populate_record(null::schema_functions, '{"name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_budget", "sha256": "1acad0a65dfa033553ab07afc35bac9492ec62eec6ff7c20f5d0f44c8ffa274f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "apply_payment_fact", "sha256": "752dd7720cf35e71481aa8447165d727f280761b68afb0f28ebf2e573c0e5b92", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "audit_event_digest", "sha256": "e1ee5158f324be8deef5fbdd8c1c26e10b7650a7242bf6f2e359aca9eff3fbef", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "begin_auto_top_up", "sha256": "2fd5b3d8d58ae61b9b998d0d673389eb3fe3faf009e3784aedddce4fb0f43e76", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "bound_transaction", "sha256": "8f46049bfb4fa8b5feb0888f673405ca21315e00288e9a383c7be7c007ac45d5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_for_late_receipt", "sha256": "d7e5423fd69cab785cd3ca405e30748b75c4ff7703498d85c5963439cfd54acb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "claim_idempotency_key", "sha256": "24e16c30eb4d0f59ea13e78a78fc6da93db290e441b755df821585ba97556c52", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_credit", "sha256": "9d1826aca7f5150b31f766acf211199d3b4e6e90c6dbc1cc85b20d6df4e2736f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "closed_payments", "sha256": "7f3bcede09c8efecde9a35c4b191306f8568dd29f451305538e33c37d04771e1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_leases", "sha256": "84af03335e4285dcc2409f5b1c93d733eceb20aec976c0e99d4424b1d67d721e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_draw_permits", "sha256": "fd86daa8182807731e3bfdc9719d16df8377d377486cda1fbeb6a50e4b182f96", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_look_up_keys", "sha256": "dd28780a214fedaa74402f3ac90c58b2d217c5f2dcd506c78575e1d764cb3a35", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_reap_epoch", "sha256": "9be3fb79ce3391afae14142b1780ab016b362cc4f3904310f9f6f8ad23efdee2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_release_leases", "sha256": "fd88128e37f6a8b33a06da63879e5857b5648111119175cbbc64ae80a8a94293", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_late_receipts", "sha256": "64d3cf3db4ab8e4891be890d61052b2a75c411ab55a24d8d95c9b559f19c92d4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "commit_settle_receipts", "sha256": "51d9c975be827da1e5ed2ab1ae317a28842b420ad1ff8d478344a5714de7e005", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_held_claims", "sha256": "60618d5de0152765796086d39430f9aefd8255d4c0e5f6ad332574d7c5250152", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "complete_idempotent_requests", "sha256": "105b1c267bf38dc387aa2e06c7f619da88bef1aced99633f962e5fe969422821", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_receipt", "sha256": "d1363fd84e194c39cbf733212176229e0f77ebb42b77441b3ac0b2f628f69ca9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "correct_usage", "sha256": "0ccc82b3dab895c502b37ef9cc9c07b719f7f14d446b83491cf8a54948b3a51a", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_grants", "sha256": "ee38f91365fc02aa9047fe94a9436d4db316a4d8b332c15a94d0723530338f44", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "count_version", "sha256": "0cd97a1377dff2da527066a990e103216cf03ebd0b9ed9d85588b3155276c334", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "delete_response", "sha256": "3e6a631f5c142623c7879f72a35e305b623313e22152a55ed2929dae10d741ca", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw", "sha256": "d69c9d9483280e14519e017010c1fd094a3ea80fa599ec452d274930c28074aa", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_leases", "sha256": "109324e4f727071bb32af50eaf0ff5103fb3eb7518e34ee2239683ea85f3653c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "draw_permits", "sha256": "69f689cf40165148dbe75adaabd6eddf8a88b899c5ee6eabe564f1020134fa17", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "end_statements_of", "sha256": "a576c6eb79b972f8b49644ae38b10f53cca57ccff2cee1d13767444b8dc748c8", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "expire_grant", "sha256": "5a3a16e579f1496639758409f4f0cc6b94e113731f9eb21224c84ca5ec2f6c9a", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fence_epoch", "sha256": "85c2ce59c6cb47060f86bc1260f22ac15f213cbf36f6aa0c2d8f01d6ac1eefe2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_principals", "sha256": "f23c455f89d233a0433ff7a6edf44b9a4c388eead5db762565ec3fbf3c1dd5a8", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_purses", "sha256": "753b0548dad6c4777a544fb407ab3395c0a124dc3b2cf32ea15e6ea86683be8c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_chain", "sha256": "47ce7f6b7c89a0d2c888e06a921f315418e7c267438262eef1f70a4f608e8a56", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "find_response_items", "sha256": "b649d6351268dd847f983d905c14a79b264b4b23cab1f83baad9d10ef47b2082", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "fresh_id", "sha256": "07918f79e7624cd0852a20b96d076f312d48c0222150c7f7ab18b60ee3ea38b5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_leases", "sha256": "8cfe5fb4ce1fa443554ae1e7c0417b33701e68b3421f2b2c03ecaaae88e57662", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "give_back_to_grants", "sha256": "a73db84e3e307acb41b742a51a0dad63eb36b793c233b2451af6084512d334af", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_audit_event", "sha256": "c7c58ffd398d3833f326b469020fa71a065ddb18eb9f0a4138e39598a2a3e13e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_posting", "sha256": "ea707fce4065a393600a41af195c764ebcc248a07e6dd2c4e01399f70b4aec0d", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "keep_responses", "sha256": "2668bc2ab74e6e8dc074b7598a2c0e9eb6017de60f6899ec905c2de32fdb9cb1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_purses", "sha256": "faf8a4faa63f65ed7c630e4b1893cac213170a28bb10d37eb27b375ed0cbdab6", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_receipts", "sha256": "c9b5c8a62eadf3d4032f0c7274397412606e92387050a5d1de13b4b671888029", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "late_served", "sha256": "211a8813aad776b723725efe1b73be6092eebeb4e2b31286de5bc46bc655623f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_is_append_only", "sha256": "090c24317091f9cf93dfdae319b3cc3f7f026f6bf87c2436ae588781e30481b6", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "ledger_posting_balances", "sha256": "975f345bd4783e6428276e27ab05f11817e8be8db0760ceda0bc6be69cd943ea", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_member_keys", "sha256": "e39bd7fcefb37370518341035d9cb202a5cdc3e1c2145802cdd36198620bf88f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "limit_now", "sha256": "b8e123d269ad460e054e4209fafe8a3124987f6c3edad1f3f4390e173b5c8f96", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "link_audit_event", "sha256": "42ee2f1b06d21a55e1c9e950198638b21fdeb8052de69170e4329eb0672c1a68", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "live_grants", "sha256": "c31aea9ae4e2391947a1b1abcb6166f2c6bd0c57e7b44516477c00718d095591", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_claims", "sha256": "f19dabc05cdd0c8ad7773483df8516d05c5efaed7a05eb4b189da46751dd380b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_number", "sha256": "8f118c84340247f8f43159e7f4549e45602c077f4541be6f95349fa177c83b2f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "lock_purses", "sha256": "63ed4c0c6d06c298fd07fb3a543aa7d23de08964744daf1f52165e9bdb9a2afe", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "look_up_keys", "sha256": "58bc03b169ad83e50aaec0643d05a3dca18d6a076a29e148c55b1dcbee228e09", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "match_payment", "sha256": "191e2a2c52b389b1eb874f0d41cf6b1a893a50ab77a2ecd7bff3d6941d250c63", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "move_top_up", "sha256": "b0cd1c8f386ab38f7de61f3afd1538f53502b25a904a8aa22ed4ffffa599b1ff", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_cost_time", "sha256": "0857d106c70f3033084455dfbe6a333fa4ed4c431c921a6032c0e8b4e9e5d303", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "next_expiries", "sha256": "fcbb13c423a551d5265adb790b1e0361f50e5fc46d92d99cfde257321b36ff6e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "open_purses", "sha256": "d50a11d8c93797f15ab1bc16b6af1e7ac161e299d523c0bb9bf971cbd04233df", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_parts", "sha256": "01c07276dae5dac744f6f29c8194cd52bd5d51431368e7adf93a3679455bf718", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_stock", "sha256": "4488f04e449b5b3ddaf3120a5160b9c9e918d6e686175383918a9e741f067eab", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permit_wait_ms", "sha256": "54861cfa8f7d027695efe63c13f150904fa6d8204330a2e564d3dfe99837b12f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "permits_taken", "sha256": "37df2526b8efba2913c66cc9cbbd9fd383dbe38c137d5f4f3ab5da7bd6dda152", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_credit", "sha256": "8718ae3be9a09cc9077320262d065e1987cc420449f81c08811234449ac9c339", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_recurring_grant", "sha256": "db17d11c0b34e7de1041064fd554188c583f3f83dbf3158dacebf4dcff14d429", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "post_reversals", "sha256": "da6ac66fbafab9a98c1a59551f3144ba2c114639d482568211b4f7f31d72e4a8", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "prune_responses", "sha256": "2289ac589a1b195d9445f204d11bbf232f22cb65859e3428f9b5c54d67235275", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "read_response", "sha256": "adeda8bfc2cd11e1ba602b35b9fc65bd23fbc2532a3fd601b6af3857227cad83", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "reap_epoch", "sha256": "36172ba5b8359a0f7dab7ae749776f6abbb25b5d27066d7ca214dd41069eeee0", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipt_cost", "sha256": "a58b951168c31077902d7b68c2564e5504fa9d2632ee4c90a42328a83af707c1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "receipts_are_sealed", "sha256": "02ae37fa205a791f5b4150af20e4b223239072170e625ad092480d7f96f7b64c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "record_reversal", "sha256": "d3b4492cd1b4c9047783e9b2cd26a4a3bd7742cf5858802b655947dd96965a57", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "redeem_code", "sha256": "e61c872db1f4dd0e2bd45f29cf69ac6d4cf988831fa0e87b9a94e537e6e57509", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closed", "sha256": "fe630a72e039e052c92ca6e42a8282b08c768709c8a47eea57ae9effa02d5f52", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "refund_closing", "sha256": "00109c0720c80bb31dd2d52231ce16cdf166114984ec9128c294e779889ec6f5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_idempotency_key", "sha256": "e56a4602e4c3c9b57aff7cbf69cf2b9122c0d4d918e75b50bfbf21292fe1b5ba", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "release_leases", "sha256": "8c3d124bd45a44850976e84f114000a5ed2b41d4deee8bf77a594ffc5f7371b4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "renew_limits", "sha256": "5f0eb78f0f1c3881ac8d48a6654d531543930b490d6b7076c278aef24ee8c213", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "require_live_epoch", "sha256": "3e5da93147671fa3f440e4f056252eab78b6fcba7219ba84471c212050703413", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "returned_credit", "sha256": "c1f9136461e5ae9c2b27c3f01163c9db9505cd66503e04bafa4fc7e548dcd0dc", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "served_limit", "sha256": "e059864680291c69fe0b1e329860b65b515d857056a815d76d82c67fd4a36d8e", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "set_member_limit", "sha256": "45439700faea49f59ccfa6d76baf493e02a1629597486b8af2e25e39ebf423d3", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_late_receipts", "sha256": "c965502cc355518f5a7b205d63f5b4506def21bd4ec4632c3518018dd99d49d2", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts", "sha256": "2f24868422840406282c50ea6985627e933c6ebc16867976579d35bb579720ec", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "settle_receipts_again", "sha256": "63ac70acc22c08f81f0ec74ab5cd98a565aad04f78d7671ea0d35c141cf71b4f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "share_posting", "sha256": "b5968eda44df69cdb6b96710a6e63e0b79b9adecef64f41a5b46d92eb13ae5bb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_free_answer", "sha256": "d0fc54a4234993d238997ae0dedc1dcf359f736c4d6b3c23deafbea663a114db", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "take_from_grants", "sha256": "a0d836bfe4608df68837acaf9ff9b53206b7abfd6079f2231389aeb2c9e55c26", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_key", "sha256": "bdb5b02333dc404beeabf10a4dbee1c5b708c29d3248b8ab6be1629dfc9a755f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "update_project", "sha256": "52fdce09ac84bc85e37eeae6733a478f7285d8754fcb29db5dcd105540dba260", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "function", "name": "wait_briefly", "sha256": "222abab4027de312fcb28d7e7057d294e6099ec3d7ab10e3fd1e6c5eef934511", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0001_baseline", "sha256": "ebb659db4c12027da2ea3b5b70af0970e6dfd4c46ac4edb12d7b31bf8de53788", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0002_receipts_name_their_transaction", "sha256": "d89660b1112dceabefd3d835a0d2a86e825640738aad3236387ded5bc5c3fe65", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0003_audit_events", "sha256": "2d6de6c1ecf24deaf1b15d38f9d1805dbf2602fd6d8221a5b23a64aaefcd8de9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0004_receipts_name_their_route", "sha256": "647a98b35b43368fe220ad736d91af073fe33c3d9b63267ef2d55aa2654d064c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0005_alerts", "sha256": "4687662bea793a337483b4a659498c0debb0abd9ca38d7203159790a7a3272cf", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0006_identity", "sha256": "3aab94dd61f9f0fbd5f3127e63a8713558da21e16e8477d1b698befda74a17b1", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0007_payments", "sha256": "0f4bc319c797e84bdd869c6456f439429d9627eecbc7508377545df3a2ae40e4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0008_usage", "sha256": "f096f3615f57b9b6ca1a3e256f2491d5b6ea045f7fe4d5b29726db31161a9a8d", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0009_resource_lives", "sha256": "720823a00cc8c54ac661c5f590be3b61a6f9077961e842fe805a12d82478b47f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0010_workspace_prices", "sha256": "4f16867aac15717f2353557be32c31680888715a035081df8899c7fc8942305c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0011_stopped_top_ups", "sha256": "a0288135fb604a9e843fd206d64e85142484f74475e9bfcb56fb3c0a5ca6aae4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0012_refusals", "sha256": "4e45136f989938863c15b2ad5d6094131b1162a539791064e246f0bf3307b57b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0013_last_uses", "sha256": "4d0dcf3a705cce5c129838c24c12569420fbc27a4bd732f9d4fa9292182872e0", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0014_provider_costs", "sha256": "5d0d9a4f1c73e5f99df821c1c5ddb50b22ddf1dc330b9dafca692710fdc9a8b5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0015_console_keys", "sha256": "dafb5035af02c9e1ea243ae3afa0a3a7176ae8938e91cd6255d286ca3bbff749", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0016_usage_by_member", "sha256": "338f3ce2e3765d2a443389635bbf9cf88f48c4e2f1bc8db44650406aef1e1b3f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0017_receipts_have_extras", "sha256": "f8912e4a25f8bf604e0fe52a7b1f40c6242b9240aa929457ee885ce9db3b9142", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0018_stored_responses", "sha256": "089a16ba83117860f47db3e163ec2da917e4054baf0fa27cf2017494a1613498", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0019_stored_response_bytes", "sha256": "00e42557b020fd1e8b061977f60c86c094ff7a7eae42068a96f09055b8cd9e78", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0020_fees", "sha256": "60f348b631539ea4e196995c93e66ce37d67570915d0b1ce486408af7f64afcb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0021_links_name_their_makers", "sha256": "f5d2b319d1e10f03ecf63dd0979cfac80f822146dfe677c20b36801db4eb7a91", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0022_encrypted_secrets", "sha256": "7268d4770c89485bcc0349269ea76072fe8e514cef89338b5529ca36a66cc838", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0023_sign_in_networks", "sha256": "6c338250b62c39fa2efaf31be534c45f0137aacb5c6cfa984db3b5499c91038c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0024_tokens_for_backups", "sha256": "e109c654df97b2d75a88746e6addeb1de611687704a23f1bae4e8d25fbf0c34f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0025_member_keys_are_bounded", "sha256": "11399c572511730e5020fa14975652ba923f075c32f8148cdde39f55fcab45f3", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0026_projects_report_costs", "sha256": "e90c21368f1e811534b28c0a37b41fcde0c57c7f7245da6b645a5f92a33609f5", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0027_encrypted_responses", "sha256": "710a774743c244631da09e74b7c9c2bd8f9185a9f91fa4a7e373dc99fd113b8f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0028_leases_in_use", "sha256": "6fc8c255cb726234369265c8c8aaf7834e8f7726dd4d3460ebb9d369c13d667c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0029_audit_chains", "sha256": "4ffd1e8c25941754f5be0e97b93013ea469179f4c683c8d621f30e8c4c3f4803", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0030_workspace_access", "sha256": "42da6b588046e42a04a5ca1faada4d50738a09ee76808c5adf8ebc734aad4663", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0031_directories", "sha256": "9ddb5cb2e5bf4c647d8b208fcb04b9b0fa5cf429f3bd9581633601228355d4b4", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0032_sinks", "sha256": "fbf9d7983c467e655282bc20a0bc83a23f222dbfa0b1178d0917bf85b7c31ea9", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0033_retention", "sha256": "09db4c608d13efd70a72104cb189979e615c1cffaa4b6a1d5973a88f0241acee", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0034_passkeys", "sha256": "a114600eb3b68f0cea286f9b6216ceda77a4faf85eddac94a1316ef29ab73a5b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0035_shards", "sha256": "0f4ef75f979be715bd986164c20db895785a1e5f05ff08cdcac0787f0b1b127b", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0036_member_limits", "sha256": "71262be8a606b667238ed82bca237936dafa5f79810aa132c28ed0a5c29d5cea", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0037_route_hours", "sha256": "bc1ecc006ce3786120cfa6773802cf5f1e80ae9df839e837492dc3a3c1ad301f", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0038_member_role", "sha256": "06a782bcc373b7b4e870204b8b80d4bac3d600d4874a0e97748df8382cfba5d7", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0039_service_tiers", "sha256": "33705f5fe74c4fc81b96992abc2da954c7c3caeae34c0ca9caa4766c10683f1c", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0040_offer_declarations", "sha256": "7622d46c88d3c9becf371f228b8957406932c0809a77fb2d14bc4efa4d541133", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0041_colleagues", "sha256": "5d54cca08bc8c73486ea47333fea070eb89511b25b007f9bb66ee622b84c7632", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0042_requested_models", "sha256": "7e690b53e057284c02dab29a95d6cfc3c16694d2358eb82d4a5d967d83291a42", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0043_owner_suspensions", "sha256": "9164b1dc17c8e783adf8d8021fbe1f07df576223bd96186ad4a79278ed10006d", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0049_expiring_credit", "sha256": "bb569632de3d7331885add358d4030f9dc9633439569c0bf86e14ad6fdbcad96", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0050_raised_limits", "sha256": "3b6d310f75de9651bd3aaa299ec2f08ef6e9f47b39842c60e2d1b32eedbce716", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0051_served_limits", "sha256": "3fdfbbee184036703a26fa37b7ed258057d6062b747211769837f57084eba032", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0052_billing_parties", "sha256": "eb9d90e4a37b738535f1450a5b493e69c07b21c56d8ef3769027c162315aedcb", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0053_default_alerts", "sha256": "8f32d56a68f696c9ac2ae1f6a217ba7e058658c8e5bada0c263b100c91ab4f09", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0054_models_when_spent", "sha256": "b33fdb53e55210f8428e1c716e7e694360390a3aec719c5540adaab44928f647", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0055_payment_tax", "sha256": "fa06f92fac6182b59702f977d3d5afcc1a697cf3917ef6307bdfaa810433d7f6", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0056_alert_kinds", "sha256": "4ce57a0e9982d73cf53e16a79fb5d80dffc848cc0d4d76f4e28563ee3cc2ff58", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_files overriding system value select * from jsonb_populate_record(null::schema_files, '{"kind": "migration", "name": "0057_cells", "sha256": "7f5a337842f1c585df4f5286efe85411d8b2ee2014e757a582697c1f7c615752", "applied_at": "2026-11-29T12:04:42.065719+00:00"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "ed2f192055f8edc8e4198ce7d71995afd3ae1a8ee8f024a3e1b8f3bc68aacc69", "version": "0.2.0"}');
insert into schema_programs overriding system value select * from jsonb_populate_record(null::schema_programs, '{"digest": "f3e88740da2f7dd6223d37ebdb332691718e49f229a0285e779b5f76c97d2770", "version": "0.2.0"}');

CREATE TRIGGER receipts_sealed BEFORE INSERT OR DELETE OR UPDATE ON public.receipts_2026_w23 FOR EACH ROW EXECUTE FUNCTION receipts_are_sealed();
select setval('changes_id_seq', 56);
select setval('fresh_ids', 32);
select setval('ledger_postings_number_seq', 11);
select setval('ledger_verifications_id_seq', 1);
select setval('quarantined_receipts_id_seq', 1);
