-- `draw_permits`, whose locks end with it.
create or replace procedure commit_draw_permits(p_epoch bigint, p_draws jsonb, p_now_ms bigint, p_waits boolean, out permits json)
language plpgsql as $$
begin
  select json_agg(d) into permits from draw_permits(p_epoch, p_draws, p_now_ms, p_waits) d;
  commit;
end $$;
