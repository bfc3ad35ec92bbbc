-- To whom statements of a workspace are addressed.
alter table workspaces add column billing_name text;
alter table workspaces add column billing_address text;
alter table workspaces add column billing_tax_id text;
