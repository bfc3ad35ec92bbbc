-- What its leases had held and charged, together, as of the heartbeat: by purse, nano-USD as digits; only of leases that
-- are in use. Null: the process does not say. It is looked into for each lease of a list, so it is not compressed.
alter table epochs add column leases_in_use jsonb;
alter table epochs alter column leases_in_use set storage external;
