-- What an invitation brings along: the monthly limit of the member (null: the one that the workspace has for those who join), a key
-- that becomes theirs, and the request that invited several people together.
alter table invitations add column monthly_limit_nano_usd bigint;
alter table invitations add column key_id uuid;
alter table invitations add column batch_id uuid;
