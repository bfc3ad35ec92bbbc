-- Takes an answer's cost out of what a project has free in this hour, `p_most` in all. No row: it isn't free any more.
create or replace function take_free_answer(p_workspace uuid, p_project uuid, p_cost bigint, p_most bigint)
returns table (taken_nano_usd bigint) language sql as $$
  insert into free_answers as f (workspace_id, project_id, hour, cost_nano_usd)
    select p_workspace, p_project, date_trunc('hour', now(), 'UTC'), p_cost where p_cost <= p_most
    on conflict (workspace_id, project_id) do update set
      hour = excluded.hour,
      cost_nano_usd = excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end
      where excluded.cost_nano_usd + case when f.hour = excluded.hour then f.cost_nano_usd else 0 end <= p_most
    returning cost_nano_usd
$$;
