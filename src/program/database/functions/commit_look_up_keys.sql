-- `look_up_keys`, whose locks end with it.
create or replace procedure commit_look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  out principals json, out leases json, out permits json,
  p_members boolean default false
) language plpgsql as $$
begin
  select l.principals, l.leases, l.permits into principals, leases, permits
    from look_up_keys(
      p_epoch, p_secrets, p_periods, p_starts, p_ends, p_sequence, p_ahead, p_permit_sequence, p_tokens, p_members
    ) l;
  commit;
end $$;
