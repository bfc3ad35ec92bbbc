-- What migrations and functions make. Written by tools/schema-snapshot.ts; a test fails when it is stale.

CREATE TYPE draw_request AS (
  ordinal integer,
  workspace_id uuid,
  kind text,
  subject_id uuid,
  period text,
  window_start timestamp with time zone,
  window_end timestamp with time zone,
  sequence bigint,
  keep bigint,
  slack bigint,
  needs bigint[],
  ahead bigint,
  is_first boolean,
  purse bigint
);

CREATE TYPE late_receipt AS (
  workspace uuid,
  request uuid,
  project uuid,
  key uuid,
  credit_purse bigint,
  project_purse bigint,
  key_purse bigint,
  project_period text,
  project_start timestamp with time zone,
  project_end timestamp with time zone,
  key_period text,
  key_start timestamp with time zone,
  key_end timestamp with time zone,
  dialect text,
  model text,
  price_version bigint,
  outcome text,
  charge bigint,
  hold bigint,
  write_off bigint,
  fees bigint,
  certainty text,
  input integer,
  cached_input integer,
  cache_write_5m integer,
  cache_write_1h integer,
  audio_input integer,
  output integer,
  audio_output integer,
  shortened integer,
  streamed boolean,
  admitted_ms double precision,
  duration_ms integer,
  first_event_ms integer,
  attempts jsonb,
  client_request text,
  idempotency_key text,
  whole boolean,
  provider text,
  upstream_model text,
  attempt_ms integer,
  extras jsonb
);

CREATE TYPE posted AS (
  outcome text,
  posting postings,
  most_nano_usd bigint
);

CREATE SEQUENCE fresh_ids AS bigint;

CREATE TABLE access_tokens (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  secret_sha256 bytea NOT NULL,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  CONSTRAINT access_tokens_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT access_tokens_id_key UNIQUE (id),
  CONSTRAINT access_tokens_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT access_tokens_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX access_tokens_user ON public.access_tokens USING btree (user_id, id);

CREATE TABLE alert_rules (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  threshold bigint,
  subject_id uuid,
  mail_roles text[] NOT NULL,
  mail_to text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT alert_rules_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT alert_rules_id_key UNIQUE (id),
  CONSTRAINT alert_rules_compare_or_not CHECK (((kind = ANY (ARRAY['auto_top_up_stopped'::text, 'payment_after_closing'::text, 'provider_key_refused'::text, 'ledger_difference'::text])) = (threshold IS NULL))),
  CONSTRAINT alert_rules_kind_check CHECK ((kind = ANY (ARRAY['balance_below'::text, 'balance_share'::text, 'runway'::text, 'project_budget'::text, 'key_limit'::text, 'auto_top_up_stopped'::text, 'payment_after_closing'::text, 'provider_key_refused'::text, 'ledger_difference'::text]))),
  CONSTRAINT alert_rules_threshold_check CHECK ((threshold > 0))
);

CREATE TABLE alert_watches (
  workspace_id uuid NOT NULL,
  credited_nano_usd numeric NOT NULL,
  spent_nano_usd numeric NOT NULL,
  looked_at timestamp with time zone NOT NULL,
  marks jsonb NOT NULL,
  CONSTRAINT alert_watches_pkey PRIMARY KEY (workspace_id)
);

CREATE TABLE alerts (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  rule_id uuid NOT NULL,
  kind text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  subject_name text NOT NULL,
  window_start timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  window_end timestamp with time zone,
  summary text NOT NULL,
  threshold bigint,
  value_nano_usd bigint,
  limit_nano_usd bigint,
  raised_at timestamp with time zone NOT NULL DEFAULT now(),
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  resolved_at timestamp with time zone,
  url text,
  CONSTRAINT alerts_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT alerts_id_key UNIQUE (id),
  CONSTRAINT alerts_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'provider'::text, 'ledger'::text])))
);
CREATE INDEX alerts_ending ON public.alerts USING btree (window_end) WHERE ((resolved_at IS NULL) AND (window_end IS NOT NULL));
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (workspace_id, rule_id, subject_id, window_start) WHERE (resolved_at IS NULL);
CREATE INDEX alerts_resolved ON public.alerts USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);

CREATE TABLE audit_events (
  id uuid NOT NULL,
  workspace_id uuid,
  at timestamp with time zone NOT NULL DEFAULT now(),
  actor_kind text NOT NULL,
  user_id uuid,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  target_name text,
  before jsonb,
  after jsonb,
  address text,
  request_id uuid,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id),
  CONSTRAINT audit_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'session'::text, 'access_token'::text, 'job'::text])))
);
CREATE INDEX audit_events_target ON public.audit_events USING btree (target_id, id);
CREATE INDEX audit_events_workspace ON public.audit_events USING btree (workspace_id, id);
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE authenticators (
  user_id uuid NOT NULL,
  secret bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  confirmed_at timestamp with time zone,
  last_step bigint NOT NULL DEFAULT 0,
  encrypted_secret bytea,
  CONSTRAINT authenticators_pkey PRIMARY KEY (user_id),
  CONSTRAINT authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT authenticators_have_one_secret CHECK ((num_nonnulls(secret, encrypted_secret) = 1))
);

CREATE UNLOGGED TABLE backup_lines (
  backup_id uuid NOT NULL,
  table_name text NOT NULL,
  number bigint NOT NULL,
  line text NOT NULL,
  CONSTRAINT backup_lines_pkey PRIMARY KEY (table_name, number)
);

CREATE TABLE cancelled_claims (
  request_id uuid NOT NULL,
  cancelled_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT cancelled_claims_pkey PRIMARY KEY (request_id)
);
CREATE INDEX cancelled_claims_cancelled ON public.cancelled_claims USING btree (cancelled_at);

CREATE TABLE changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  kind text NOT NULL,
  subject_id text NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT changes_pkey PRIMARY KEY (id),
  CONSTRAINT changes_kind_check CHECK ((kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'purse'::text, 'catalogue'::text, 'rate'::text])))
);
CREATE INDEX changes_transaction ON public.changes USING btree (transaction_id);

CREATE TABLE cost_versions (
  model text NOT NULL,
  provider text NOT NULL,
  upstream_model text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  retired_at timestamp with time zone,
  input_from integer NOT NULL,
  input_to integer,
  input_rate bigint NOT NULL,
  cached_input_rate bigint NOT NULL,
  cache_write_5m_rate bigint NOT NULL,
  cache_write_1h_rate bigint NOT NULL,
  audio_input_rate bigint NOT NULL,
  output_rate bigint NOT NULL,
  audio_output_rate bigint NOT NULL,
  fees jsonb,
  CONSTRAINT cost_versions_pkey PRIMARY KEY (model, provider, upstream_model, created_at, input_from),
  CONSTRAINT cost_versions_have_sizes CHECK ((input_to > input_from)),
  CONSTRAINT cost_versions_last CHECK ((retired_at > created_at))
);
CREATE UNIQUE INDEX cost_versions_active ON public.cost_versions USING btree (model, provider, upstream_model, input_from) WHERE (retired_at IS NULL);

CREATE TABLE creations (
  scope_id uuid NOT NULL,
  once text NOT NULL,
  kind text NOT NULL,
  request_sha256 bytea NOT NULL,
  target_id text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT creations_pkey PRIMARY KEY (scope_id, once)
);
CREATE INDEX creations_created ON public.creations USING btree (created_at);

CREATE TABLE data_keys (
  id uuid NOT NULL,
  wrapped_by text NOT NULL,
  wrapped bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  lost_at timestamp with time zone,
  CONSTRAINT data_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE epochs (
  id bigint NOT NULL DEFAULT fresh_id(),
  instance_id uuid NOT NULL,
  process_name text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  heartbeat_at timestamp with time zone NOT NULL DEFAULT now(),
  fenced_at timestamp with time zone,
  reaped_at timestamp with time zone,
  timeout_ms integer NOT NULL DEFAULT 30000,
  leases_in_use jsonb,
  CONSTRAINT epochs_pkey PRIMARY KEY (id),
  CONSTRAINT epochs_timeout_ms_check CHECK ((timeout_ms > 0))
);
CREATE INDEX epochs_unreaped ON public.epochs USING btree (instance_id) WHERE (reaped_at IS NULL);

CREATE TABLE former_secrets (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  public_id text NOT NULL,
  last_four text NOT NULL,
  secret_sha256 bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT former_secrets_pkey PRIMARY KEY (workspace_id, key_id),
  CONSTRAINT former_secrets_public_id_key UNIQUE (public_id),
  CONSTRAINT former_secrets_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT former_secrets_workspace_id_key_id_fkey FOREIGN KEY (workspace_id, key_id) REFERENCES keys(workspace_id, id)
);

CREATE TABLE free_answers (
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  cost_nano_usd bigint NOT NULL,
  CONSTRAINT free_answers_pkey PRIMARY KEY (workspace_id, project_id),
  CONSTRAINT free_answers_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  CONSTRAINT free_answers_cost_nano_usd_check CHECK ((cost_nano_usd >= 0))
);

CREATE TABLE idempotent_requests (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  body_sha256 bytea,
  epoch_id bigint NOT NULL,
  request_id uuid NOT NULL,
  claimed_at timestamp with time zone NOT NULL DEFAULT now(),
  completed_at timestamp with time zone,
  answer bytea,
  superseded_request_id uuid,
  CONSTRAINT idempotent_requests_pkey PRIMARY KEY (workspace_id, key_id, idempotency_key)
);
CREATE INDEX idempotent_requests_claimed ON public.idempotent_requests USING btree (claimed_at);

CREATE TABLE invitations (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_sha256 bytea NOT NULL,
  invited_by uuid,
  mailed boolean NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  revoked_at timestamp with time zone,
  invited_by_token uuid,
  CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT invitations_id_key UNIQUE (id),
  CONSTRAINT invitations_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
  CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (workspace_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

CREATE TABLE keys (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  public_id text NOT NULL,
  last_four text NOT NULL,
  secret_sha256 bytea NOT NULL,
  spend_limit_nano_usd bigint,
  models text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  disabled_at timestamp with time zone,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_by uuid,
  kind text NOT NULL DEFAULT 'api'::text,
  CONSTRAINT keys_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT keys_id_key UNIQUE (id),
  CONSTRAINT keys_public_id_key UNIQUE (public_id),
  CONSTRAINT keys_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT keys_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id),
  CONSTRAINT keys_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'console'::text]))),
  CONSTRAINT keys_spend_limit_nano_usd_check CHECK ((spend_limit_nano_usd >= 0))
);
CREATE UNIQUE INDEX keys_console ON public.keys USING btree (workspace_id, project_id, created_by) NULLS NOT DISTINCT WHERE ((kind = 'console'::text) AND (revoked_at IS NULL));
CREATE INDEX keys_project ON public.keys USING btree (workspace_id, project_id, id);
CREATE TRIGGER keys_version BEFORE UPDATE ON public.keys FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE leases (
  epoch_id bigint NOT NULL,
  purse_id bigint NOT NULL,
  granted_nano_usd bigint NOT NULL DEFAULT 0,
  charged_nano_usd bigint NOT NULL DEFAULT 0,
  open boolean NOT NULL DEFAULT false,
  sequence bigint NOT NULL DEFAULT 0,
  CONSTRAINT leases_pkey PRIMARY KEY (epoch_id, purse_id),
  CONSTRAINT leases_epoch_id_fkey FOREIGN KEY (epoch_id) REFERENCES epochs(id),
  CONSTRAINT leases_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id),
  CONSTRAINT leases_charged_within_grant CHECK (((charged_nano_usd >= 0) AND (granted_nano_usd >= 0) AND (open OR (charged_nano_usd <= granted_nano_usd))))
);
CREATE INDEX leases_purse ON public.leases USING btree (purse_id);

