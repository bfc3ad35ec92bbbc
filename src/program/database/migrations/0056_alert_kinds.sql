-- The kinds of alerts and of their subjects, limits of members among them.
-- Not valid: rows that are there meet it, and are not read for it.
alter table alert_rules add constraint alert_rules_kind_check
  check (kind in (
    'balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'member_limit', 'auto_top_up_stopped',
    'payment_after_closing', 'provider_key_refused', 'ledger_difference'
  )) not valid;
alter table alerts add constraint alerts_subject_kind_check
  check (subject_kind in ('workspace', 'project', 'key', 'member', 'provider', 'ledger')) not valid;
