-- The requests that an epoch let through in the last minute, estimated from the current minute and a part of the one
-- before.
create or replace function permits_taken(p_minute bigint, p_taken bigint, p_taken_before bigint, p_now_ms bigint)
returns double precision language sql immutable as $$
  select case p_now_ms / 60000 - p_minute
    when 0 then p_taken + p_taken_before * (60000 - p_now_ms % 60000) / 60000.0
    when 1 then p_taken * (60000 - p_now_ms % 60000) / 60000.0
    else 0
  end::double precision
$$;
