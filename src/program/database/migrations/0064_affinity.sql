-- What a request had in common with others that go to the same route (null: nothing bound it), and whether another route answered.
alter table receipts add column affinity text;
alter table receipts add column affinity_missed boolean;

-- The invitation with which a key was made, for those who look at the key.
create index invitations_key on invitations (workspace_id, key_id) where key_id is not null;
