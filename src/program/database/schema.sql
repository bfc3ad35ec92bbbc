-- What migrations make. Written by tools/schema-snapshot.ts; a test fails when it is stale.

CREATE SEQUENCE fresh_ids AS bigint;

-- Tables name these functions. The files of functions/ define them.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION fresh_id() RETURNS bigint LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION keep_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION keep_paused() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION keep_posting() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION ledger_posting_balances() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;
CREATE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$ begin raise exception 'only declared'; end $$;

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
  CONSTRAINT access_tokens_secret_sha256_key UNIQUE (secret_sha256)
);
CREATE INDEX access_tokens_user ON public.access_tokens USING btree (user_id, id);
CREATE TRIGGER access_tokens_paused BEFORE INSERT OR DELETE OR UPDATE OF revoked_at, scopes, name ON public.access_tokens FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  CONSTRAINT alert_rules_threshold_check CHECK ((threshold > 0))
);
CREATE TRIGGER alert_rules_paused BEFORE INSERT OR DELETE OR UPDATE ON public.alert_rules FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE alert_watches (
  workspace_id uuid NOT NULL,
  credited_nano_usd numeric NOT NULL,
  spent_nano_usd numeric NOT NULL,
  looked_at timestamp with time zone NOT NULL,
  marks jsonb NOT NULL,
  defaults_version integer NOT NULL DEFAULT 1,
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
  CONSTRAINT alerts_id_key UNIQUE (id)
);
CREATE INDEX alerts_ending ON public.alerts USING btree (window_end) WHERE ((resolved_at IS NULL) AND (window_end IS NOT NULL));
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (workspace_id, rule_id, subject_id, window_start) WHERE (resolved_at IS NULL);
CREATE INDEX alerts_resolved ON public.alerts USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);

CREATE TABLE arrivals (
  workspace_id uuid NOT NULL,
  move_id uuid NOT NULL,
  shard text NOT NULL,
  state text NOT NULL,
  prices jsonb NOT NULL DEFAULT '{}'::jsonb,
  begun_at timestamp with time zone NOT NULL DEFAULT now(),
  receipts bigint NOT NULL DEFAULT 0,
  charges_nano_usd numeric NOT NULL DEFAULT 0,
  write_offs_nano_usd numeric NOT NULL DEFAULT 0,
  CONSTRAINT arrivals_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT arrivals_state_check CHECK ((state = ANY (ARRAY['arriving'::text, 'landed'::text, 'open'::text])))
);

CREATE TABLE arriving_rows (
  workspace_id uuid NOT NULL,
  table_name text NOT NULL,
  key text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "row" jsonb NOT NULL,
  CONSTRAINT arriving_rows_pkey PRIMARY KEY (workspace_id, table_name, key)
);

CREATE TABLE audit_chains (
  scope_id uuid NOT NULL,
  length bigint NOT NULL,
  chain_sha256 bytea NOT NULL,
  dropped_to bigint NOT NULL DEFAULT 0,
  dropped_by uuid,
  CONSTRAINT audit_chains_pkey PRIMARY KEY (scope_id)
) WITH (fillfactor=50);

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
  CONSTRAINT audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'session'::text, 'access_token'::text, 'job'::text])))
);
CREATE INDEX audit_events_target ON public.audit_events USING btree (target_id, id);
CREATE INDEX audit_events_workspace ON public.audit_events USING btree (workspace_id, id);
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION keep_audit_event();
CREATE CONSTRAINT TRIGGER audit_events_are_linked AFTER INSERT ON public.audit_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_audit_event();
CREATE TRIGGER audit_events_paused BEFORE INSERT OR DELETE OR UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE audit_links (
  scope_id uuid NOT NULL,
  "position" bigint NOT NULL,
  event_id uuid NOT NULL,
  event_sha256 bytea NOT NULL,
  chain_sha256 bytea NOT NULL,
  CONSTRAINT audit_links_pkey PRIMARY KEY (scope_id, "position"),
  CONSTRAINT audit_links_event_id_key UNIQUE (event_id)
);
CREATE TRIGGER audit_links_append_only BEFORE DELETE OR UPDATE ON public.audit_links FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE audit_redactions (
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  event_id uuid NOT NULL,
  event_sha256 bytea NOT NULL,
  by_event uuid NOT NULL,
  CONSTRAINT audit_redactions_pkey PRIMARY KEY (number)
);
CREATE INDEX audit_redactions_by ON public.audit_redactions USING btree (by_event, number);
CREATE INDEX audit_redactions_event ON public.audit_redactions USING btree (event_id, number);

CREATE TABLE authenticators (
  user_id uuid NOT NULL,
  secret bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  confirmed_at timestamp with time zone,
  last_step bigint NOT NULL DEFAULT 0,
  encrypted_secret bytea,
  CONSTRAINT authenticators_pkey PRIMARY KEY (user_id),
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

CREATE TABLE cells (
  shard text COLLATE "C" NOT NULL,
  url text NOT NULL,
  encrypted_token bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  added_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT cells_pkey PRIMARY KEY (shard),
  CONSTRAINT cells_shard_check CHECK ((shard ~ '^[0-9A-Za-z]{2}$'::text))
);

CREATE TABLE changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  kind text NOT NULL,
  subject_id text NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT changes_pkey PRIMARY KEY (id)
);
CREATE INDEX changes_transaction ON public.changes USING btree (transaction_id);

