-- The networks from which users have signed in within half a year: one address of IPv4, the /64 of one of IPv6.
create table sign_in_networks (
  user_id uuid not null references users (id),
  network text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, network)
);
