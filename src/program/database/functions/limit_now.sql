-- The limit that holds in this transaction: the ordinary one, or the one to which it is raised for a time; null: none.
create or replace function limit_now(p_limit bigint, p_raised bigint, p_until timestamptz) returns bigint
language sql stable as $$
  select case when p_until > now() and p_limit is not null then greatest(p_limit, p_raised) else p_limit end
$$;
