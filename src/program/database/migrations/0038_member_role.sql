-- The role of people who manage and see their own keys and usage alone.
-- Not valid: rows that are there meet it, and are not read for it.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('owner', 'admin', 'developer', 'billing', 'viewer', 'member')) not valid;

alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'admin', 'developer', 'billing', 'viewer', 'member')) not valid;

alter table workspace_access drop constraint workspace_access_default_role_check;
alter table workspace_access add constraint workspace_access_default_role_check
  check (default_role in ('admin', 'developer', 'billing', 'viewer', 'member', 'none')) not valid;