CREATE TABLE ledger_entries (
  workspace_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  account text NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (posting_id, account),
  CONSTRAINT ledger_entries_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id),
  CONSTRAINT ledger_entries_account_check CHECK ((account = ANY (ARRAY['credit'::text, 'owed'::text, 'payments'::text, 'promotions'::text, 'adjustments'::text]))),
  CONSTRAINT ledger_entries_amount_nano_usd_check CHECK ((amount_nano_usd <> 0))
);
CREATE INDEX ledger_entries_workspace ON public.ledger_entries USING btree (workspace_id);
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE CONSTRAINT TRIGGER ledger_entries_balance AFTER INSERT ON public.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_posting_balances();

CREATE TABLE ledger_postings (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  posted_at timestamp with time zone NOT NULL DEFAULT now(),
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  balance_nano_usd bigint NOT NULL,
  once text,
  receipt_request_id uuid,
  CONSTRAINT ledger_postings_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_postings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT ledger_postings_corrections_adjust CHECK (((receipt_request_id IS NULL) OR (kind = 'adjustment'::text))),
  CONSTRAINT ledger_postings_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'grant'::text, 'refund'::text, 'dispute'::text, 'adjustment'::text])))
);
CREATE UNIQUE INDEX ledger_postings_number ON public.ledger_postings USING btree (workspace_id, number);
CREATE UNIQUE INDEX ledger_postings_once ON public.ledger_postings USING btree (workspace_id, once) WHERE (once IS NOT NULL);
CREATE INDEX ledger_postings_receipt ON public.ledger_postings USING btree (workspace_id, receipt_request_id) WHERE (receipt_request_id IS NOT NULL);
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE ON public.ledger_postings FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE ledger_verifications (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  night timestamp with time zone,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  difference_count bigint NOT NULL,
  differences jsonb NOT NULL,
  CONSTRAINT ledger_verifications_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_verifications_night_key UNIQUE (night)
);
CREATE INDEX ledger_verifications_started ON public.ledger_verifications USING btree (started_at);

CREATE TABLE members (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);
CREATE INDEX members_user ON public.members USING btree (user_id);

CREATE TABLE notices (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  once text,
  channel text NOT NULL,
  endpoint_id uuid,
  recipient text NOT NULL,
  subject text,
  html text,
  body text,
  is_secret boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'waiting'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone NOT NULL DEFAULT now(),
  give_up_at timestamp with time zone NOT NULL DEFAULT (now() + '24:00:00'::interval),
  last_error text,
  last_status integer,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
  CONSTRAINT notices_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT notices_id_key UNIQUE (id),
  CONSTRAINT notices_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'webhook'::text]))),
  CONSTRAINT notices_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'given_up'::text]))),
  CONSTRAINT notices_wait_or_are_finished CHECK (((state = 'waiting'::text) = (finished_at IS NULL))),
  CONSTRAINT notices_webhooks_have_endpoints CHECK (((channel = 'webhook'::text) = (endpoint_id IS NOT NULL)))
);
CREATE INDEX notices_due ON public.notices USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX notices_endpoint ON public.notices USING btree (workspace_id, endpoint_id, id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX notices_finished ON public.notices USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX notices_once ON public.notices USING btree (workspace_id, once) WHERE (once IS NOT NULL);

CREATE TABLE one_time_links (
  id uuid NOT NULL,
  purpose text NOT NULL,
  token_sha256 bytea NOT NULL,
  user_id uuid,
  email text,
  mailed boolean NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  claimed_at timestamp with time zone,
  made_by_user uuid,
  made_by_token uuid,
  by_right_in uuid,
  CONSTRAINT one_time_links_pkey PRIMARY KEY (id),
  CONSTRAINT one_time_links_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT one_time_links_by_right_in_fkey FOREIGN KEY (by_right_in) REFERENCES workspaces(id),
  CONSTRAINT one_time_links_made_by_user_fkey FOREIGN KEY (made_by_user) REFERENCES users(id),
  CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT one_time_links_purpose_check CHECK ((purpose = ANY (ARRAY['set_up'::text, 'reset'::text, 'sign_up'::text])))
);
CREATE INDEX one_time_links_user ON public.one_time_links USING btree (user_id);

CREATE TABLE operator_tokens (
  id uuid NOT NULL,
  name text NOT NULL,
  secret_sha256 bytea NOT NULL,
  last_four text NOT NULL,
  read_only boolean NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  downloads_backups boolean NOT NULL DEFAULT false,
  CONSTRAINT operator_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT operator_tokens_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT operator_tokens_check CHECK ((read_only OR (NOT downloads_backups)))
);
CREATE UNIQUE INDEX operator_tokens_name ON public.operator_tokens USING btree (name) WHERE (revoked_at IS NULL);

CREATE TABLE partition_totals (
  partition text NOT NULL,
  purse_id bigint NOT NULL,
  receipts bigint NOT NULL,
  charge_nano_usd numeric NOT NULL,
  CONSTRAINT partition_totals_pkey PRIMARY KEY (partition, purse_id),
  CONSTRAINT partition_totals_partition_fkey FOREIGN KEY (partition) REFERENCES sealed_partitions(name),
  CONSTRAINT partition_totals_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id)
);
CREATE INDEX partition_totals_purse ON public.partition_totals USING btree (purse_id);

CREATE TABLE payment_events (
  provider text NOT NULL,
  id text NOT NULL,
  fact text NOT NULL,
  outcome text NOT NULL,
  detail text,
  workspace_id uuid,
  top_up_id uuid,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT payment_events_pkey PRIMARY KEY (provider, id),
  CONSTRAINT payment_events_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'ignored'::text, 'mismatch'::text])))
);
CREATE INDEX payment_events_mismatched ON public.payment_events USING btree (received_at) WHERE (outcome = 'mismatch'::text);
CREATE INDEX payment_events_received ON public.payment_events USING btree (received_at);

CREATE TABLE payment_reconciliations (
  provider text NOT NULL,
  night timestamp with time zone NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  events_until timestamp with time zone NOT NULL,
  missed bigint NOT NULL,
  compared bigint NOT NULL,
  difference_count bigint NOT NULL,
  differences jsonb NOT NULL,
  CONSTRAINT payment_reconciliations_pkey PRIMARY KEY (provider, night)
);

CREATE TABLE payment_reversals (
  provider text NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  payment_reference text NOT NULL,
  amount_nano_usd bigint NOT NULL,
  state text NOT NULL,
  counted boolean NOT NULL DEFAULT false,
  workspace_id uuid,
  top_up_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT payment_reversals_pkey PRIMARY KEY (provider, kind, reference),
  CONSTRAINT payment_reversals_workspace_id_top_up_id_fkey FOREIGN KEY (workspace_id, top_up_id) REFERENCES top_ups(workspace_id, id),
  CONSTRAINT payment_reversals_amount_nano_usd_check CHECK ((amount_nano_usd > 0)),
  CONSTRAINT payment_reversals_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
  CONSTRAINT payment_reversals_state_check CHECK ((state = ANY (ARRAY['announced'::text, 'taken'::text, 'lost'::text, 'returned'::text])))
);
CREATE INDEX payment_reversals_payment ON public.payment_reversals USING btree (provider, payment_reference);
CREATE INDEX payment_reversals_top_up ON public.payment_reversals USING btree (workspace_id, top_up_id);
CREATE INDEX payment_reversals_unmatched ON public.payment_reversals USING btree (created_at) WHERE (top_up_id IS NULL);

