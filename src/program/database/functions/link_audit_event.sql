-- Appends an audit event to the hash chain of its workspace. It runs at the commit, so the chain's last link is locked
-- after all that the transaction has locked, and for as long as a commit takes.
create or replace function link_audit_event() returns trigger language plpgsql as $$
declare
  digest bytea := audit_event_digest(new);
  last audit_chains%rowtype;
begin
  -- A restore brings the links of its events.
  if exists (select from audit_links where event_id = new.id) then return null; end if;
  insert into audit_chains as chain (scope_id, length, chain_sha256)
    values (coalesce(new.workspace_id, '00000000-0000-0000-0000-000000000000'), 1, sha256(digest))
    on conflict (scope_id) do update set length = chain.length + 1, chain_sha256 = sha256(chain.chain_sha256 || digest)
    returning * into last;
  insert into audit_links (scope_id, position, event_id, event_sha256, chain_sha256)
    values (last.scope_id, last.length, new.id, digest, last.chain_sha256);
  return null;
end $$;
