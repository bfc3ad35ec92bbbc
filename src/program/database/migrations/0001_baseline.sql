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
