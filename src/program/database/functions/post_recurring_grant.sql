-- Posts a recurring grant for each period that has begun since the last time, at most so many, whichever process does it first. A
-- period whose credit would have expired by now is passed over. A workspace that is being closed ends it. Returns how many were
-- posted.
create or replace function post_recurring_grant(p_id uuid, p_most integer) returns integer language plpgsql as $$
declare
  g recurring_grants;
  v_begin timestamptz;
  v_expires timestamptz;
  v_posted integer := 0;
  r posted;
begin
  perform bound_transaction();
  select * into g from recurring_grants where id = p_id and ended_at is null for no key update;
  if not found then
    return 0;
  end if;
  if exists (select from workspaces where id = g.workspace_id and closing_at is not null) then
    update recurring_grants set ended_at = clock_timestamp() where id = p_id;
    return 0;
  end if;
  while g.next_at <= clock_timestamp() and v_posted < p_most loop
    v_begin := g.next_at;
    g.next_at := (v_begin at time zone 'UTC' + ('1 ' || g.period)::interval) at time zone 'UTC';
    v_expires := case
      when g.expires_with_period then g.next_at
      else v_begin + make_interval(days => g.expires_after_days)
    end;
    continue when v_expires <= clock_timestamp();
    r := post_credit(gen_random_uuid(), g.workspace_id, 'grant', g.amount_nano_usd, g.actor, g.reason,
      format('recurring:%s:%s', p_id, to_char(v_begin at time zone 'UTC', 'YYYY-MM-DD')), null, false, v_expires);
    if r.outcome <> 'posted' then
      raise exception 'the recurring grant % could not be posted: %', p_id, r.outcome;
    end if;
    update expiring_grants set recurring_id = p_id where workspace_id = g.workspace_id and posting_id = (r.posting).id;
    v_posted := v_posted + 1;
  end loop;
  update recurring_grants set next_at = g.next_at where id = p_id;
  return v_posted;
end $$;
