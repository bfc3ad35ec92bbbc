-- The end user and the session that a receipt is for, as it names their purses; `purse` is null for one that is not there.
create or replace function late_served(l late_receipt)
returns table (kind text, subject uuid, period text, window_start timestamptz, window_end timestamptz, purse bigint)
language sql stable as $$
  select s.kind, s.subject, s.period, s.window_start, s.window_end, coalesce(
      (select id from purses p where p.id = s.id and p.kind = s.kind and p.subject_id = s.subject),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = s.kind and p.subject_id = s.subject
        and p.period = s.period and p.window_start = s.window_start)
    )
  from jsonb_to_recordset(l.extras -> 'served') as s (
    kind text, id bigint, subject uuid, period text, window_start timestamptz, window_end timestamptz
  )
$$;
