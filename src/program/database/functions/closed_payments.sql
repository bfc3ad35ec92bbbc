-- Payments that were posted after their workspace was archived and have not gone back to the payer in full: with what was
-- paid, fee and tax included, and what of it is still in the credit. The fee goes back last.
create or replace function closed_payments() returns table (
  workspace_id uuid, workspace_name text, top_up_id uuid, provider text, paid_nano_usd bigint, credit_nano_usd bigint,
  paid_at timestamptz
) language sql stable as $$
  select w.id, w.name, t.id, t.provider, t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd,
    (t.amount_nano_usd - returned_credit(t, returned.amount))::bigint,
    q.posted_at
  from workspaces w
  join top_ups t on t.workspace_id = w.id and t.state = 'paid' and t.payment_reference is not null
  join ledger_postings q on q.workspace_id = w.id and q.id = t.posting_id and q.posted_at > w.archived_at
  cross join lateral (
    select coalesce(sum(r.amount_nano_usd), 0)::bigint as amount from payment_reversals r
    where r.workspace_id = w.id and r.top_up_id = t.id and r.counted
  ) returned
  where w.archived_at is not null and t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd > returned.amount
$$;
