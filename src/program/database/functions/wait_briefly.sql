-- Bounds how long the transaction that calls it waits for any lock. A statement about rows of several purses or projects
-- passes over what is locked and reports it; a statement of its own then waits for it, briefly. A waiter holds only locks
-- that come earlier in the order of locks. A query, so that its callers' plans have it inline.
create or replace function wait_briefly() returns text language sql as $$
  select set_config('lock_timeout', '250ms', true)
$$;