CREATE TABLE payment_settings (
  workspace_id uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  provider text,
  customer_reference text,
  auto_enabled boolean NOT NULL DEFAULT false,
  auto_threshold_nano_usd bigint,
  auto_amount_nano_usd bigint,
  auto_month_max_nano_usd bigint,
  auto_consent_by text,
  auto_consent_at timestamp with time zone,
  auto_failures integer NOT NULL DEFAULT 0,
  auto_failed_at timestamp with time zone,
  auto_stop text,
  auto_stopped_at timestamp with time zone,
  auto_noticed_at timestamp with time zone,
  recovery_top_up_id uuid,
  auto_month_noticed_at timestamp with time zone,
  CONSTRAINT payment_settings_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT payment_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT payment_settings_workspace_id_recovery_top_up_id_fkey FOREIGN KEY (workspace_id, recovery_top_up_id) REFERENCES top_ups(workspace_id, id),
  CONSTRAINT payment_settings_auto_amount_nano_usd_check CHECK ((auto_amount_nano_usd > 0)),
  CONSTRAINT payment_settings_auto_is_whole CHECK (((NOT auto_enabled) OR ((auto_threshold_nano_usd IS NOT NULL) AND (auto_amount_nano_usd IS NOT NULL) AND (auto_month_max_nano_usd IS NOT NULL) AND (auto_consent_at IS NOT NULL)))),
  CONSTRAINT payment_settings_auto_month_max_nano_usd_check CHECK ((auto_month_max_nano_usd > 0)),
  CONSTRAINT payment_settings_auto_stop_check CHECK ((auto_stop = ANY (ARRAY['failures'::text, 'authentication_required'::text]))),
  CONSTRAINT payment_settings_auto_threshold_nano_usd_check CHECK ((auto_threshold_nano_usd > 0))
);

CREATE TABLE price_adjustments (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  model text,
  basis_points integer NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  CONSTRAINT price_adjustments_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT price_adjustments_id_key UNIQUE (id),
  CONSTRAINT price_adjustments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT price_adjustments_basis_points_check CHECK (((basis_points >= '-10000'::integer) AND (basis_points <= 90000)))
);
CREATE UNIQUE INDEX price_adjustments_active ON public.price_adjustments USING btree (workspace_id, model) NULLS NOT DISTINCT WHERE (ended_at IS NULL);

CREATE TABLE price_versions (
  id bigint NOT NULL DEFAULT fresh_id(),
  model text NOT NULL,
  version integer NOT NULL,
  terms jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  retired_at timestamp with time zone,
  workspace_id uuid,
  list_id bigint,
  adjustment_id uuid,
  CONSTRAINT price_versions_pkey PRIMARY KEY (id),
  CONSTRAINT price_versions_model_version_key UNIQUE (model, version),
  CONSTRAINT price_versions_workspace_id_adjustment_id_fkey FOREIGN KEY (workspace_id, adjustment_id) REFERENCES price_adjustments(workspace_id, id),
  CONSTRAINT price_versions_of_workspaces CHECK ((num_nonnulls(workspace_id, list_id, adjustment_id) = ANY (ARRAY[0, 3])))
);
CREATE UNIQUE INDEX price_versions_active ON public.price_versions USING btree (model, workspace_id) NULLS NOT DISTINCT WHERE (retired_at IS NULL);
CREATE INDEX price_versions_workspace ON public.price_versions USING btree (workspace_id, model) WHERE (workspace_id IS NOT NULL);

CREATE TABLE projects (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  requests_per_minute integer,
  tokens_per_minute bigint,
  concurrency integer,
  budget_nano_usd bigint,
  budget_period text NOT NULL DEFAULT 'month'::text,
  models text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  archived_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  member_key_spend_limit_nano_usd bigint,
  member_keys_max integer,
  reports_cost boolean NOT NULL DEFAULT false,
  CONSTRAINT projects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT projects_id_key UNIQUE (id),
  CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT projects_budget_nano_usd_check CHECK ((budget_nano_usd >= 0)),
  CONSTRAINT projects_budget_period_check CHECK ((budget_period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'never'::text]))),
  CONSTRAINT projects_concurrency_check CHECK ((concurrency > 0)),
  CONSTRAINT projects_member_key_spend_limit_nano_usd_check CHECK ((member_key_spend_limit_nano_usd >= 0)),
  CONSTRAINT projects_member_keys_max_check CHECK ((member_keys_max > 0)),
  CONSTRAINT projects_requests_per_minute_check CHECK ((requests_per_minute > 0)),
  CONSTRAINT projects_tokens_per_minute_check CHECK ((tokens_per_minute > 0))
);
CREATE UNIQUE INDEX projects_name ON public.projects USING btree (workspace_id, name) WHERE (archived_at IS NULL);
CREATE TRIGGER projects_version BEFORE UPDATE ON public.projects FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE UNLOGGED TABLE proof_corrections (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  given_nano_usd numeric NOT NULL,
  CONSTRAINT proof_corrections_pkey PRIMARY KEY (workspace_id, request_id)
);

CREATE UNLOGGED TABLE proof_purses (
  id bigint NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  charges_nano_usd numeric NOT NULL,
  spent_nano_usd numeric NOT NULL,
  CONSTRAINT proof_purses_pkey PRIMARY KEY (id)
);

CREATE UNLOGGED TABLE proof_sealed_totals (
  partition text NOT NULL,
  purse_id bigint NOT NULL,
  sealed_nano_usd numeric NOT NULL,
  counted_nano_usd numeric NOT NULL,
  CONSTRAINT proof_sealed_totals_pkey PRIMARY KEY (partition, purse_id)
);

CREATE UNLOGGED TABLE proof_totals (
  proof_id uuid NOT NULL,
  postings bigint NOT NULL,
  receipts numeric NOT NULL,
  write_offs_nano_usd numeric NOT NULL,
  CONSTRAINT proof_totals_pkey PRIMARY KEY (proof_id)
);

CREATE UNLOGGED TABLE proof_workspaces (
  id uuid NOT NULL,
  credit_nano_usd numeric NOT NULL,
  charges_nano_usd numeric NOT NULL,
  balance_nano_usd numeric NOT NULL,
  owed_nano_usd numeric NOT NULL,
  cost_nano_usd numeric NOT NULL DEFAULT 0,
  costed_requests numeric NOT NULL DEFAULT 0,
  counted_cost_nano_usd numeric NOT NULL DEFAULT 0,
  counted_costed_requests numeric NOT NULL DEFAULT 0
);
CREATE INDEX proof_workspaces_id ON public.proof_workspaces USING btree (id);

CREATE TABLE purse_corrections (
  posting_id uuid NOT NULL,
  purse_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT purse_corrections_pkey PRIMARY KEY (posting_id, purse_id),
  CONSTRAINT purse_corrections_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id),
  CONSTRAINT purse_corrections_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id),
  CONSTRAINT purse_corrections_amount_nano_usd_check CHECK ((amount_nano_usd <> 0))
);
CREATE INDEX purse_corrections_purse ON public.purse_corrections USING btree (purse_id);
CREATE TRIGGER purse_corrections_append_only BEFORE DELETE OR UPDATE ON public.purse_corrections FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE purses (
  id bigint NOT NULL DEFAULT fresh_id(),
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  period text NOT NULL,
  window_start timestamp with time zone NOT NULL,
  window_end timestamp with time zone,
  limit_nano_usd bigint,
  opening_nano_usd bigint NOT NULL DEFAULT 0,
  spent_nano_usd bigint NOT NULL DEFAULT 0,
  leased_nano_usd bigint NOT NULL DEFAULT 0,
  owed_nano_usd bigint NOT NULL DEFAULT 0,
  mode text NOT NULL DEFAULT 'wet'::text,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  CONSTRAINT purses_pkey PRIMARY KEY (id),
  CONSTRAINT purses_workspace_id_kind_subject_id_period_window_start_key UNIQUE (workspace_id, kind, subject_id, period, window_start),
  CONSTRAINT purses_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT purses_credit_is_limited CHECK (((kind <> 'credit'::text) OR (limit_nano_usd IS NOT NULL))),
  CONSTRAINT purses_credit_never_overdrawn CHECK (((kind <> 'credit'::text) OR ((spent_nano_usd + leased_nano_usd) <= limit_nano_usd))),
  CONSTRAINT purses_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'project'::text, 'key'::text]))),
  CONSTRAINT purses_mode_check CHECK ((mode = ANY (ARRAY['wet'::text, 'dry'::text]))),
  CONSTRAINT purses_owed_nano_usd_check CHECK ((owed_nano_usd >= 0)),
  CONSTRAINT purses_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'never'::text]))),
  CONSTRAINT purses_spent_not_negative CHECK (((spent_nano_usd >= 0) AND (leased_nano_usd >= 0)))
);

CREATE TABLE quarantined_receipts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  request_id text NOT NULL,
  receipt text NOT NULL,
  reason text NOT NULL,
  quarantined_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT quarantined_receipts_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX quarantined_receipts_request ON public.quarantined_receipts USING btree (request_id);

