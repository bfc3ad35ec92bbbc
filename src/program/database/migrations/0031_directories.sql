-- A workspace's directory of its company: by its token the directory tells this instance who the people and groups are (SCIM).
create table directories (
  workspace_id uuid primary key references workspaces (id),
  secret_sha256 bytea not null unique,
  last_four text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- People as the directory names them, each with an account here.
create table directory_users (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  user_id uuid not null references users (id),
  user_name text not null,
  external_id text,
  display_name text,
  given_name text,
  family_name text,
  active boolean not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index directory_users_name on directory_users (workspace_id, lower(user_name));
create unique index directory_users_user on directory_users (workspace_id, user_id);
create index directory_users_external on directory_users (workspace_id, external_id) where external_id is not null;
create index directory_users_account on directory_users (user_id);

-- People whom the directory has deactivated or removed: they don't come in by themselves until it names them again.
create table directory_leavers (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  left_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);

create table directory_groups (
  workspace_id uuid not null references workspaces (id),
  id uuid not null unique,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index directory_groups_name on directory_groups (workspace_id, lower(display_name));

create table directory_group_members (
  workspace_id uuid not null,
  group_id uuid not null,
  directory_user_id uuid not null,
  primary key (workspace_id, group_id, directory_user_id),
  foreign key (workspace_id, group_id) references directory_groups (workspace_id, id) on delete cascade,
  foreign key (workspace_id, directory_user_id) references directory_users (workspace_id, id) on delete cascade
);
create index directory_group_members_user on directory_group_members (workspace_id, directory_user_id);

-- Whether the keys that somebody has made end when the directory says that they have left.
alter table workspace_access add column ends_leavers_keys boolean not null default true;
