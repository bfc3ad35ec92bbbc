-- Providers and models that operators have declared outside of the config file: each, by the provider's name or the model's id, as it
-- would be declared there. The key of a provider is encrypted; null: it needs none.
create table offer_declarations (
  kind text not null check (kind in ('provider', 'model')),
  name text collate "C" not null,
  declaration jsonb not null,
  encrypted_key bytea,
  version integer not null default 1,
  changed_at timestamptz not null default now(),
  primary key (kind, name),
  constraint offer_declarations_providers_have_keys check (encrypted_key is null or kind = 'provider')
);