CREATE TABLE rate_buckets (
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  request_parts bigint,
  token_parts bigint,
  refilled_ms bigint NOT NULL DEFAULT 0,
  called_back_ms bigint NOT NULL DEFAULT 0,
  CONSTRAINT rate_buckets_pkey PRIMARY KEY (workspace_id, project_id),
  CONSTRAINT rate_buckets_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE rate_leases (
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  epoch_id bigint NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  requests bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  slots bigint NOT NULL DEFAULT 0,
  running bigint NOT NULL DEFAULT 0,
  granted boolean[] NOT NULL DEFAULT '{}'::boolean[],
  minute bigint NOT NULL DEFAULT 0,
  taken bigint NOT NULL DEFAULT 0,
  taken_before bigint NOT NULL DEFAULT 0,
  CONSTRAINT rate_leases_pkey PRIMARY KEY (epoch_id, workspace_id, project_id),
  CONSTRAINT rate_leases_epoch_id_fkey FOREIGN KEY (epoch_id) REFERENCES epochs(id) ON DELETE CASCADE,
  CONSTRAINT rate_leases_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES rate_buckets(workspace_id, project_id) ON DELETE CASCADE
);
CREATE INDEX rate_leases_project ON public.rate_leases USING btree (workspace_id, project_id);

CREATE TABLE receipts (
  workspace_id uuid NOT NULL,
  request_id uuid NOT NULL,
  project_id uuid NOT NULL,
  key_id uuid NOT NULL,
  epoch_id bigint NOT NULL,
  credit_purse_id bigint NOT NULL,
  project_purse_id bigint NOT NULL,
  key_purse_id bigint NOT NULL,
  dialect text NOT NULL,
  model text NOT NULL,
  price_version_id bigint NOT NULL,
  outcome text NOT NULL,
  charge_nano_usd bigint NOT NULL,
  hold_nano_usd bigint NOT NULL,
  write_off_nano_usd bigint NOT NULL,
  fees_nano_usd bigint NOT NULL DEFAULT 0,
  usage_certainty text NOT NULL,
  input_tokens integer NOT NULL,
  cached_input_tokens integer NOT NULL,
  cache_write_5m_tokens integer NOT NULL,
  cache_write_1h_tokens integer NOT NULL,
  audio_input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  audio_output_tokens integer NOT NULL,
  shortened_to_tokens integer,
  streamed boolean NOT NULL,
  admitted_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  first_event_ms integer,
  attempts jsonb,
  client_request_id text,
  settled_at timestamp with time zone NOT NULL DEFAULT now(),
  late boolean NOT NULL DEFAULT false,
  superseded_by uuid,
  settled_xid xid8 DEFAULT pg_current_xact_id(),
  provider text,
  upstream_model text,
  attempt_ms integer,
  session text,
  left_out text[],
  retry boolean,
  uses jsonb,
  CONSTRAINT receipts_pkey PRIMARY KEY (workspace_id, request_id),
  CONSTRAINT receipts_are_sound CHECK (((charge_nano_usd >= 0) AND (hold_nano_usd >= charge_nano_usd) AND (write_off_nano_usd >= 0) AND (fees_nano_usd >= 0) AND ((fees_nano_usd - charge_nano_usd) <= write_off_nano_usd) AND (usage_certainty = ANY ('{exact,estimated}'::text[]))))
) PARTITION BY RANGE (request_id);
CREATE INDEX receipts_session ON ONLY public.receipts USING btree (workspace_id, session, request_id) WHERE (session IS NOT NULL);
CREATE INDEX receipts_settled ON ONLY public.receipts USING brin (xid8send(settled_xid)) WITH (pages_per_range='64', autosummarize='on');

CREATE TABLE receipts_default PARTITION OF receipts DEFAULT;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_sha256 bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_sha256),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE redemption_batches (
  id uuid NOT NULL,
  count integer NOT NULL,
  amount_nano_usd bigint NOT NULL,
  posting_kind text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  actor text NOT NULL,
  once text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT redemption_batches_pkey PRIMARY KEY (id),
  CONSTRAINT redemption_batches_once_key UNIQUE (once),
  CONSTRAINT redemption_batches_amount_nano_usd_check CHECK ((amount_nano_usd > 0)),
  CONSTRAINT redemption_batches_count_check CHECK ((count > 0)),
  CONSTRAINT redemption_batches_posting_kind_check CHECK ((posting_kind = ANY (ARRAY['top_up'::text, 'grant'::text])))
);

CREATE TABLE redemption_codes (
  id uuid NOT NULL,
  batch_id uuid NOT NULL,
  code_sha256 bytea NOT NULL,
  last_four text NOT NULL,
  workspace_id uuid,
  top_up_id uuid,
  redeemed_by text,
  redeemed_at timestamp with time zone,
  CONSTRAINT redemption_codes_pkey PRIMARY KEY (id),
  CONSTRAINT redemption_codes_code_sha256_key UNIQUE (code_sha256),
  CONSTRAINT redemption_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES redemption_batches(id),
  CONSTRAINT redemption_codes_workspace_id_top_up_id_fkey FOREIGN KEY (workspace_id, top_up_id) REFERENCES top_ups(workspace_id, id)
);
CREATE INDEX redemption_codes_batch ON public.redemption_codes USING btree (batch_id, id);

CREATE TABLE refusals (
  request_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  key_id uuid NOT NULL,
  refused_at timestamp with time zone NOT NULL,
  code text NOT NULL,
  status integer NOT NULL,
  endpoint text,
  model text,
  param text,
  retry_after_ms bigint,
  shortage jsonb,
  rate jsonb,
  CONSTRAINT refusals_pkey PRIMARY KEY (request_id)
);
CREATE INDEX refusals_of_workspace ON public.refusals USING btree (workspace_id, request_id);

CREATE TABLE schema_functions (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_functions_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE sealed_partitions (
  name text NOT NULL,
  from_id uuid NOT NULL,
  up_to uuid NOT NULL,
  receipts bigint NOT NULL,
  write_off_nano_usd numeric NOT NULL,
  sealed_at timestamp with time zone NOT NULL DEFAULT now(),
  dropped_at timestamp with time zone,
  CONSTRAINT sealed_partitions_pkey PRIMARY KEY (name)
);
CREATE UNIQUE INDEX sealed_partitions_up_to ON public.sealed_partitions USING btree (up_to);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_sha256 bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  authenticated_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  address text,
  user_agent text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id);

CREATE TABLE sign_in_networks (
  user_id uuid NOT NULL,
  network text NOT NULL,
  used_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_networks_pkey PRIMARY KEY (user_id, network),
  CONSTRAINT sign_in_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE stored_response_bytes (
  workspace_id uuid NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT stored_response_bytes_pkey PRIMARY KEY (workspace_id)
);

CREATE TABLE stored_response_items (
  workspace_id uuid NOT NULL,
  item_id text NOT NULL,
  request_id uuid NOT NULL,
  starts_at integer NOT NULL,
  length integer NOT NULL,
  CONSTRAINT stored_response_items_pkey PRIMARY KEY (workspace_id, item_id, request_id),
  CONSTRAINT stored_response_items_request_id_fkey FOREIGN KEY (request_id) REFERENCES stored_responses(request_id) ON DELETE CASCADE
);
CREATE INDEX stored_response_items_of_response ON public.stored_response_items USING btree (request_id);

CREATE TABLE stored_responses (
  request_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  response_id text NOT NULL,
  previous_request_id uuid,
  expires_at timestamp with time zone NOT NULL,
  items bytea NOT NULL,
  input_length integer NOT NULL,
  response bytea NOT NULL,
  encrypted boolean NOT NULL DEFAULT false,
  CONSTRAINT stored_responses_pkey PRIMARY KEY (request_id)
);
CREATE INDEX stored_responses_by_id ON public.stored_responses USING btree (workspace_id, response_id, request_id);
CREATE INDEX stored_responses_clear ON public.stored_responses USING btree (request_id) WHERE (NOT encrypted);
CREATE INDEX stored_responses_expiring ON public.stored_responses USING btree (expires_at);

CREATE TABLE top_ups (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text NOT NULL,
  origin text NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  posting_kind text NOT NULL DEFAULT 'top_up'::text,
  amount_nano_usd bigint NOT NULL,
  fee_nano_usd bigint NOT NULL DEFAULT 0,
  saves_method boolean NOT NULL DEFAULT false,
  actor text NOT NULL,
  once text,
  checkout_reference text,
  checkout_url text,
  expires_at timestamp with time zone,
  payment_reference text,
  posting_id uuid,
  failure text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT top_ups_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT top_ups_id_key UNIQUE (id),
  CONSTRAINT top_ups_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id),
  CONSTRAINT top_ups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT top_ups_amount_nano_usd_check CHECK ((amount_nano_usd > 0)),
  CONSTRAINT top_ups_fee_nano_usd_check CHECK ((fee_nano_usd >= 0)),
  CONSTRAINT top_ups_origin_check CHECK ((origin = ANY (ARRAY['checkout'::text, 'auto'::text, 'code'::text]))),
  CONSTRAINT top_ups_paid_are_posted CHECK ((((state = 'paid'::text) = (posting_id IS NOT NULL)) AND ((state <> 'paid'::text) OR (payment_reference IS NOT NULL)))),
  CONSTRAINT top_ups_posting_kind_check CHECK ((posting_kind = ANY (ARRAY['top_up'::text, 'grant'::text]))),
  CONSTRAINT top_ups_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'processing'::text, 'expired'::text, 'failed'::text, 'paid'::text])))
);
CREATE UNIQUE INDEX top_ups_auto_in_flight ON public.top_ups USING btree (workspace_id) WHERE ((origin = 'auto'::text) AND (state = ANY (ARRAY['pending'::text, 'processing'::text])));
CREATE UNIQUE INDEX top_ups_once ON public.top_ups USING btree (workspace_id, once) WHERE (once IS NOT NULL);
CREATE UNIQUE INDEX top_ups_payment ON public.top_ups USING btree (provider, payment_reference) WHERE (payment_reference IS NOT NULL);
CREATE INDEX top_ups_unpaid ON public.top_ups USING btree (workspace_id, id) WHERE (state = ANY (ARRAY['pending'::text, 'processing'::text]));

CREATE TABLE unrecorded_refusals (
  workspace_id uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  requests bigint NOT NULL,
  CONSTRAINT unrecorded_refusals_pkey PRIMARY KEY (workspace_id, hour)
);

