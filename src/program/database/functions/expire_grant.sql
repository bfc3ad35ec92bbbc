-- Posts what has expired of a grant, whichever process does it first. Money in leases is left for the requests that were running:
-- the first time all that is not leased is taken; later, what is certain to have come back, because it is more than all leases
-- have; a day later no such request runs any more, and what is missing then is owed. Returns whether it is at its end.
create or replace function expire_grant(p_workspace uuid, p_posting uuid, p_actor text) returns boolean language plpgsql as $$
declare
  p purses;
  g expiring_grants;
  v_charged bigint;
  v_free bigint;
  v_taken bigint;
  r posted;
begin
  perform bound_transaction();
  select * into p from purses where workspace_id = p_workspace and kind = 'credit' and subject_id = p_workspace
    for no key update;
  select coalesce(sum(charged_nano_usd), 0) into v_charged from leases where purse_id = p.id;
  perform count_grants(p_workspace, p.spent_nano_usd + v_charged);
  select * into g from expiring_grants where workspace_id = p_workspace and posting_id = p_posting;
  if g.ended_at is not null or g.expires_at > clock_timestamp() then
    return g.ended_at is not null;
  end if;
  v_free := p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd;
  v_taken := case
    when g.looked_at < clock_timestamp() - interval '1 day' then g.rest_nano_usd
    when g.looked_at is null then least(g.rest_nano_usd, v_free)
    else least(v_free, greatest(0, g.rest_nano_usd - (p.leased_nano_usd - v_charged)))
  end;
  update expiring_grants set rest_nano_usd = rest_nano_usd - v_taken, expired_nano_usd = expired_nano_usd + v_taken,
      looked_at = coalesce(looked_at, clock_timestamp()),
      ended_at = case when rest_nano_usd = v_taken then clock_timestamp() end
    where workspace_id = p_workspace and posting_id = p_posting;
  if v_taken > 0 then
    r := post_credit(gen_random_uuid(), p_workspace, 'expiry', -v_taken, p_actor,
      format('expired on %s', to_char(g.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')),
      format('expiry:%s:%s', p_posting, g.expired_nano_usd), null);
    if r.outcome <> 'posted' then
      raise exception 'the expiry of the grant % could not be posted: %', p_posting, r.outcome;
    end if;
  end if;
  if g.rest_nano_usd > v_taken then
    -- Has processes give back what they lease and don't use.
    insert into changes (kind, subject_id) values ('purse', p.id::text);
  end if;
  return g.rest_nano_usd = v_taken;
end $$;
