-- Archived workspaces that hold credit, which nobody can spend, beyond the payments that go back through their provider.
create or replace function closed_credit() returns table (
  workspace_id uuid, workspace_name text, credit_nano_usd bigint
) language sql stable as $$
  select w.id, w.name, p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd - coalesce(pending.amount, 0)
  from workspaces w
  join purses p on p.workspace_id = w.id and p.kind = 'credit' and p.subject_id = w.id
  left join (
    select c.workspace_id, sum(c.credit_nano_usd)::bigint as amount from closed_payments() c group by c.workspace_id
  ) pending on pending.workspace_id = w.id
  where w.archived_at is not null
    and p.limit_nano_usd - p.spent_nano_usd - p.leased_nano_usd > coalesce(pending.amount, 0)
$$;
