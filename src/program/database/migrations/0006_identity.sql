-- People, and what proves who they are. Secrets that only have to be compared are stored as SHA-256: they are random and
-- long, so a plain hash can't be searched. Times are timestamptz.

create table users (
  id uuid primary key,
  -- Trimmed and in lower case.
  email text not null unique,
  -- When a mail sent there, or an OpenID provider, proved that it is the user's; null: never.
  email_verified_at timestamptz,
  name text not null,
  -- Argon2id with its parameters; null: no password.
  password_hash text,
  -- May do what the operator token may.
  is_operator boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1
);

-- A user as an OpenID provider knows them.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

create table members (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'developer', 'billing', 'viewer')),
  created_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (workspace_id, user_id)
);
create index members_user on members (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When the user last proved who they are.
  authenticated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index sessions_user on sessions (user_id, id);

create table invitations (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'billing', 'viewer')),
  token_sha256 bytea not null unique,
  -- The user who invited; null: the operator.
  invited_by uuid references users (id),
  -- Whether a mail delivered the link, so that its bearer reads the address's mail.
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create unique index invitations_open on invitations (workspace_id, email)
  where accepted_at is null and revoked_at is null;

-- Links of which each does one thing, once: make the first owner, set a password, make an account.
create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('set_up', 'reset', 'sign_up')),
  token_sha256 bytea not null unique,
  -- Whose password is set.
  user_id uuid references users (id),
  -- For whom an account is made.
  email text,
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  claimed_at timestamptz
);
create index one_time_links_user on one_time_links (user_id);

-- One-time passwords by time (RFC 6238). The secret has to be known to check a code, so it is not hashed.
create table authenticators (
  user_id uuid primary key references users (id),
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- Null: it counts only once the user has sent a code of it.
  confirmed_at timestamptz,
  -- The latest step whose code was used: no code counts twice.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references users (id),
  code_sha256 bytea not null,
  used_at timestamptz,
  primary key (user_id, code_sha256)
);

-- Tokens of members' programs: a part of the member's role in one workspace.
create table access_tokens (
  workspace_id uuid not null,
  id uuid not null unique,
  user_id uuid not null,
  name text not null,
  secret_sha256 bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  -- A member who leaves takes their tokens along.
  foreign key (workspace_id, user_id) references members (workspace_id, user_id) on delete cascade
);
create index access_tokens_user on access_tokens (user_id, id);

-- Tokens of the operator's beside the one in the data directory or the environment.
create table operator_tokens (
  id uuid primary key,
  name text not null,
  secret_sha256 bytea not null unique,
  last_four text not null,
  read_only boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index operator_tokens_name on operator_tokens (name) where revoked_at is null;
