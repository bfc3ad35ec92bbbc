-- The two characters by which all keys of this database begin. No row: a database that no program of this version has served yet.
create table database_shard (
  shard text primary key check (shard ~ '^[0-9A-Za-z]{2}$'),
  is_only boolean not null default true unique check (is_only)
);
