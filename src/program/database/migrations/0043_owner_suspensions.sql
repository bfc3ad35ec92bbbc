-- When an owner suspended the workspace, if that is how it came to be suspended: it is then the same as suspended_at, whatever a
-- release does with that one which does not know this column.
alter table workspaces add column owner_suspended_at timestamptz;