CREATE TABLE cost_versions (
  model text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  upstream_model text COLLATE "C" NOT NULL,
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
  service_tiers jsonb,
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

CREATE TABLE database_shard (
  shard text NOT NULL,
  is_only boolean NOT NULL DEFAULT true,
  CONSTRAINT database_shard_pkey PRIMARY KEY (shard),
  CONSTRAINT database_shard_is_only_key UNIQUE (is_only),
  CONSTRAINT database_shard_is_only_check CHECK (is_only),
  CONSTRAINT database_shard_shard_check CHECK ((shard ~ '^[0-9A-Za-z]{2}$'::text))
);

CREATE UNLOGGED TABLE departing_rows (
  workspace_id uuid NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  table_name text NOT NULL,
  key text NOT NULL,
  "row" text NOT NULL,
  CONSTRAINT departing_rows_pkey PRIMARY KEY (workspace_id, number)
);

CREATE TABLE directories (
  workspace_id uuid NOT NULL,
  secret_sha256 bytea NOT NULL,
  last_four text NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT directories_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT directories_secret_sha256_key UNIQUE (secret_sha256)
);
CREATE TRIGGER directories_paused BEFORE INSERT OR DELETE OR UPDATE ON public.directories FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE directory_group_members (
  workspace_id uuid NOT NULL,
  group_id uuid NOT NULL,
  directory_user_id uuid NOT NULL,
  CONSTRAINT directory_group_members_pkey PRIMARY KEY (workspace_id, group_id, directory_user_id)
);
CREATE INDEX directory_group_members_user ON public.directory_group_members USING btree (workspace_id, directory_user_id);
CREATE TRIGGER directory_group_members_paused BEFORE INSERT OR DELETE OR UPDATE ON public.directory_group_members FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE directory_groups (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT directory_groups_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT directory_groups_id_key UNIQUE (id)
);
CREATE UNIQUE INDEX directory_groups_name ON public.directory_groups USING btree (workspace_id, lower(display_name));
CREATE TRIGGER directory_groups_paused BEFORE INSERT OR DELETE OR UPDATE ON public.directory_groups FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE directory_leavers (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  left_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT directory_leavers_pkey PRIMARY KEY (workspace_id, user_id)
);
CREATE TRIGGER directory_leavers_paused BEFORE INSERT OR DELETE OR UPDATE ON public.directory_leavers FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE directory_users (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  user_name text NOT NULL,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT directory_users_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT directory_users_id_key UNIQUE (id)
);
CREATE INDEX directory_users_account ON public.directory_users USING btree (user_id);
CREATE INDEX directory_users_external ON public.directory_users USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX directory_users_name ON public.directory_users USING btree (workspace_id, lower(user_name));
CREATE UNIQUE INDEX directory_users_user ON public.directory_users USING btree (workspace_id, user_id);
CREATE TRIGGER directory_users_paused BEFORE INSERT OR DELETE OR UPDATE ON public.directory_users FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE end_user_limits (
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  limit_nano_usd bigint,
  raised_limit_nano_usd bigint,
  raised_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT end_user_limits_pkey PRIMARY KEY (project_id, id),
  CONSTRAINT end_user_limits_limit_nano_usd_check CHECK ((limit_nano_usd >= 0)),
  CONSTRAINT end_user_limits_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 512)))
);
CREATE TRIGGER end_user_limits_paused BEFORE INSERT OR DELETE OR UPDATE ON public.end_user_limits FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
ALTER TABLE epochs ALTER COLUMN leases_in_use SET STORAGE EXTERNAL;
CREATE INDEX epochs_unreaped ON public.epochs USING btree (instance_id) WHERE (reaped_at IS NULL);

CREATE TABLE expiring_grants (
  workspace_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  given_at timestamp with time zone NOT NULL,
  amount_nano_usd bigint NOT NULL,
  rest_nano_usd bigint NOT NULL,
  expired_nano_usd bigint NOT NULL DEFAULT 0,
  other_nano_usd bigint NOT NULL,
  recurring_id uuid,
  looked_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT expiring_grants_pkey PRIMARY KEY (workspace_id, posting_id),
  CONSTRAINT expiring_grants_amount_nano_usd_check CHECK ((amount_nano_usd >= 0)),
  CONSTRAINT expiring_grants_are_whole CHECK (((rest_nano_usd >= 0) AND ((rest_nano_usd + expired_nano_usd) <= amount_nano_usd))),
  CONSTRAINT expiring_grants_expired_nano_usd_check CHECK ((expired_nano_usd >= 0))
);
CREATE INDEX expiring_grants_due ON public.expiring_grants USING btree (expires_at) WHERE (ended_at IS NULL);
CREATE TRIGGER expiring_grants_paused BEFORE INSERT OR DELETE OR UPDATE ON public.expiring_grants FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE former_secrets (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  public_id text NOT NULL,
  last_four text NOT NULL,
  secret_sha256 bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT former_secrets_pkey PRIMARY KEY (workspace_id, key_id),
  CONSTRAINT former_secrets_public_id_key UNIQUE (public_id),
  CONSTRAINT former_secrets_secret_sha256_key UNIQUE (secret_sha256)
);
CREATE TRIGGER former_secrets_paused BEFORE INSERT OR DELETE OR UPDATE ON public.former_secrets FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE free_answers (
  workspace_id uuid NOT NULL,
  project_id uuid NOT NULL,
  hour timestamp with time zone NOT NULL,
  cost_nano_usd bigint NOT NULL,
  CONSTRAINT free_answers_pkey PRIMARY KEY (workspace_id, project_id),
  CONSTRAINT free_answers_cost_nano_usd_check CHECK ((cost_nano_usd >= 0))
);

