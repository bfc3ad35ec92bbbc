-- The stock after a draw: a sixteenth of the limit at most, and half of the limit stays where every process can reach it.
create or replace function permit_stock(p_left bigint, p_limit bigint, p_keep bigint, p_target bigint)
returns bigint language sql immutable as $$
  select case
    when p_limit is null then p_keep
    else greatest(p_keep, least(p_target, p_limit / 16, p_left - (p_limit + 1) / 2))
  end
$$;
