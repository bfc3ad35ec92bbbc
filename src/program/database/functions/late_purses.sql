-- The purses that a receipt charges, credit first; null for one that is not there. The purse of the key's maker comes behind those of
-- each receipt, if there is one for the key's month, and those of an end user and a session last, if the receipt names them.
create or replace function late_purses(l late_receipt) returns bigint[] language sql stable as $$
  select array[
    (select id from purses p where p.id = l.credit_purse),
    coalesce(
      (select id from purses p where p.id = l.project_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'project' and p.subject_id = l.project
        and p.period = l.project_period and p.window_start = l.project_start)
    ),
    coalesce(
      (select id from purses p where p.id = l.key_purse),
      (select id from purses p where p.workspace_id = l.workspace and p.kind = 'key' and p.subject_id = l.key
        and p.period = l.key_period and p.window_start = l.key_start)
    )
  ] || array(
    select p.id from keys k
    join member_limits m on m.workspace_id = k.workspace_id and m.user_id = k.created_by
    join purses p on p.workspace_id = m.workspace_id and p.kind = 'member' and p.subject_id = m.id
      and p.period = l.key_period and p.window_start = l.key_start
    where k.workspace_id = l.workspace and k.id = l.key
  ) || array(select s.purse from late_served(l) s)
$$;
