-- Passkeys, by which people sign in without a password. Their public keys alone are known here.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it was used; always 0 for some.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges that a browser is to have signed, each once and within minutes.
create table passkey_challenges (
  -- Of the secret that the browser keeps.
  secret_sha256 bytea primary key,
  challenge bytea not null,
  -- The session in which a passkey is added or shown; null: somebody signs in.
  session_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenges_expired on passkey_challenges (expires_at);