CREATE TABLE usage_days (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  duration_1 integer NOT NULL DEFAULT 0,
  duration_2 integer NOT NULL DEFAULT 0,
  duration_3 integer NOT NULL DEFAULT 0,
  duration_4 integer NOT NULL DEFAULT 0,
  duration_5 integer NOT NULL DEFAULT 0,
  duration_6 integer NOT NULL DEFAULT 0,
  duration_7 integer NOT NULL DEFAULT 0,
  duration_8 integer NOT NULL DEFAULT 0,
  duration_9 integer NOT NULL DEFAULT 0,
  duration_10 integer NOT NULL DEFAULT 0,
  first_event_1 integer NOT NULL DEFAULT 0,
  first_event_2 integer NOT NULL DEFAULT 0,
  first_event_3 integer NOT NULL DEFAULT 0,
  first_event_4 integer NOT NULL DEFAULT 0,
  first_event_5 integer NOT NULL DEFAULT 0,
  first_event_6 integer NOT NULL DEFAULT 0,
  first_event_7 integer NOT NULL DEFAULT 0,
  first_event_8 integer NOT NULL DEFAULT 0,
  first_event_9 integer NOT NULL DEFAULT 0,
  first_event_10 integer NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_days_pkey PRIMARY KEY (workspace_id, starts_at, project_id, model, dialect, outcome)
);

CREATE TABLE usage_folding (
  is_only boolean NOT NULL DEFAULT true,
  folded pg_snapshot NOT NULL,
  server bigint NOT NULL,
  unbuilt integer[] NOT NULL,
  CONSTRAINT usage_folding_pkey PRIMARY KEY (is_only),
  CONSTRAINT usage_folding_is_only_check CHECK (is_only)
);

CREATE TABLE usage_hours (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  duration_1 integer NOT NULL DEFAULT 0,
  duration_2 integer NOT NULL DEFAULT 0,
  duration_3 integer NOT NULL DEFAULT 0,
  duration_4 integer NOT NULL DEFAULT 0,
  duration_5 integer NOT NULL DEFAULT 0,
  duration_6 integer NOT NULL DEFAULT 0,
  duration_7 integer NOT NULL DEFAULT 0,
  duration_8 integer NOT NULL DEFAULT 0,
  duration_9 integer NOT NULL DEFAULT 0,
  duration_10 integer NOT NULL DEFAULT 0,
  first_event_1 integer NOT NULL DEFAULT 0,
  first_event_2 integer NOT NULL DEFAULT 0,
  first_event_3 integer NOT NULL DEFAULT 0,
  first_event_4 integer NOT NULL DEFAULT 0,
  first_event_5 integer NOT NULL DEFAULT 0,
  first_event_6 integer NOT NULL DEFAULT 0,
  first_event_7 integer NOT NULL DEFAULT 0,
  first_event_8 integer NOT NULL DEFAULT 0,
  first_event_9 integer NOT NULL DEFAULT 0,
  first_event_10 integer NOT NULL DEFAULT 0,
  week integer NOT NULL,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_hours_pkey PRIMARY KEY (workspace_id, starts_at, project_id, model, dialect, outcome, week)
);

CREATE TABLE usage_key_days (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  key_id uuid NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_key_days_pkey PRIMARY KEY (workspace_id, starts_at, key_id, model, dialect, outcome)
);

CREATE TABLE usage_key_hours (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  key_id uuid NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  week integer NOT NULL,
  last_used_at timestamp with time zone,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_key_hours_pkey PRIMARY KEY (workspace_id, starts_at, key_id, model, dialect, outcome, week)
);

CREATE TABLE usage_key_months (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  key_id uuid NOT NULL,
  project_id uuid NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_key_months_pkey PRIMARY KEY (workspace_id, starts_at, key_id)
);

CREATE TABLE usage_keys (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT usage_keys_pkey PRIMARY KEY (workspace_id, key_id)
);

CREATE TABLE usage_member_days (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  member uuid NOT NULL,
  project_id uuid NOT NULL,
  model text NOT NULL,
  dialect text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  charge_nano_usd bigint NOT NULL DEFAULT 0,
  corrected_nano_usd bigint NOT NULL DEFAULT 0,
  write_off_nano_usd bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cached_input_tokens bigint NOT NULL DEFAULT 0,
  cache_write_5m_tokens bigint NOT NULL DEFAULT 0,
  cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  audio_input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  audio_output_tokens bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  costed_requests bigint NOT NULL DEFAULT 0,
  CONSTRAINT usage_member_days_pkey PRIMARY KEY (workspace_id, starts_at, member, project_id, model, dialect, outcome)
);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_identities_user ON public.user_identities USING btree (user_id);

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  email_verified_at timestamp with time zone,
  name text NOT NULL,
  password_hash text,
  is_operator boolean NOT NULL DEFAULT false,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email)
);

CREATE TABLE webhook_endpoints (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  secret text,
  former_secret text,
  former_until timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  encrypted_secret bytea,
  encrypted_former_secret bytea,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT webhook_endpoints_id_key UNIQUE (id),
  CONSTRAINT webhook_endpoints_have_one_former_secret CHECK ((num_nonnulls(former_secret, encrypted_former_secret) < 2)),
  CONSTRAINT webhook_endpoints_have_one_secret CHECK ((num_nonnulls(secret, encrypted_secret) = 1))
);

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  archived_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  suspended_at timestamp with time zone,
  suspension_reason text,
  closing_at timestamp with time zone,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_suspended_for_a_reason CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL)))
);
CREATE INDEX workspaces_closing ON public.workspaces USING btree (closing_at) WHERE ((closing_at IS NOT NULL) AND (archived_at IS NULL));
CREATE UNIQUE INDEX workspaces_name ON public.workspaces USING btree (name) WHERE (archived_at IS NULL);
CREATE TRIGGER workspaces_version BEFORE UPDATE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE VIEW postings AS
 SELECT workspace_id,
    id,
    kind,
    actor,
    reason,
    once,
    receipt_request_id,
    balance_nano_usd,
    posted_at,
    number,
    ( SELECT COALESCE(sum(e.amount_nano_usd), 0::numeric)::bigint AS "coalesce"
           FROM ledger_entries e
          WHERE e.posting_id = p.id AND (e.account = ANY (ARRAY['credit'::text, 'owed'::text]))) AS amount_nano_usd
   FROM ledger_postings p;

