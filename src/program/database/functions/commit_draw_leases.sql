-- `draw_leases`, whose locks end with it: a procedure may commit, if it has no settings of its own. Amounts are text, because a
-- number in JSON holds less than they do.
create or replace procedure commit_draw_leases(p_epoch bigint, p_requests jsonb, p_waits boolean, out leases json)
language plpgsql as $$
begin
  select json_agg(json_build_object(
      'ordinal', d.ordinal,
      'purse_id', d.purse_id::text,
      'limit_nano_usd', d.limit_nano_usd::text,
      'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
      'available_nano_usd', d.available_nano_usd::text,
      'granted_nano_usd', d.granted_nano_usd::text,
      'open', d.open,
      'mode', d.mode,
      'sequence', d.sequence::text,
      'raised_until_ms', extract(epoch from d.raised_until) * 1000
    )) into leases
    from draw_leases(p_epoch, p_requests, p_waits) d;
  commit;
end $$;
