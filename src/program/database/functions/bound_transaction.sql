-- Bounds the transaction that calls it: PostgreSQL ends the transaction, and its connection, after this time. A connection
-- may stand still after its statement has run, because its process or the network does, and the locks would outlive the
-- statement. Between two statements it may stand still for a second, which is less than requests wait for money. Behind a
-- pooler nothing may be set for a session, so each transaction bounds itself. Before PostgreSQL 17 the whole is not
-- bounded: fencing the epoch ends the connections that stand in the way. A query, so that its callers' plans have it inline.
create or replace function bound_transaction(p_most text default '5s') returns text language sql as $$
  select set_config('idle_in_transaction_session_timeout', '1s', true)
    || case when current_setting('server_version_num')::integer >= 170000
      then set_config('transaction_timeout', p_most, true)
    end
$$;