CREATE OR REPLACE FUNCTION public.apply_budget(p projects)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    values (p.workspace_id, 'project', p.id, p.budget_period, v_start, v_end, p.budget_nano_usd)
    on conflict (workspace_id, kind, subject_id, period, window_start)
      do update set limit_nano_usd = excluded.limit_nano_usd
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
end $function$;
CREATE OR REPLACE FUNCTION public.apply_payment_fact(p_provider text, p_event text, p_fact text, p_payment text, p_top_up uuid, p_workspace uuid, p_origin text, p_reference text, p_amount bigint, p_currency text, p_customer text, p_failure text, OUT outcome text, OUT detail text, OUT top_up uuid, OUT workspace uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
    perform pg_advisory_xact_lock(hashtextextended(p_provider || ' ' || p_payment, 4611220105103830));
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
end $function$;
CREATE OR REPLACE FUNCTION public.begin_auto_top_up(p_workspace uuid, p_id uuid, p_amount bigint, p_fee bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.bound_transaction(p_most text DEFAULT '5s'::text)
 RETURNS text
 LANGUAGE sql
AS $function$
  select set_config('idle_in_transaction_session_timeout', '1s', true)
    || case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', p_most, true)
    end
$function$;
CREATE OR REPLACE FUNCTION public.claim_for_late_receipt(p_epoch bigint, l late_receipt)
 RETURNS uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.claim_idempotency_key(p_epoch bigint, p_workspace uuid, p_key uuid, p_idempotency_key text, p_body bytea, p_request uuid)
 RETURNS TABLE(state text, request_id uuid, answer bytea)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.closed_credit()
 RETURNS TABLE(workspace_id uuid, workspace_name text, credit_nano_usd bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select w.id, w.name, p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - coalesce(pending.amount, 0)
  from workspaces w
  join purses p on p.workspace_id = w.id and p.kind = 'credit' and p.subject_id = w.id
  left join (
    select c.workspace_id, sum(c.credit_nano_usd)::bigint as amount from closed_payments() c group by c.workspace_id
  ) pending on pending.workspace_id = w.id
  where w.archived_at is not null
    and p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd > coalesce(pending.amount, 0)
$function$;
CREATE OR REPLACE FUNCTION public.closed_payments()
 RETURNS TABLE(workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint, paid_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;
CREATE OR REPLACE PROCEDURE public.commit_draw_leases(IN p_epoch bigint, IN p_requests jsonb, IN p_waits boolean, OUT leases json)
 LANGUAGE plpgsql
AS $procedure$
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
      'sequence', d.sequence::text
    )) into leases
    from draw_leases(p_epoch, p_requests, p_waits) d;
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_draw_permits(IN p_epoch bigint, IN p_draws jsonb, IN p_now_ms bigint, IN p_waits boolean, OUT permits json)
 LANGUAGE plpgsql
AS $procedure$
begin
  select json_agg(d) into permits from draw_permits(p_epoch, p_draws, p_now_ms, p_waits) d;
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_look_up_keys(IN p_epoch bigint, IN p_secrets bytea[], IN p_periods text[], IN p_starts timestamp with time zone[], IN p_ends timestamp with time zone[], IN p_sequence bigint, IN p_ahead bigint, IN p_permit_sequence bigint, IN p_tokens bigint, OUT principals json, OUT leases json, OUT permits json)
 LANGUAGE plpgsql
AS $procedure$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens
    ) l;
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_reap_epoch(IN p_epoch bigint, IN p_after bigint, IN p_most integer, IN p_waits boolean, OUT last_purse bigint, OUT busy bigint[])
 LANGUAGE plpgsql
AS $procedure$
begin
  select r.last_purse, r.busy into last_purse, busy
    from epochs cross join lateral reap_epoch(id, p_after, p_most, p_waits) r
    where id = p_epoch and fenced_at is not null;
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_release_leases(IN p_epoch bigint, IN p_purses bigint[], IN p_charged bigint[], IN p_sequences bigint[], IN p_waits boolean, OUT free bigint[])
 LANGUAGE plpgsql
AS $procedure$
begin
  free := array(select release_leases(p_epoch, p_purses, p_charged, p_sequences, p_waits));
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_settle_late_receipts(IN p_epoch bigint, IN p_receipts jsonb, IN p_workspaces uuid[], IN p_keys uuid[], IN p_idempotency_keys text[], IN p_requests uuid[], IN p_answers bytea[])
 LANGUAGE plpgsql
AS $procedure$
begin
  perform settle_late_receipts(p_epoch, p_receipts);
  perform complete_idempotent_requests(p_workspaces, p_keys, p_idempotency_keys, p_requests, p_answers);
  commit;
end $procedure$;
CREATE OR REPLACE PROCEDURE public.commit_settle_receipts(IN p_epoch bigint, IN p_purses bigint[], IN p_amounts bigint[], IN p_context_ids uuid[], IN p_context_numbers bigint[], IN p_context_texts text[], IN p_requests uuid[], IN p_charges bigint[], IN p_numbers bigint[], IN p_attempts jsonb[], IN p_client_requests text[], IN p_claim_workspaces uuid[] DEFAULT NULL::uuid[], IN p_claim_keys uuid[] DEFAULT NULL::uuid[], IN p_idempotency_keys text[] DEFAULT NULL::text[], IN p_claim_requests uuid[] DEFAULT NULL::uuid[], IN p_answers bytea[] DEFAULT NULL::bytea[], IN p_is_repeat boolean DEFAULT false, IN p_extras jsonb[] DEFAULT '{}'::jsonb[])
 LANGUAGE plpgsql
AS $procedure$
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
end $procedure$;
CREATE OR REPLACE FUNCTION public.complete_held_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.complete_idempotent_requests(p_workspace uuid[], p_key uuid[], p_idempotency_key text[], p_request uuid[], p_answer bytea[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  update idempotent_requests i set completed_at = now(), answer = q.answer
  from unnest(p_workspace, p_key, p_idempotency_key, p_request, p_answer) as q (workspace, key, idempotency_key, request, answer)
  where i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    and i.request_id = q.request and i.completed_at is null;
$function$;
CREATE OR REPLACE FUNCTION public.correct_receipt(p_id uuid, p_workspace uuid, p_request uuid, p_charge bigint, p_actor text, p_reason text, p_once text)
 RETURNS posted
 LANGUAGE plpgsql
AS $function$
declare
  r posted;
  v_receipt record;
  v_corrected bigint;
  v_until bigint;
begin
  perform bound_transaction();
  -- Before any purse is locked: what counts receipts holds it for moments. See src/usage/folding.ts.
  perform pg_advisory_xact_lock(4611220105103825);
  select charge_nano_usd as charge, hold_nano_usd as hold, credit_purse_id as credit,
      array[project_purse_id, key_purse_id] as purses
    into strict v_receipt from receipts where workspace_id = p_workspace and request_id = p_request;
  if p_charge < 0 or p_charge > v_receipt.hold then
    raise exception 'a request is charged from nothing to what it held' using errcode = 'check_violation';
  end if;
  perform from purses where id = any (v_receipt.purses || v_receipt.credit::bigint) order by id for no key update;
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
      where id = any (v_receipt.purses);
    insert into changes (kind, subject_id) select 'purse', purse::text from unnest(v_receipt.purses) as purse;
    perform correct_usage(p_workspace, p_request, (r.posting).amount_nano_usd);
  end if;
  return r;
end $function$;
CREATE OR REPLACE FUNCTION public.correct_usage(p_workspace uuid, p_request uuid, p_amount bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.count_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.delete_response(p_workspace uuid, p_response text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.draw(p_epoch bigint, p_requests draw_request[], p_waits boolean)
 RETURNS TABLE(ordinal integer, subject_id uuid, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
    end if;
    perform open_purses(v_requests);
    v_requests := find_purses(p_requests);
    foreach v_request in array v_requests loop
      exit when v_request.purse is not null;
      if not exists (
        select from keys k
        where v_request.kind = 'key' and k.id = v_request.subject_id and (k.workspace_id = v_request.workspace_id) is true
      ) and not exists (
        select from projects x
        where v_request.kind = 'project' and x.id = v_request.subject_id and (x.workspace_id = v_request.workspace_id) is true
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

  -- What is owed counts as spent, what corrections gave back does not. (This is not written back.)
  for r in
    select q.ordinal, q.subject_id, q.purse, q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first,
      coalesce(l.granted_nano_usd, 0) as granted, coalesce(l.charged_nano_usd, 0) as charged,
      coalesce(l.open, false) as is_open, coalesce(l.sequence, 0) as lease_sequence,
      p.limit_nano_usd as purse_limit, p.spent_nano_usd + p.owed_nano_usd - p.corrected_nano_usd as spent,
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
    sequence := case when v_applies then r.sequence else r.lease_sequence end;
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
end $function$;
CREATE OR REPLACE FUNCTION public.draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean)
 RETURNS TABLE(ordinal integer, purse_id bigint, limit_nano_usd bigint, spent_by_others_nano_usd bigint, available_nano_usd bigint, granted_nano_usd bigint, open boolean, mode text, sequence bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query select
    d.ordinal, d.purse_id, d.limit_nano_usd, d.spent_by_others_nano_usd, d.available_nano_usd, d.granted_nano_usd,
    d.open, d.mode, d.sequence
  from draw(p_epoch, find_purses(array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, false, null
    )::draw_request
    from jsonb_to_recordset(p_requests) as q (
      ordinal integer, workspace_id uuid, kind text, subject_id uuid, period text,
      window_start timestamptz, window_end timestamptz,
      sequence bigint, keep bigint, slack bigint, needs bigint[], ahead bigint
    )
  )), p_waits) d;
end $function$;
CREATE OR REPLACE FUNCTION public.draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean)
 RETURNS TABLE(ordinal integer, requests_per_minute bigint, tokens_per_minute bigint, concurrency bigint, requests bigint, tokens bigint, slots bigint, granted boolean[], waits_ms bigint[], short_of text[], request_parts bigint, token_parts bigint, slots_left bigint, share double precision)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.end_statements_of(p_epoch bigint)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.fence_epoch(p_epoch bigint, p_heartbeat timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  e epochs;
begin
  select * into e from epochs where id = p_epoch for update;
  if not found or e.fenced_at is null and e.heartbeat_at <> p_heartbeat then
    return false;
  end if;
  update epochs set fenced_at = clock_timestamp() where id = p_epoch and fenced_at is null;
  return true;
end $function$;
CREATE OR REPLACE FUNCTION public.find_principals(p_secrets bytea[])
 RETURNS TABLE(ordinal integer, workspace_id uuid, project_id uuid, key_id uuid, project_models text[], key_models text[], expires_ms double precision, requests_per_minute bigint, tokens_per_minute bigint, concurrency bigint, budget_period text, reports_cost boolean, suspension_reason text)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from least(k.expires_at, k.secret_expires_at)) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period,
      p.reports_cost, w.suspension_reason
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
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where k.revoked_at is null and k.disabled_at is null and p.archived_at is null and w.archived_at is null
      and w.closing_at is null;
end $function$;
CREATE OR REPLACE FUNCTION public.find_purses(p_requests draw_request[])
 RETURNS draw_request[]
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return array(
    select row(
      q.ordinal, q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end,
      q.sequence, q.keep, q.slack, q.needs, q.ahead, q.is_first, p.id
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
end $function$;
CREATE OR REPLACE FUNCTION public.find_response_chain(p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer)
 RETURNS TABLE(request_id uuid, previous_request_id uuid, input_length integer, encrypted boolean, piece bytea)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, octet_length(r.items)::bigint as bytes
      from stored_responses r
      where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
      order by r.request_id desc limit 1
    )
    union all
    select r.request_id, r.previous_request_id, c.depth + 1, c.bytes + octet_length(r.items)
    from chain c
    join stored_responses r
      on r.request_id = c.previous_request_id and r.workspace_id = p_workspace and r.expires_at > now()
    where c.bytes <= p_bytes_max and c.depth <= p_depth_max
  )
  select c.request_id, c.previous_request_id, r.input_length, r.encrypted, substring(r.items from p.at + 1 for 262144)
  from chain c
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, octet_length(r.items) - 1, 262144) as p (at)
    on (select max(bytes) <= p_bytes_max and max(depth) <= p_depth_max from chain)
  order by c.depth desc, p.at
$function$;
CREATE OR REPLACE FUNCTION public.find_response_input(p_workspace uuid, p_response text, p_bytes_max bigint, p_depth_max integer)
 RETURNS TABLE(request_id uuid, is_too_large boolean, input_length integer, encrypted boolean, piece bytea)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  with recursive chain as (
    (
      select r.request_id, r.previous_request_id, 1 as depth, r.input_length as length, r.input_length::bigint as bytes
      from stored_responses r
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
  select c.request_id, fit.is_too_large, r.input_length, r.encrypted, substring(r.items from p.at + 1 for least(262144, c.length - p.at))
  from chain c
  cross join fit
  join stored_responses r on r.request_id = c.request_id
  left join lateral generate_series(0, c.length - 1, 262144) as p (at) on not fit.is_too_large
  order by c.depth desc, p.at
$function$;
CREATE OR REPLACE FUNCTION public.find_response_items(p_workspace uuid, p_items text[], p_bytes_max bigint)
 RETURNS TABLE(item_id text, request_id uuid, starts_at integer, length integer, encrypted boolean, is_too_large boolean, bytes bytea)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;
CREATE OR REPLACE FUNCTION public.fresh_id()
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575)
$function$;
CREATE OR REPLACE FUNCTION public.give_back_leases(p_epoch bigint, p_purses bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.keep_responses(p_keep_ms bigint, p_bytes_max bigint, p_workspaces uuid[], p_requests uuid[], p_ids text[], p_previous uuid[], p_spans integer[], p_bytes bytea, p_item_ids text[], p_item_numbers integer[], p_ancestors uuid[])
 RETURNS TABLE(refused uuid)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.late_purses(l late_receipt)
 RETURNS bigint[]
 LANGUAGE sql
 STABLE
AS $function$
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
  ]
$function$;
CREATE OR REPLACE FUNCTION public.late_receipts(p_receipts jsonb)
 RETURNS SETOF late_receipt
 LANGUAGE sql
 STABLE
AS $function$
  select * from jsonb_populate_recordset(null::late_receipt, p_receipts)
$function$;
CREATE OR REPLACE FUNCTION public.ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end $function$;
CREATE OR REPLACE FUNCTION public.ledger_posting_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select sum(amount_nano_usd) from ledger_entries where posting_id = new.posting_id) <> 0 then
    raise exception 'ledger posting % does not balance', new.posting_id;
  end if;
  return null;
end $function$;
CREATE OR REPLACE FUNCTION public.limit_member_keys(p_workspace uuid, p_project uuid, p_limit bigint, p_roles text[])
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  v_keys uuid[];
begin
  perform bound_transaction('30s');
  select array_agg(id) into v_keys from (
    select k.id from keys k join members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    where k.workspace_id = p_workspace and k.project_id = p_project and k.revoked_at is null and m.role = any (p_roles)
      and (k.spend_limit_nano_usd is null or k.spend_limit_nano_usd > p_limit)
    order by k.id for no key update of k
  ) above;
  if v_keys is null then
    return 0;
  end if;
  update keys set spend_limit_nano_usd = p_limit where workspace_id = p_workspace and id = any (v_keys);
  -- In the order of draws, and with the project's, which the caller may change next.
  perform 1 from purses
    where workspace_id = p_workspace
      and (kind = 'project' and subject_id = p_project or kind = 'key' and subject_id = any (v_keys))
      and (window_end is null or window_end > clock_timestamp())
    order by id for no key update;
  with purse as (
    update purses set limit_nano_usd = p_limit
    where workspace_id = p_workspace and kind = 'key' and subject_id = any (v_keys) and period = 'month'
      and window_start = date_trunc('month', clock_timestamp(), 'UTC')
    returning id
  )
  insert into changes (kind, subject_id) select 'purse', id::text from purse;
  insert into changes (kind, subject_id) select 'key', id::text from unnest(v_keys) as key (id);
  return cardinality(v_keys);
end $function$;
CREATE OR REPLACE FUNCTION public.lock_claims(p_workspace uuid[], p_key uuid[], p_idempotency_key text[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  select from idempotent_requests i
    join unnest(p_workspace, p_key, p_idempotency_key) as q (workspace, key, idempotency_key)
      on i.workspace_id = q.workspace and i.key_id = q.key and i.idempotency_key = q.idempotency_key
    order by i.workspace_id, i.key_id, i.idempotency_key
    for update of i
$function$;
CREATE OR REPLACE FUNCTION public.lock_purses(p_epoch bigint, p_purses bigint[], p_waits boolean)
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.look_up_keys(p_epoch bigint, p_secrets bytea[], p_periods text[], p_starts timestamp with time zone[], p_ends timestamp with time zone[], p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint)
 RETURNS TABLE(principals json, leases json, permits json)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null
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
        'sequence', d.sequence::text
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $function$;
CREATE OR REPLACE FUNCTION public.match_payment(t top_ups, p_provider text, p_fact text, p_payment text, p_workspace uuid, p_origin text, p_amount bigint, p_currency text, OUT outcome text, OUT detail text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.move_top_up(t top_ups, p_fact text, p_payment text, p_customer text, p_failure text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.next_cost_time()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(4611220105103825);
  return greatest(
    clock_timestamp(),
    (select max(last_used_at) from usage_keys) + interval '1 microsecond',
    (select max(created_at) from cost_versions) + interval '1 microsecond');
end $function$;
CREATE OR REPLACE FUNCTION public.open_purses(p_requests draw_request[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.spend_limit_nano_usd
    from (
      select * from unnest(p_requests) where purse is null and kind = 'key'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select spend_limit_nano_usd from keys k
      where k.id = q.subject_id and (k.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.budget_nano_usd
    from (
      select * from unnest(p_requests) where purse is null and kind = 'project'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select budget_nano_usd from projects x
      where x.id = q.subject_id and (x.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
end $function$;
CREATE OR REPLACE FUNCTION public.permit_parts(p_parts numeric, p_per_minute bigint, p_elapsed_ms bigint, p_in_stock bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_per_minute is not null then greatest(
    -9000000000000000000,
    least(
      coalesce(p_parts, p_per_minute * 60000::numeric) + greatest(0, p_elapsed_ms)::numeric * p_per_minute,
      (p_per_minute - p_in_stock) * 60000::numeric
    )
  )::bigint end
$function$;
CREATE OR REPLACE FUNCTION public.permit_stock(p_left bigint, p_limit bigint, p_keep bigint, p_target bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_limit is null then p_keep
    else greatest(p_keep, least(p_target, p_limit / 16, p_left - (p_limit + 1) / 2))
  end
$function$;
CREATE OR REPLACE FUNCTION public.permit_wait_ms(p_parts bigint, p_needed bigint, p_per_minute bigint, p_others_stock bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_per_minute is null or p_parts >= p_needed then 0
    else greatest(
      ceil((p_needed::numeric - p_parts) / p_per_minute)::bigint,
      case when p_needed > (p_per_minute - p_others_stock) * 60000::numeric then 1000 else 0 end
    )
  end
$function$;
CREATE OR REPLACE FUNCTION public.permits_taken(p_minute bigint, p_taken bigint, p_taken_before bigint, p_now_ms bigint)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case p_now_ms / 60000 - p_minute
    when 0 then p_taken + p_taken_before * (60000 - p_now_ms % 60000) / 60000.0
    when 1 then p_taken * (60000 - p_now_ms % 60000) / 60000.0
    else 0
  end::double precision
$function$;
CREATE OR REPLACE FUNCTION public.post_credit(p_id uuid, p_workspace uuid, p_kind text, p_amount bigint, p_actor text, p_reason text, p_once text, p_receipt uuid, p_is_reported boolean DEFAULT false)
 RETURNS posted
 LANGUAGE plpgsql
AS $function$
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
          and (r.posting).receipt_request_id is not distinct from p_receipt then 'repeated'
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
      (case p_kind when 'grant' then 'promotions' when 'adjustment' then 'adjustments' else 'payments' end, -p_amount)
    ) as entry (account, amount) where amount <> 0;
  update purses set limit_nano_usd = limit_nano_usd + v_credit, owed_nano_usd = owed_nano_usd - v_owed where id = p.id;
  insert into changes (kind, subject_id) values ('purse', p.id::text);
  select q into r.posting from postings q where q.id = p_id;
  return r;
end $function$;
CREATE OR REPLACE FUNCTION public.post_reversals(t top_ups)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.prune_responses(p_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.read_response(p_workspace uuid, p_response text)
 RETURNS TABLE(request_id uuid, encrypted boolean, piece bytea)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  select newest.request_id, newest.encrypted, substring(newest.response from p.at + 1 for 262144)
  from (
    select r.request_id, r.encrypted, r.response from stored_responses r
    where r.workspace_id = p_workspace and r.response_id = p_response and r.expires_at > now()
    order by r.request_id desc limit 1
  ) newest
  cross join lateral generate_series(0, octet_length(newest.response) - 1, 262144) as p (at)
  order by p.at
$function$;
CREATE OR REPLACE FUNCTION public.reap_epoch(p_epoch bigint, p_after bigint, p_most integer, p_waits boolean, OUT last_purse bigint, OUT busy bigint[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.receipt_cost(p_model text, p_provider text, p_upstream_model text, p_admitted_at timestamp with time zone, p_input integer, p_cached_input integer, p_cache_write_5m integer, p_cache_write_1h integer, p_audio_input integer, p_output integer, p_audio_output integer, p_uses jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(cost_nano_usd bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select div(
      p_input::numeric * input_rate + p_cached_input::numeric * cached_input_rate
      + p_cache_write_5m::numeric * cache_write_5m_rate + p_cache_write_1h::numeric * cache_write_1h_rate
      + p_audio_input::numeric * audio_input_rate + p_output::numeric * output_rate
      + p_audio_output::numeric * audio_output_rate + 999999
      + case when p_uses is null or fees is null then 0 else 1000000 * coalesce((
          select sum(number::numeric * (fees ->> use)::numeric) from jsonb_each_text(p_uses) as used (use, number)
        ), 0) end,
      1000000)::bigint
  from cost_versions
  where model = p_model and provider = p_provider and upstream_model = p_upstream_model
    and p_admitted_at >= created_at and (retired_at is null or p_admitted_at < retired_at)
    and p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input >= input_from
    and (input_to is null
      or p_input::bigint + p_cached_input + p_cache_write_5m + p_cache_write_1h + p_audio_input < input_to)
$function$;
CREATE OR REPLACE FUNCTION public.receipts_are_sealed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the receipts of % are sealed', tg_table_name using errcode = 'check_violation';
end $function$;
CREATE OR REPLACE FUNCTION public.record_reversal(p_provider text, p_fact text, p_reference text, p_payment text, p_amount bigint, p_currency text, OUT outcome text, OUT detail text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.redeem_code(p_sha256 bytea, p_workspace uuid, p_top_up uuid, p_actor text, OUT outcome text, OUT top_up uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.refund_closed(p_workspace uuid, p_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.refund_closing(p_workspace uuid, p_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.release_idempotency_key(p_workspace uuid, p_key uuid, p_idempotency_key text, p_request uuid, p_in_doubt boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  perform bound_transaction();
  if p_in_doubt then
    perform pg_advisory_xact_lock(hashtextextended('claim of request ' || p_request, 0));
    insert into cancelled_claims (request_id) values (p_request) on conflict do nothing;
  end if;
  delete from idempotent_requests
    where workspace_id = p_workspace and key_id = p_key and idempotency_key = p_idempotency_key
      and request_id = p_request and completed_at is null;
end $function$;
CREATE OR REPLACE FUNCTION public.release_leases(p_epoch bigint, p_purses bigint[], p_charged bigint[], p_sequences bigint[], p_waits boolean)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;
CREATE OR REPLACE FUNCTION public.require_live_epoch(p_epoch bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform bound_transaction();
  perform from epochs where id = p_epoch and fenced_at is null for key share;
  if not found then
    raise exception 'epoch % is fenced', p_epoch using errcode = 'FG001';
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.settle_late_receipts(p_epoch bigint, p_receipts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  r record;
  v_free bigint;
  v_taken bigint;
  v_superseded_by uuid;
begin
  perform bound_transaction();
  perform wait_briefly();
  -- The same journal may be replayed by two processes; the second finds the receipts there.
  perform pg_advisory_xact_lock(hashtextextended('late charges of epoch ' || p_epoch, 0));
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select l.workspace, 'key', l.key, l.key_period, l.key_start, l.key_end, k.spend_limit_nano_usd
    from late_receipts(p_receipts) l join keys k on k.workspace_id = l.workspace and k.id = l.key
    where not exists (select from purses p where p.id = l.key_purse)
    order by l.workspace, l.key, l.key_period, l.key_start
    for share of k
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
    select l.workspace, 'project', l.project, l.project_period, l.project_start, l.project_end, x.budget_nano_usd
    from late_receipts(p_receipts) l join projects x on x.workspace_id = l.workspace and x.id = l.project
    where not exists (select from purses p where p.id = l.project_purse)
    order by l.workspace, l.project, l.project_period, l.project_start
    for share of x
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
        limit_nano_usd - spent_nano_usd - leased_nano_usd - owed_nano_usd + corrected_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0) from leases l where l.purse_id = p.id and l.open)
      ) into v_free
      from purses p where id = any (r.purses);
    v_taken := case when v_superseded_by is null then least(r.charge, greatest(0, v_free)) else 0 end;
    update purses set spent_nano_usd = spent_nano_usd + v_taken where id = any (r.purses);
    insert into receipts (
      workspace_id, request_id, project_id, key_id, epoch_id,
      credit_purse_id, project_purse_id, key_purse_id,
      dialect, model, price_version_id, outcome,
      charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
      input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
      audio_input_tokens, output_tokens, audio_output_tokens,
      shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
      provider, upstream_model, attempt_ms, attempts, client_request_id, late, superseded_by,
      session, left_out, retry, uses
    ) values (
      r.workspace, r.request, r.project, r.key, p_epoch,
      r.purses[1], r.purses[2], r.purses[3],
      r.dialect, r.model, r.price_version, r.outcome,
      v_taken, r.hold, r.write_off + r.charge - v_taken, r.fees, r.certainty,
      r.input, r.cached_input, r.cache_write_5m, r.cache_write_1h,
      r.audio_input, r.output, r.audio_output,
      r.shortened, r.streamed, to_timestamp(r.admitted_ms / 1000), r.duration_ms, r.first_event_ms,
      r.provider, r.upstream_model, r.attempt_ms, r.attempts, r.client_request, true, v_superseded_by,
      r.extras ->> 'session', (r.extras ->> 'left_out')::text[], (r.extras ->> 'retry')::boolean,
      r.extras -> 'uses'
    );
  end loop;
end $function$;
CREATE OR REPLACE FUNCTION public.settle_receipts(p_epoch bigint, p_purses bigint[], p_amounts bigint[], p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[], p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[], p_extras jsonb[] DEFAULT '{}'::jsonb[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_charged bigint;
begin
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
    credit_purse_id, project_purse_id, key_purse_id,
    dialect, model, price_version_id, outcome,
    charge_nano_usd, hold_nano_usd, write_off_nano_usd, fees_nano_usd, usage_certainty,
    input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    audio_input_tokens, output_tokens, audio_output_tokens,
    shortened_to_tokens, streamed, admitted_at, duration_ms, first_event_ms,
    provider, upstream_model, attempt_ms, attempts, client_request_id,
    session, left_out, retry, uses
  )
  select
    p_context_ids[context][1], p_requests[i], p_context_ids[context][2], p_context_ids[context][3],
    p_epoch,
    p_context_numbers[context][1], p_context_numbers[context][2], p_context_numbers[context][3],
    (array['chat_completions', 'embeddings', 'messages', 'responses', 'completions'])[p_numbers[i][18]],
    p_context_texts[context][1],
    p_context_numbers[context][4], (array['completed', 'interrupted', 'abandoned', 'failed'])[p_numbers[i][16]],
    p_charges[i], p_numbers[i][2], p_numbers[i][3], p_numbers[i][19], (array['exact', 'estimated'])[p_numbers[i][17]],
    p_numbers[i][7], p_numbers[i][8], p_numbers[i][9], p_numbers[i][10],
    p_numbers[i][11], p_numbers[i][12], p_numbers[i][13],
    nullif(p_numbers[i][14], -1), p_numbers[i][15] = 1, to_timestamp(p_numbers[i][4] / 1e6::double precision),
    p_numbers[i][5], nullif(p_numbers[i][6], -1),
    p_context_texts[context][2], p_context_texts[context][3], nullif(p_numbers[i][20], -1),
    p_attempts[i], p_client_requests[i],
    extras ->> 'session', (extras ->> 'left_out')::text[], (extras ->> 'retry')::boolean, extras -> 'uses'
  from (
    -- A subquery that stays apart computes the context once a receipt, not for each column that comes from it.
    select i, p_numbers[i][1] as context, p_extras[i] as extras from generate_series(1, cardinality(p_requests)) as i offset 0
  ) q;
end $function$;
CREATE OR REPLACE FUNCTION public.settle_receipts_again(p_epoch bigint, p_purses bigint[], p_amounts bigint[], p_context_ids uuid[], p_context_numbers bigint[], p_context_texts text[], p_requests uuid[], p_charges bigint[], p_numbers bigint[], p_attempts jsonb[], p_client_requests text[], p_extras jsonb[] DEFAULT '{}'::jsonb[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
      from unnest(v_new) as i cross join generate_series(1, 3) as level group by 1
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
end $function$;
CREATE OR REPLACE FUNCTION public.take_free_answer(p_workspace uuid, p_project uuid, p_cost bigint, p_most bigint)
 RETURNS TABLE(taken_nano_usd bigint)
 LANGUAGE sql
AS $function$
  insert into free_answers as f (workspace_id, project_id, hour, cost_nano_usd)
    select p_workspace, p_project, date_trunc('hour', now(), 'UTC'), p_cost where p_cost <= p_most
    on conflict (workspace_id, project_id) do update set
      hour = excluded.hour,
      cost_nano_usd = excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end
      where excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end <= p_most
    returning cost_nano_usd
$function$;
CREATE OR REPLACE FUNCTION public.update_key(p_workspace uuid, p_key uuid, p_given jsonb)
 RETURNS SETOF keys
 LANGUAGE plpgsql
AS $function$
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
    expires_at = k.expires_at, disabled_at = k.disabled_at, metadata = k.metadata
    where workspace_id = p_workspace and id = p_key returning * into k;
  if p_given ? 'spend_limit_nano_usd' then
    with purse as (
      update purses set limit_nano_usd = k.spend_limit_nano_usd
      where workspace_id = p_workspace and kind = 'key' and subject_id = p_key and period = 'month'
        and window_start = date_trunc('month', clock_timestamp(), 'UTC')
      returning id
    )
    insert into changes (kind, subject_id) select 'purse', id::text from purse;
  end if;
  insert into changes (kind, subject_id) values ('key', p_key::text);
  return next k;
end $function$;
CREATE OR REPLACE FUNCTION public.update_project(p_workspace uuid, p_project uuid, p_given jsonb)
 RETURNS SETOF projects
 LANGUAGE plpgsql
AS $function$
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
    reports_cost = p.reports_cost
    where workspace_id = p_workspace and id = p_project returning * into p;
  if p_given ?| array['budget_nano_usd', 'budget_period'] then
    perform apply_budget(p);
  end if;
  insert into changes (kind, subject_id) values ('project', p_project::text);
  return next p;
end $function$;
CREATE OR REPLACE FUNCTION public.wait_briefly()
 RETURNS text
 LANGUAGE sql
AS $function$
  select set_config('lock_timeout', '250ms', true)
$function$;