CREATE TABLE grant_counts (
  workspace_id uuid NOT NULL,
  charged_nano_usd bigint NOT NULL,
  other_nano_usd bigint NOT NULL,
  CONSTRAINT grant_counts_pkey PRIMARY KEY (workspace_id)
);
CREATE TRIGGER grant_counts_paused BEFORE INSERT OR DELETE OR UPDATE ON public.grant_counts FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  monthly_limit_nano_usd bigint,
  key_id uuid,
  batch_id uuid,
  CONSTRAINT invitations_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT invitations_id_key UNIQUE (id),
  CONSTRAINT invitations_token_sha256_key UNIQUE (token_sha256)
);
CREATE INDEX invitations_key ON public.invitations USING btree (workspace_id, key_id) WHERE (key_id IS NOT NULL);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (workspace_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE TRIGGER invitations_paused BEFORE INSERT OR DELETE OR UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  allowed_networks text[],
  raised_limit_nano_usd bigint,
  raised_until timestamp with time zone,
  CONSTRAINT keys_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT keys_id_key UNIQUE (id),
  CONSTRAINT keys_public_id_key UNIQUE (public_id),
  CONSTRAINT keys_secret_sha256_key UNIQUE (secret_sha256),
  CONSTRAINT keys_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'console'::text]))),
  CONSTRAINT keys_spend_limit_nano_usd_check CHECK ((spend_limit_nano_usd >= 0))
);
CREATE UNIQUE INDEX keys_console ON public.keys USING btree (workspace_id, project_id, created_by) NULLS NOT DISTINCT WHERE ((kind = 'console'::text) AND (revoked_at IS NULL));
CREATE INDEX keys_project ON public.keys USING btree (workspace_id, project_id, id);
CREATE TRIGGER keys_paused BEFORE INSERT OR DELETE OR UPDATE ON public.keys FOR EACH ROW EXECUTE FUNCTION keep_paused();
CREATE TRIGGER keys_version BEFORE UPDATE ON public.keys FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE leases (
  epoch_id bigint NOT NULL,
  purse_id bigint NOT NULL,
  granted_nano_usd bigint NOT NULL DEFAULT 0,
  charged_nano_usd bigint NOT NULL DEFAULT 0,
  open boolean NOT NULL DEFAULT false,
  sequence bigint NOT NULL DEFAULT 0,
  CONSTRAINT leases_pkey PRIMARY KEY (epoch_id, purse_id),
  CONSTRAINT leases_charged_within_grant CHECK (((charged_nano_usd >= 0) AND (granted_nano_usd >= 0) AND (open OR (charged_nano_usd <= granted_nano_usd))))
);
CREATE INDEX leases_purse ON public.leases USING btree (purse_id);

CREATE TABLE ledger_entries (
  workspace_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  account text NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (posting_id, account),
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
  CONSTRAINT ledger_postings_corrections_adjust CHECK (((receipt_request_id IS NULL) OR (kind = 'adjustment'::text)))
);
CREATE UNIQUE INDEX ledger_postings_number ON public.ledger_postings USING btree (workspace_id, number);
CREATE UNIQUE INDEX ledger_postings_once ON public.ledger_postings USING btree (workspace_id, once) WHERE (once IS NOT NULL);
CREATE INDEX ledger_postings_receipt ON public.ledger_postings USING btree (workspace_id, receipt_request_id) WHERE (receipt_request_id IS NOT NULL);
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE ON public.ledger_postings FOR EACH ROW EXECUTE FUNCTION keep_posting();
CREATE TRIGGER ledger_postings_paused BEFORE INSERT OR DELETE OR UPDATE ON public.ledger_postings FOR EACH ROW EXECUTE FUNCTION keep_paused();

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

