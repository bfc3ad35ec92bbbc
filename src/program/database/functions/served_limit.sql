-- The limit of an end user or a session of a project as it is now, and how far it is raised for a time; null: none. One that is set for
-- this end user holds in the place of the project's. No row: there is no such project in the workspace.
create or replace function served_limit(p_workspace uuid, p_project uuid, p_kind text, p_subject uuid)
returns table (limit_nano_usd bigint, raised_limit_nano_usd bigint, raised_until timestamptz) language sql stable as $$
  select case when p_kind = 'session' then x.session_limit_nano_usd
      when own.id is not null then own.limit_nano_usd else x.end_user_limit_nano_usd end,
    own.raised_limit_nano_usd, own.raised_until
  from projects x
  left join end_user_limits own on p_kind = 'end_user' and own.project_id = x.id and own.id = p_subject
  where x.id = p_project and x.workspace_id = p_workspace
$$;
