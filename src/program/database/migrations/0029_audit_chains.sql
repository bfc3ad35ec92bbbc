-- Audit events in hash chains: one for each workspace, and one for what belongs to none. A trigger links each event when its
-- transaction commits, whichever release inserted it. What a link proves outlives its event.
create table audit_links (
  -- The workspace; all zeros: the instance.
  scope_id uuid not null,
  -- From 1, without gaps, in the order of commits.
  position bigint not null,
  event_id uuid not null unique,
  -- SHA-256 of the event's fields: audit_event_digest().
  event_sha256 bytea not null,
  -- SHA-256 of the former link's chain_sha256, nothing for the first, and of event_sha256.
  chain_sha256 bytea not null,
  primary key (scope_id, position)
);
create trigger audit_links_append_only before update or delete on audit_links
  for each row execute function ledger_is_append_only();

-- The last link of each chain.
create table audit_chains (
  scope_id uuid primary key,
  length bigint not null,
  chain_sha256 bytea not null
) with (fillfactor = 50);

create function link_audit_event() returns trigger language plpgsql as $$ begin raise exception 'only declared'; end $$;
create constraint trigger audit_events_are_linked after insert on audit_events
  deferrable initially deferred for each row execute function link_audit_event();

-- Events that were there before are linked in the order of their ids.
do $$
declare
  event record;
  former audit_chains%rowtype;
begin
  for event in
    select id, coalesce(workspace_id, '00000000-0000-0000-0000-000000000000') as scope_id,
      sha256(convert_to(jsonb_build_array(id, workspace_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        actor_kind, user_id, actor_name, action, target_kind, target_id, target_name, before, after, address,
        request_id)::text, 'UTF8')) as digest
    from audit_events order by 2, 1
  loop
    if former.scope_id is distinct from event.scope_id then former := (event.scope_id, 0, ''::bytea); end if;
    former.length := former.length + 1;
    former.chain_sha256 := sha256(former.chain_sha256 || event.digest);
    insert into audit_links values (event.scope_id, former.length, event.id, event.digest, former.chain_sha256);
  end loop;
end $$;
insert into audit_chains
select distinct on (scope_id) scope_id, position, chain_sha256 from audit_links order by scope_id, position desc;