CREATE TABLE member_limits (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  monthly_limit_nano_usd bigint,
  raised_limit_nano_usd bigint,
  raised_until timestamp with time zone,
  CONSTRAINT member_limits_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT member_limits_id_key UNIQUE (id),
  CONSTRAINT member_limits_monthly_limit_nano_usd_check CHECK ((monthly_limit_nano_usd >= 0))
);
CREATE TRIGGER member_limits_paused BEFORE INSERT OR DELETE OR UPDATE ON public.member_limits FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE members (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user ON public.members USING btree (user_id);
CREATE TRIGGER members_paused BEFORE INSERT OR DELETE OR UPDATE ON public.members FOR EACH ROW EXECUTE FUNCTION keep_paused();

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

CREATE TABLE offer_declarations (
  kind text NOT NULL,
  name text COLLATE "C" NOT NULL,
  declaration jsonb NOT NULL,
  encrypted_key bytea,
  version integer NOT NULL DEFAULT 1,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT offer_declarations_pkey PRIMARY KEY (kind, name),
  CONSTRAINT offer_declarations_kind_check CHECK ((kind = ANY (ARRAY['provider'::text, 'model'::text]))),
  CONSTRAINT offer_declarations_providers_have_keys CHECK (((encrypted_key IS NULL) OR (kind = 'provider'::text)))
);

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
  CONSTRAINT partition_totals_pkey PRIMARY KEY (partition, purse_id)
);
CREATE INDEX partition_totals_purse ON public.partition_totals USING btree (purse_id);

CREATE TABLE passkey_challenges (
  secret_sha256 bytea NOT NULL,
  challenge bytea NOT NULL,
  session_id uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (secret_sha256)
);
CREATE INDEX passkey_challenges_expired ON public.passkey_challenges USING btree (expires_at);

CREATE TABLE passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id, id);

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
  CONSTRAINT payment_reversals_amount_nano_usd_check CHECK ((amount_nano_usd > 0)),
  CONSTRAINT payment_reversals_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
  CONSTRAINT payment_reversals_state_check CHECK ((state = ANY (ARRAY['announced'::text, 'taken'::text, 'lost'::text, 'returned'::text])))
);
CREATE INDEX payment_reversals_payment ON public.payment_reversals USING btree (provider, payment_reference);
CREATE INDEX payment_reversals_top_up ON public.payment_reversals USING btree (workspace_id, top_up_id);
CREATE INDEX payment_reversals_unmatched ON public.payment_reversals USING btree (created_at) WHERE (top_up_id IS NULL);
CREATE TRIGGER payment_reversals_paused BEFORE INSERT OR DELETE OR UPDATE ON public.payment_reversals FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  CONSTRAINT payment_settings_auto_amount_nano_usd_check CHECK ((auto_amount_nano_usd > 0)),
  CONSTRAINT payment_settings_auto_is_whole CHECK (((NOT auto_enabled) OR ((auto_threshold_nano_usd IS NOT NULL) AND (auto_amount_nano_usd IS NOT NULL) AND (auto_month_max_nano_usd IS NOT NULL) AND (auto_consent_at IS NOT NULL)))),
  CONSTRAINT payment_settings_auto_month_max_nano_usd_check CHECK ((auto_month_max_nano_usd > 0)),
  CONSTRAINT payment_settings_auto_stop_check CHECK ((auto_stop = ANY (ARRAY['failures'::text, 'authentication_required'::text]))),
  CONSTRAINT payment_settings_auto_threshold_nano_usd_check CHECK ((auto_threshold_nano_usd > 0))
);
CREATE TRIGGER payment_settings_paused BEFORE INSERT OR DELETE OR UPDATE ON public.payment_settings FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE price_adjustments (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  model text,
  basis_points integer NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  CONSTRAINT price_adjustments_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT price_adjustments_id_key UNIQUE (id),
  CONSTRAINT price_adjustments_basis_points_check CHECK (((basis_points >= '-10000'::integer) AND (basis_points <= 90000)))
);
CREATE UNIQUE INDEX price_adjustments_active ON public.price_adjustments USING btree (workspace_id, model) NULLS NOT DISTINCT WHERE (ended_at IS NULL);
CREATE TRIGGER price_adjustments_paused BEFORE INSERT OR DELETE OR UPDATE ON public.price_adjustments FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  raised_limit_nano_usd bigint,
  raised_until timestamp with time zone,
  end_user_limit_nano_usd bigint,
  end_user_period text NOT NULL DEFAULT 'month'::text,
  session_limit_nano_usd bigint,
  model_when_spent text,
  CONSTRAINT projects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT projects_id_key UNIQUE (id),
  CONSTRAINT projects_budget_nano_usd_check CHECK ((budget_nano_usd >= 0)),
  CONSTRAINT projects_budget_period_check CHECK ((budget_period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'never'::text]))),
  CONSTRAINT projects_concurrency_check CHECK ((concurrency > 0)),
  CONSTRAINT projects_member_key_spend_limit_nano_usd_check CHECK ((member_key_spend_limit_nano_usd >= 0)),
  CONSTRAINT projects_member_keys_max_check CHECK ((member_keys_max > 0)),
  CONSTRAINT projects_requests_per_minute_check CHECK ((requests_per_minute > 0)),
  CONSTRAINT projects_tokens_per_minute_check CHECK ((tokens_per_minute > 0))
);
CREATE UNIQUE INDEX projects_name ON public.projects USING btree (workspace_id, name) WHERE (archived_at IS NULL);
CREATE TRIGGER projects_paused BEFORE INSERT OR DELETE OR UPDATE ON public.projects FOR EACH ROW EXECUTE FUNCTION keep_paused();
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
  counted_costed_requests numeric NOT NULL DEFAULT 0,
  is_here boolean NOT NULL DEFAULT true
);
CREATE INDEX proof_workspaces_id ON public.proof_workspaces USING btree (id);

