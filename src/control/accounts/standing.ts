import { amountFields, type NanoUsd, optionalAmountFields } from '../../domain/money.ts';

/** The state of a purse in its current window; nano-USD. */
export interface Standing {
  /** Charged so far, corrections included. */
  readonly used: NanoUsd;
  /** What requests hold, as processes have last said. */
  readonly held: NanoUsd;
  /** Leased by processes and not charged: what requests hold, and what was drawn ahead of them. */
  readonly leased: NanoUsd;
  /** When the window ends; null if it never does. */
  readonly resetsAt: Date | null;
}

/** A standing and what is left of its limit, in JSON. More than the limit may be used, if it was lowered since. */
export function standingJson({ used, held, leased, resetsAt }: Standing, limit: NanoUsd | null) {
  const left = limit === null ? null : limit - used - held;
  return {
    ...amountFields('used', used),
    ...amountFields('held', held),
    ...amountFields('leased', leased),
    ...optionalAmountFields('left', left === null || left > 0n ? left : 0n),
    resets_at: resetsAt?.toISOString() ?? null,
  };
}

/**
 * SQL that joins the standing of a project, a member's limit, a key or an end user, as columns `used`, `held`, `leased` and `resets_at` of `standing`.
 * `row` has its `workspace_id` and `id`, and `period` is SQL for the period of its window.
 */
export function joinStanding(kind: 'project' | 'member' | 'key' | 'end_user', row: string, period: string): string {
  const start = `case when ${period} = 'never' then to_timestamp(0) else date_trunc(${period}, now(), 'UTC') end`;
  return `
    left join lateral (
      select
        coalesce(purse.spent_nano_usd - purse.corrected_nano_usd + leased.charged, 0)::bigint as used,
        leased.held, leased.uncharged as leased,
        case when ${period} <> 'never' then
          (start.at at time zone 'UTC' + ('1 ' || ${period})::interval) at time zone 'UTC' end as resets_at
      from (select ${start} as at) start
      left join purses purse
        on purse.workspace_id = ${row}.workspace_id and purse.kind = '${kind}' and purse.subject_id = ${row}.id
          and purse.period = ${period} and purse.window_start = start.at
      ${joinLeased('purse')}
    ) standing on true`;
}

/**
 * SQL that joins what processes have leased of a purse, as columns of `leased`: what settled receipts have `charged`, what
 * is `uncharged`, and the part of that which requests have `held`. `purse` has its `id`. Processes say what they hold with
 * their heartbeats; of one that does not, all that is uncharged may be. An open lease is as large as what it holds.
 */
export function joinLeased(purse: string): string {
  return `
    cross join lateral (
      select coalesce(sum(charged_nano_usd), 0)::bigint as charged, coalesce(sum(use.held), 0)::bigint as held,
        coalesce(sum(case when open then use.held else granted_nano_usd - charged_nano_usd end), 0)::bigint as uncharged
      from leases
      join epochs on epochs.id = leases.epoch_id
      cross join lateral (
        select coalesce((leases_in_use ->> purse_id::text)::bigint,
          case when leases_in_use is null and not open then granted_nano_usd else 0 end) as amount
      ) said
      cross join lateral (
        select greatest(case when open then said.amount else least(said.amount, granted_nano_usd) end - charged_nano_usd, 0) as held
      ) use
      where purse_id = ${purse}.id
    ) leased`;
}
