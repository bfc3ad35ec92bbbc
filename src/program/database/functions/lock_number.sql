-- The number under which this schema has an advisory lock: other schemas of the database have instances of their own. In
-- `public` it is the bare one, as src/lib/transaction-lock.ts has it.
create or replace function lock_number(p_lock bigint) returns bigint
language sql stable as $$
  select p_lock # case current_schema() when 'public' then 0 else hashtextextended(current_schema(), 0) end
$$;