CREATE TABLE purse_corrections (
  posting_id uuid NOT NULL,
  purse_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT purse_corrections_pkey PRIMARY KEY (posting_id, purse_id),
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
  raised_limit_nano_usd bigint,
  raised_until timestamp with time zone,
  project_id uuid,
  shut boolean NOT NULL DEFAULT false,
  CONSTRAINT purses_pkey PRIMARY KEY (id),
  CONSTRAINT purses_workspace_id_kind_subject_id_period_window_start_key UNIQUE (workspace_id, kind, subject_id, period, window_start),
  CONSTRAINT purses_credit_is_limited CHECK (((kind <> 'credit'::text) OR (limit_nano_usd IS NOT NULL))),
  CONSTRAINT purses_credit_never_overdrawn CHECK (((kind <> 'credit'::text) OR ((spent_nano_usd + leased_nano_usd) <= limit_nano_usd))),
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
  CONSTRAINT rate_buckets_pkey PRIMARY KEY (workspace_id, project_id)
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
  CONSTRAINT rate_leases_pkey PRIMARY KEY (epoch_id, workspace_id, project_id)
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
  member_purse_id bigint,
  service_tier text,
  requested_model text,
  end_user_purse_id bigint,
  session_purse_id bigint,
  affinity text,
  affinity_missed boolean,
  CONSTRAINT receipts_pkey PRIMARY KEY (workspace_id, request_id),
  CONSTRAINT receipts_are_sound CHECK (((charge_nano_usd >= 0) AND (hold_nano_usd >= charge_nano_usd) AND (write_off_nano_usd >= 0) AND (fees_nano_usd >= 0) AND ((fees_nano_usd - charge_nano_usd) <= write_off_nano_usd) AND (usage_certainty = ANY ('{exact,estimated}'::text[]))))
) PARTITION BY RANGE (request_id);
CREATE INDEX receipts_service_tier ON ONLY public.receipts USING btree (workspace_id, request_id) WHERE (service_tier IS NOT NULL);
CREATE INDEX receipts_session ON ONLY public.receipts USING btree (workspace_id, session, request_id) WHERE (session IS NOT NULL);
CREATE INDEX receipts_settled ON ONLY public.receipts USING brin (xid8send(settled_xid)) WITH (pages_per_range='64', autosummarize='on');

CREATE TABLE receipts_default PARTITION OF receipts DEFAULT;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL,
  code_sha256 bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_sha256)
);

CREATE TABLE recurring_grants (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  amount_nano_usd bigint NOT NULL,
  period text NOT NULL,
  expires_with_period boolean NOT NULL,
  expires_after_days integer,
  reason text NOT NULL,
  actor text NOT NULL,
  next_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  CONSTRAINT recurring_grants_pkey PRIMARY KEY (id),
  CONSTRAINT recurring_grants_amount_nano_usd_check CHECK ((amount_nano_usd > 0)),
  CONSTRAINT recurring_grants_expire_once CHECK (((NOT expires_with_period) OR (expires_after_days IS NULL))),
  CONSTRAINT recurring_grants_expires_after_days_check CHECK ((expires_after_days > 0)),
  CONSTRAINT recurring_grants_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);
CREATE INDEX recurring_grants_due ON public.recurring_grants USING btree (next_at) WHERE (ended_at IS NULL);
CREATE INDEX recurring_grants_workspace ON public.recurring_grants USING btree (workspace_id, id);
CREATE TRIGGER recurring_grants_paused BEFORE INSERT OR DELETE OR UPDATE ON public.recurring_grants FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  CONSTRAINT redemption_codes_code_sha256_key UNIQUE (code_sha256)
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

CREATE TABLE route_hours (
  hour timestamp with time zone NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  upstream_model text NOT NULL,
  answered bigint NOT NULL,
  rejected bigint NOT NULL,
  abandoned bigint NOT NULL,
  faults jsonb NOT NULL,
  first_event bigint[] NOT NULL,
  whole bigint[] NOT NULL,
  answered_at timestamp with time zone,
  fault_at timestamp with time zone,
  fault jsonb,
  CONSTRAINT route_hours_pkey PRIMARY KEY (hour, model, provider, upstream_model)
);

