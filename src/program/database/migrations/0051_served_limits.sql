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
