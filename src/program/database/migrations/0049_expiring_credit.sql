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
