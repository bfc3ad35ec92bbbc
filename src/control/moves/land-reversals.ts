import type { SqlRunner } from '../../lib/sql.ts';

// Refunds and disputes of payments of a workspace that arrives. Where both cells have the same account of a provider, this cell has
// received them as well, and keeps them as those of no top-up that it knows. It may even know more of them: what comes in the pause
// reaches this cell alone.

/** Brings refunds and disputes up to date with what has arrived. Those of another workspace stay, which the counts show. */
export async function landReversals(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(
    `insert into payment_reversals as x
       (provider, kind, reference, payment_reference, amount_nano_usd, state, counted, workspace_id, top_up_id, created_at, updated_at)
     select r.provider, r.kind, r.reference, r.payment_reference, r.amount_nano_usd, r.state, r.counted, r.workspace_id, r.top_up_id,
       r.created_at, r.updated_at
     from arriving_rows a cross join lateral jsonb_populate_record(null::payment_reversals, a.row) r
     where a.workspace_id = $1 and a.table_name = 'payment_reversals'
     on conflict (provider, kind, reference) do update set counted = excluded.counted, workspace_id = excluded.workspace_id,
       top_up_id = excluded.top_up_id, created_at = excluded.created_at, updated_at = excluded.updated_at, state = case
         when array_position('{announced,taken,lost,returned}', x.state) > array_position('{announced,taken,lost,returned}', excluded.state)
         then x.state else excluded.state end
     where coalesce(x.workspace_id, excluded.workspace_id) = excluded.workspace_id
       and (x.payment_reference, x.amount_nano_usd) = (excluded.payment_reference, excluded.amount_nano_usd)`,
    [workspaceId],
  );
}

/** Posts what this cell alone has received of refunds and disputes. The workspace lives here. */
export async function postReversals(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(
    `with paid as materialized (
       select id from top_ups t where workspace_id = $1 and state = 'paid' and exists (
         select from payment_reversals r where r.provider = t.provider and r.payment_reference = t.payment_reference
           and r.counted <> (r.state in ('taken', 'lost'))
       ) order by id for no key update
     )
     select post_reversals(t) from top_ups t where t.id in (select id from paid)`,
    [workspaceId],
  );
}
