-- SHA-256 of an audit event's fields, as the text of a JSON array. It is part of what auditors recompute: docs/security.md.
create or replace function audit_event_digest(e audit_events) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(e.id, e.workspace_id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    e.actor_kind, e.user_id, e.actor_name, e.action, e.target_kind, e.target_id, e.target_name, e.before, e.after, e.address,
    e.request_id)::text, 'UTF8'))
$$;
