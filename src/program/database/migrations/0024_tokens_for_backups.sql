-- Whether a read-only operator token may download backups, too, which hold what proves who everybody is.
alter table operator_tokens
  add column downloads_backups boolean not null default false,
  add check (read_only or not downloads_backups);
