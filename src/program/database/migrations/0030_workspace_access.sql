-- How the people of a workspace sign in, and from where the workspace may be used. A workspace without a row demands nothing.
create table workspace_access (
  workspace_id uuid primary key references workspaces (id),
  -- Its own OpenID provider; null: it has none.
  issuer text,
  client_id text,
  encrypted_client_secret bytea,
  -- Whether addresses count of which the provider does not say whether they are verified.
  trusts_addresses boolean not null default false,
  -- The claim with a person's groups; null: "groups".
  groups_claim text,
  -- The role of each group's people, by the name of the group. Without any, roles are given by hand.
  group_roles jsonb not null default '{}',
  -- The role of people of none of these groups; "none": they are refused.
  default_role text not null default 'none' check (default_role in ('admin', 'developer', 'billing', 'viewer', 'none')),
  -- Whether people with an address of its domains sign in at its provider alone.
  only_openid boolean not null default false,
  -- Whether sessions of its members need a second factor.
  second_factor boolean not null default false,
  -- The addresses from which its members and its keys call; null: any.
  allowed_networks text[],
  version integer not null default 1
);
create trigger workspace_access_version before update on workspace_access for each row execute function count_version();

-- Domains of mail addresses that a workspace says are its own. Of those who say so of one domain, one has proven it.
create table workspace_domains (
  workspace_id uuid not null references workspaces (id),
  domain text not null,
  -- What a TXT record of the domain holds to prove it.
  token text not null,
  proven_at timestamptz,
  proven_by text check (proven_by in ('dns', 'operator')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, domain),
  constraint workspace_domains_proven_or_not check ((proven_at is null) = (proven_by is null))
);
create unique index workspace_domains_proven on workspace_domains (domain) where proven_at is not null;

alter table sessions
  -- The workspace whose provider has signed the user in; null: none has. No constraint, which the last release's rows would be checked by.
  add column provider_workspace_id uuid,
  -- When a second factor was proven in it; null: none was.
  add column second_factor_at timestamptz,
  -- Whether it was begun by an operator's link, for an owner whose provider does not let them in.
  add column is_recovery boolean not null default false;
create index sessions_provider on sessions (provider_workspace_id) where provider_workspace_id is not null;

-- The addresses from which a key is accepted; null: any.
alter table keys add column allowed_networks text[];

-- They return rows of that table, and what a key's holder is.
drop function if exists update_key(uuid, uuid, jsonb);
drop function if exists find_principals(bytea[]);
