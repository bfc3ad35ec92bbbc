-- The model that the caller requested, if another one answered in its place. Null: it answered itself.
alter table receipts add column requested_model text;
