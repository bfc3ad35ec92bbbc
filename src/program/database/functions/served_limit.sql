-- The limit of an end user or a session of a project as it is now; null: none. No row: there is no such project in the workspace.
create or replace function served_limit(p_workspace uuid, p_project uuid, p_kind text, p_subject uuid)
returns table (limit_nano_usd bigint) language sql stable as $$
  select case when p_kind = 'session' then x.session_limit_nano_usd else x.end_user_limit_nano_usd end
  from projects x where x.id = p_project and x.workspace_id = p_workspace
$$;
