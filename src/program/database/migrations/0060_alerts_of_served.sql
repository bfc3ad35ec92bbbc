-- Whose end user or session a brief purse is of, which its subject does not say. Null: it is another purse, or was opened before.
alter table purses add column project_id uuid;

-- Limits of end users and sessions among the kinds of alerts, each of which is about a project.
-- Not valid: rows that are there meet it, and are not read for it.
alter table alert_rules drop constraint alert_rules_kind_check;
alter table alert_rules add constraint alert_rules_kind_check
  check (kind in (
    'balance_below', 'balance_share', 'runway', 'project_budget', 'key_limit', 'member_limit', 'end_user_limit', 'session_limit',
    'auto_top_up_stopped', 'payment_after_closing', 'provider_key_refused', 'ledger_difference'
  )) not valid;
