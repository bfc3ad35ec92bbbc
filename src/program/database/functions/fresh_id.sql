-- An id that never means two things, even after a failover to a server that lacks the last commits: sequences go back with
-- them. So it is made of the time as well: milliseconds since 1970, then twenty bits that count.
create or replace function fresh_id() returns bigint language sql volatile as $$
  select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 20) | (nextval('fresh_ids') & 1048575)
$$;
