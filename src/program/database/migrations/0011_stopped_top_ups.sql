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
