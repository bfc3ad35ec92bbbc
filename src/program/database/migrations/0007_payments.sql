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
