import { amountFields, type NanoUsd, optionalAmountFields } from '../domain/money.ts';

/** How a purse stands in its present window; nano-USD. */
export interface Standing {
  /** Charged so far, corrections included. */
  readonly used: NanoUsd;
  /** Leased by gateway processes for requests, and not charged. */
  readonly held: NanoUsd;
  /** When the window ends; null if it never does. */
  readonly resetsAt: Date | null;
}

/** A standing and what is left of its limit, in JSON. More than the limit may be used, if it was lowered since. */
export function standingJson({ used, held, resetsAt }: Standing, limit: NanoUsd | null) {
  const left = limit === null ? null : limit - used - held;
  return {
    ...amountFields('used', used),
    ...amountFields('held', held),
    ...optionalAmountFields('left', left === null || left > 0n ? left : 0n),
    resets_at: resetsAt?.toISOString() ?? null,
  };
}

/**
 * SQL that joins the standing of a project or key, as columns `used`, `held` and `resets_at` of `standing`. `row` has its
 * `workspace_id` and `id`, and `period` is SQL for the period of its window.
 */
export function joinStanding(kind: 'project' | 'key', row: string, period: string): string {
  const start = `case when ${period} = 'never' then to_timestamp(0) else date_trunc(${period}, now(), 'UTC') end`;
  return `
    left join lateral (
      select
        coalesce(purse.spent_nano_usd - purse.corrected_nano_usd + leased.charged, 0)::bigint as used,
        coalesce(purse.leased_nano_usd - leased.bounded, 0)::bigint as held,
        case when ${period} <> 'never' then
          (start.at at time zone 'UTC' + ('1 ' || ${period})::interval) at time zone 'UTC' end as resets_at
      from (select ${start} as at) start
      left join purses purse
        on purse.workspace_id = ${row}.workspace_id and purse.kind = '${kind}' and purse.subject_id = ${row}.id
          and purse.period = ${period} and purse.window_start = start.at
      cross join lateral (
        select coalesce(sum(charged_nano_usd), 0) as charged,
          coalesce(sum(charged_nano_usd) filter (where not open), 0) as bounded
        from leases where purse_id = purse.id
      ) leased
    ) standing on true`;
}
