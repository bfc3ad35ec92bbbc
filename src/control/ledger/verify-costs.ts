// What requests cost their providers: receipts, read once more by a proof, against buckets of usage. Costs that came into
// force since the proof's snapshot concern none of the receipts that it showed as counted, so slices use those of the present.

/** The receipts that are in buckets, by the snapshot's text; no row until all were counted once. */
export const COUNTED_RECEIPTS = `
  select folded::text from usage_folding
  where unbuilt = '{}' and server = (select system_identifier from pg_control_system())`;

/** Copies what buckets have to the proof's workspaces, in its snapshot. Buckets of dropped receipts are compared with nothing. */
export const COPY_COSTS = `
  update proof_workspaces set counted_cost_nano_usd = cost, counted_costed_requests = costed
  from (
    select workspace_id, sum(usage_hours.cost_nano_usd) as cost, sum(usage_hours.costed_requests) as costed
    from usage_hours where exists (${COUNTED_RECEIPTS}) and week not in (
      select (('x' || translate(left(from_id::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000
      from sealed_partitions where dropped_at is not null
    ) group by workspace_id
  ) counted where id = workspace_id`;

/** SQL that joins its cost to each receipt of a slice that is in buckets. $5 is the first id of unsealed receipts, $6 the snapshot. */
export const SLICE_COST = `
  left join lateral receipt_cost(model, provider, upstream_model, admitted_at, input_tokens, cached_input_tokens,
    cache_write_5m_tokens, cache_write_1h_tokens, audio_input_tokens, output_tokens, audio_output_tokens, uses, service_tier) as provider_cost
    on $6::text is not null
      and (settled_xid is null or request_id < $5 or pg_visible_in_snapshot(settled_xid, $6::text::pg_snapshot))`;

/** Checks of sums, made once all receipts are read. */
export const COST_CHECKS = {
  /** Of a workspace: costs of its receipts = costs in hours. */
  usage_costs: `
    select id as workspace_id, id::text as subject_id, cost_nano_usd as expected, counted_cost_nano_usd as actual
    from proof_workspaces`,
  /** Of a workspace: receipts with known costs = requests with known costs in the hourly buckets. */
  usage_costed_requests: `
    select id as workspace_id, id::text as subject_id, costed_requests as expected, counted_costed_requests as actual
    from proof_workspaces`,
} as const;
