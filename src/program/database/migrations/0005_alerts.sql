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