CREATE TABLE scheduled_work (
  name text NOT NULL,
  holder uuid,
  held_until timestamp with time zone,
  done_turn timestamp with time zone,
  outcome jsonb,
  succeeded_at timestamp with time zone,
  problem text,
  failed_at timestamp with time zone,
  CONSTRAINT scheduled_work_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_files (
  kind text NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_files_pkey PRIMARY KEY (kind, name),
  CONSTRAINT schema_files_kind_check CHECK ((kind = ANY (ARRAY['migration'::text, 'function'::text])))
);

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

CREATE TABLE schema_programs (
  digest text NOT NULL,
  version text NOT NULL,
  CONSTRAINT schema_programs_pkey PRIMARY KEY (digest)
);

CREATE TABLE sealed_partitions (
  name text NOT NULL,
  from_id uuid NOT NULL,
  up_to uuid NOT NULL,
  receipts bigint NOT NULL,
  write_off_nano_usd numeric NOT NULL,
  sealed_at timestamp with time zone NOT NULL DEFAULT now(),
  dropped_at timestamp with time zone,
  exported_at timestamp with time zone,
  export_file text,
  export_sha256 bytea,
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
  provider_workspace_id uuid,
  second_factor_at timestamp with time zone,
  is_recovery boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_sha256_key UNIQUE (token_sha256)
);
CREATE INDEX sessions_provider ON public.sessions USING btree (provider_workspace_id) WHERE (provider_workspace_id IS NOT NULL);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id);

CREATE TABLE sign_in_networks (
  user_id uuid NOT NULL,
  network text NOT NULL,
  used_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sign_in_networks_pkey PRIMARY KEY (user_id, network)
);

CREATE TABLE sink_progress (
  sink text NOT NULL,
  server bigint NOT NULL,
  delivered pg_snapshot NOT NULL,
  holder uuid,
  held_until timestamp with time zone,
  failing_since timestamp with time zone,
  fault text,
  CONSTRAINT sink_progress_pkey PRIMARY KEY (sink)
);

CREATE TABLE stored_response_bytes (
  workspace_id uuid NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT stored_response_bytes_pkey PRIMARY KEY (workspace_id)
);

CREATE TABLE stored_response_items (
  workspace_id uuid NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  request_id uuid NOT NULL,
  starts_at integer NOT NULL,
  length integer NOT NULL,
  CONSTRAINT stored_response_items_pkey PRIMARY KEY (workspace_id, item_id, request_id)
);
CREATE INDEX stored_response_items_of_response ON public.stored_response_items USING btree (request_id);

CREATE TABLE stored_responses (
  request_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  response_id text COLLATE "C" NOT NULL,
  previous_request_id uuid,
  expires_at timestamp with time zone NOT NULL,
  items bytea NOT NULL,
  input_length integer NOT NULL,
  response bytea NOT NULL,
  encrypted boolean NOT NULL DEFAULT false,
  CONSTRAINT stored_responses_pkey PRIMARY KEY (request_id)
);
ALTER TABLE stored_responses ALTER COLUMN items SET STORAGE EXTERNAL;
ALTER TABLE stored_responses ALTER COLUMN response SET STORAGE EXTERNAL;
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
  tax_nano_usd bigint NOT NULL DEFAULT 0,
  CONSTRAINT top_ups_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT top_ups_id_key UNIQUE (id),
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
CREATE TRIGGER top_ups_paused BEFORE INSERT OR DELETE OR UPDATE ON public.top_ups FOR EACH ROW EXECUTE FUNCTION keep_paused();

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
  model text COLLATE "C" NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
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
  model text COLLATE "C" NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
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
  model text COLLATE "C" NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
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
  model text COLLATE "C" NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
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
) WITH (fillfactor=70);

CREATE TABLE usage_member_days (
  workspace_id uuid NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  member uuid NOT NULL,
  project_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
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
) WITH (fillfactor=80);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject)
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
  erased_at timestamp with time zone,
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
CREATE TRIGGER webhook_endpoints_paused BEFORE INSERT OR DELETE OR UPDATE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE workspace_access (
  workspace_id uuid NOT NULL,
  issuer text,
  client_id text,
  encrypted_client_secret bytea,
  trusts_addresses boolean NOT NULL DEFAULT false,
  groups_claim text,
  group_roles jsonb NOT NULL DEFAULT '{}'::jsonb,
  default_role text NOT NULL DEFAULT 'none'::text,
  only_openid boolean NOT NULL DEFAULT false,
  second_factor boolean NOT NULL DEFAULT false,
  allowed_networks text[],
  version integer NOT NULL DEFAULT 1,
  ends_leavers_keys boolean NOT NULL DEFAULT true,
  CONSTRAINT workspace_access_pkey PRIMARY KEY (workspace_id)
);
CREATE TRIGGER workspace_access_paused BEFORE INSERT OR DELETE OR UPDATE ON public.workspace_access FOR EACH ROW EXECUTE FUNCTION keep_paused();
CREATE TRIGGER workspace_access_version BEFORE UPDATE ON public.workspace_access FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE TABLE workspace_domains (
  workspace_id uuid NOT NULL,
  domain text NOT NULL,
  token text NOT NULL,
  proven_at timestamp with time zone,
  proven_by text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT workspace_domains_pkey PRIMARY KEY (workspace_id, domain),
  CONSTRAINT workspace_domains_proven_by_check CHECK ((proven_by = ANY (ARRAY['dns'::text, 'operator'::text]))),
  CONSTRAINT workspace_domains_proven_or_not CHECK (((proven_at IS NULL) = (proven_by IS NULL)))
);
CREATE UNIQUE INDEX workspace_domains_proven ON public.workspace_domains USING btree (domain) WHERE (proven_at IS NOT NULL);
CREATE TRIGGER workspace_domains_paused BEFORE INSERT OR DELETE OR UPDATE ON public.workspace_domains FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE workspace_moves (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  shard text NOT NULL,
  state text NOT NULL,
  wait_ms integer NOT NULL,
  actor text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT now(),
  rows bigint NOT NULL DEFAULT 0,
  paused_xid xid8,
  figures jsonb,
  moved_at timestamp with time zone,
  sealed_receipts bigint NOT NULL DEFAULT 0,
  sealed_write_off_nano_usd numeric NOT NULL DEFAULT 0,
  ended_at timestamp with time zone,
  problem text,
  holder uuid,
  held_until timestamp with time zone,
  progress jsonb NOT NULL DEFAULT '{}'::jsonb,
  paused_at timestamp with time zone,
  rows_expected bigint NOT NULL DEFAULT 0,
  CONSTRAINT workspace_moves_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_moves_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'paused'::text, 'moved'::text, 'returning'::text, 'ended'::text, 'returned'::text]))),
  CONSTRAINT workspace_moves_wait_ms_check CHECK ((wait_ms > 0))
);
CREATE INDEX workspace_moves_open ON public.workspace_moves USING btree (begun_at) WHERE (state <> ALL (ARRAY['ended'::text, 'returned'::text]));

