-- Secrets that must be read again lie encrypted, by data keys that lie here wrapped by a key-encryption key, which is
-- elsewhere. The program encrypts what earlier versions have written, and erases it.
create table data_keys (
  -- Ciphertexts name it.
  id uuid primary key,
  -- The id of the key-encryption key.
  wrapped_by text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  -- When its key-encryption key was given up.
  lost_at timestamptz
);
alter table authenticators
  alter column secret drop not null,
  add column encrypted_secret bytea,
  add constraint authenticators_have_one_secret check (num_nonnulls(secret, encrypted_secret) = 1);
alter table webhook_endpoints
  alter column secret drop not null,
  add column encrypted_secret bytea,
  add column encrypted_former_secret bytea,
  add constraint webhook_endpoints_have_one_secret check (num_nonnulls(secret, encrypted_secret) = 1),
  add constraint webhook_endpoints_have_one_former_secret check (num_nonnulls(former_secret, encrypted_former_secret) < 2);
