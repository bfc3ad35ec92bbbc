-- Keeps audit events from being deleted, unless their chain says that they were dropped, and from being changed, unless
-- into what a redaction has made of them.
create or replace function keep_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (
      select from audit_links join audit_chains using (scope_id) where event_id = old.id and position <= dropped_to
    ) then
      return old;
    end if;
  elsif audit_event_digest(new) = (
    select event_sha256 from audit_redactions where event_id = old.id order by number desc limit 1
  ) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