CREATE TABLE workspace_sinks (
  workspace_id uuid NOT NULL,
  sink text NOT NULL,
  records text[] NOT NULL,
  sample_percent integer NOT NULL,
  redact text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  receipts_from pg_snapshot,
  audit_position bigint NOT NULL,
  lost_records bigint NOT NULL DEFAULT 0,
  last_lost_at timestamp with time zone,
  CONSTRAINT workspace_sinks_pkey PRIMARY KEY (workspace_id, sink)
);
CREATE TRIGGER workspace_sinks_paused BEFORE INSERT OR DELETE OR UPDATE ON public.workspace_sinks FOR EACH ROW EXECUTE FUNCTION keep_paused();

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  archived_at timestamp with time zone,
  version integer NOT NULL DEFAULT 1,
  suspended_at timestamp with time zone,
  suspension_reason text,
  closing_at timestamp with time zone,
  member_monthly_limit_nano_usd bigint,
  owner_suspended_at timestamp with time zone,
  billing_name text,
  billing_address text,
  billing_tax_id text,
  moved_to text COLLATE "C",
  paused_at timestamp with time zone,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_suspended_for_a_reason CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL)))
);
CREATE INDEX workspaces_closing ON public.workspaces USING btree (closing_at) WHERE ((closing_at IS NOT NULL) AND (archived_at IS NULL));
CREATE INDEX workspaces_moved ON public.workspaces USING btree (moved_to) WHERE (moved_to IS NOT NULL);
CREATE UNIQUE INDEX workspaces_name ON public.workspaces USING btree (name) WHERE (archived_at IS NULL);
CREATE TRIGGER workspaces_paused BEFORE UPDATE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION keep_paused();
CREATE TRIGGER workspaces_version BEFORE UPDATE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION count_version();

ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE;
ALTER TABLE alert_rules ADD CONSTRAINT alert_rules_kind_check CHECK ((kind = ANY (ARRAY['balance_below'::text, 'balance_share'::text, 'runway'::text, 'project_budget'::text, 'key_limit'::text, 'member_limit'::text, 'end_user_limit'::text, 'session_limit'::text, 'auto_top_up_stopped'::text, 'payment_after_closing'::text, 'provider_key_refused'::text, 'ledger_difference'::text]))) NOT VALID;
ALTER TABLE alerts ADD CONSTRAINT alerts_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'member'::text, 'provider'::text, 'ledger'::text]))) NOT VALID;
ALTER TABLE arriving_rows ADD CONSTRAINT arriving_rows_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES arrivals(workspace_id) ON DELETE CASCADE;
ALTER TABLE audit_events ADD CONSTRAINT audit_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE authenticators ADD CONSTRAINT authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE changes ADD CONSTRAINT changes_kind_check CHECK ((kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'purse'::text, 'catalogue'::text, 'rate'::text, 'cell'::text]))) NOT VALID;
ALTER TABLE directories ADD CONSTRAINT directories_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE directory_group_members ADD CONSTRAINT directory_group_members_workspace_id_directory_user_id_fkey FOREIGN KEY (workspace_id, directory_user_id) REFERENCES directory_users(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE directory_group_members ADD CONSTRAINT directory_group_members_workspace_id_group_id_fkey FOREIGN KEY (workspace_id, group_id) REFERENCES directory_groups(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE directory_groups ADD CONSTRAINT directory_groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE directory_leavers ADD CONSTRAINT directory_leavers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE directory_leavers ADD CONSTRAINT directory_leavers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE directory_users ADD CONSTRAINT directory_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE directory_users ADD CONSTRAINT directory_users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE end_user_limits ADD CONSTRAINT end_user_limits_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id);
ALTER TABLE former_secrets ADD CONSTRAINT former_secrets_workspace_id_key_id_fkey FOREIGN KEY (workspace_id, key_id) REFERENCES keys(workspace_id, id);
ALTER TABLE free_answers ADD CONSTRAINT free_answers_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id);
ALTER TABLE invitations ADD CONSTRAINT invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text]))) NOT VALID;
ALTER TABLE invitations ADD CONSTRAINT invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE keys ADD CONSTRAINT keys_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id);
ALTER TABLE leases ADD CONSTRAINT leases_epoch_id_fkey FOREIGN KEY (epoch_id) REFERENCES epochs(id);
ALTER TABLE leases ADD CONSTRAINT leases_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id);
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id);
ALTER TABLE ledger_postings ADD CONSTRAINT ledger_postings_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'grant'::text, 'refund'::text, 'dispute'::text, 'adjustment'::text, 'expiry'::text]))) NOT VALID;
ALTER TABLE ledger_postings ADD CONSTRAINT ledger_postings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE member_limits ADD CONSTRAINT member_limits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE members ADD CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text]))) NOT VALID;
ALTER TABLE members ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE members ADD CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE one_time_links ADD CONSTRAINT one_time_links_by_right_in_fkey FOREIGN KEY (by_right_in) REFERENCES workspaces(id);
ALTER TABLE one_time_links ADD CONSTRAINT one_time_links_made_by_user_fkey FOREIGN KEY (made_by_user) REFERENCES users(id);
ALTER TABLE one_time_links ADD CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE partition_totals ADD CONSTRAINT partition_totals_partition_fkey FOREIGN KEY (partition) REFERENCES sealed_partitions(name);
ALTER TABLE partition_totals ADD CONSTRAINT partition_totals_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id);
ALTER TABLE passkeys ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE payment_reversals ADD CONSTRAINT payment_reversals_workspace_id_top_up_id_fkey FOREIGN KEY (workspace_id, top_up_id) REFERENCES top_ups(workspace_id, id);
ALTER TABLE payment_settings ADD CONSTRAINT payment_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE payment_settings ADD CONSTRAINT payment_settings_workspace_id_recovery_top_up_id_fkey FOREIGN KEY (workspace_id, recovery_top_up_id) REFERENCES top_ups(workspace_id, id);
ALTER TABLE price_adjustments ADD CONSTRAINT price_adjustments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE price_versions ADD CONSTRAINT price_versions_workspace_id_adjustment_id_fkey FOREIGN KEY (workspace_id, adjustment_id) REFERENCES price_adjustments(workspace_id, id);
ALTER TABLE projects ADD CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE purse_corrections ADD CONSTRAINT purse_corrections_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id);
ALTER TABLE purse_corrections ADD CONSTRAINT purse_corrections_purse_id_fkey FOREIGN KEY (purse_id) REFERENCES purses(id);
ALTER TABLE purses ADD CONSTRAINT purses_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'project'::text, 'member'::text, 'key'::text, 'end_user'::text, 'session'::text]))) NOT VALID;
ALTER TABLE purses ADD CONSTRAINT purses_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE rate_buckets ADD CONSTRAINT rate_buckets_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE rate_leases ADD CONSTRAINT rate_leases_epoch_id_fkey FOREIGN KEY (epoch_id) REFERENCES epochs(id) ON DELETE CASCADE;
ALTER TABLE rate_leases ADD CONSTRAINT rate_leases_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES rate_buckets(workspace_id, project_id) ON DELETE CASCADE;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE redemption_codes ADD CONSTRAINT redemption_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES redemption_batches(id);
ALTER TABLE redemption_codes ADD CONSTRAINT redemption_codes_workspace_id_top_up_id_fkey FOREIGN KEY (workspace_id, top_up_id) REFERENCES top_ups(workspace_id, id);
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE sign_in_networks ADD CONSTRAINT sign_in_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE stored_response_items ADD CONSTRAINT stored_response_items_request_id_fkey FOREIGN KEY (request_id) REFERENCES stored_responses(request_id) ON DELETE CASCADE;
ALTER TABLE top_ups ADD CONSTRAINT top_ups_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES ledger_postings(id);
ALTER TABLE top_ups ADD CONSTRAINT top_ups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE user_identities ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE workspace_access ADD CONSTRAINT workspace_access_default_role_check CHECK ((default_role = ANY (ARRAY['admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text, 'none'::text]))) NOT VALID;
ALTER TABLE workspace_access ADD CONSTRAINT workspace_access_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE workspace_domains ADD CONSTRAINT workspace_domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE workspace_moves ADD CONSTRAINT workspace_moves_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE workspace_sinks ADD CONSTRAINT workspace_sinks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
ALTER TABLE workspaces ADD CONSTRAINT workspaces_moved_to_fkey FOREIGN KEY (moved_to) REFERENCES cells(shard) NOT VALID;

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
  purse bigint,
  project_id uuid
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
