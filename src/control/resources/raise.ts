import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { type Period, windowAt } from '../../domain/window.ts';
import type { Raise } from './raise-settings.ts';

export const NOT_RAISED: Raise = { raisedLimit: null, raisedUntil: null };

/** A raise as it stands at this time: none if it is over. */
export function raiseAt(raise: Raise, nowMs: number): Raise {
  const { raisedLimit, raisedUntil } = raise;
  return raisedLimit !== null && raisedUntil !== null && raisedUntil.getTime() > nowMs ? raise : NOT_RAISED;
}

/** SQL for the raise of a row as it stands now, by these names. */
export function selectRaise(row: string, limitAs: string, untilAs: string): string {
  const present = `case when ${row}.raised_until > now() then ${row}`;
  return `${present}.raised_limit_nano_usd end as "${limitAs}", ${present}.raised_until end as "${untilAs}"`;
}

/** The limit that holds: the ordinary one, or the greater one of a raise that isn't over; null: none. */
export function limitWith(limit: NanoUsd | null, { raisedLimit }: Raise): NanoUsd | null {
  return limit === null || raisedLimit === null || raisedLimit < limit ? limit : raisedLimit;
}

/** A limit before and after a change. */
interface ChangedLimit {
  readonly limit: NanoUsd | null;
  /** Whether the change gives it another amount or period, which ends a raise of it. */
  readonly isChanged: boolean;
  readonly period: Period;
  readonly nowMs: number;
}

/** What becomes of a raise by a change; refused if it raises nothing, or is over already. */
export function changedRaise(
  { raisedLimit: formerLimit, raisedUntil: formerUntil }: Raise,
  given: Partial<Raise>,
  { limit, isChanged, period, nowMs }: ChangedLimit,
): Raise | Refusal {
  const before = isChanged ? NOT_RAISED : { raisedLimit: formerLimit, raisedUntil: formerUntil };
  const { raisedLimit = before.raisedLimit, raisedUntil = before.raisedUntil } = given;
  const wrong = (message: string, param: string): Refusal => refuse('INVALID_REQUEST', message, { param });
  if (raisedLimit === null) {
    if (given.raisedUntil === undefined || given.raisedUntil === null) return NOT_RAISED;
    return wrong('"raised_until" is the end of a raise: give "raised_limit_usd" as well.', 'raised_until');
  }
  if (given.raisedLimit === undefined && given.raisedUntil === undefined) return before;
  if (limit === null) return wrong('There is no limit that could be raised.', 'raised_limit_usd');
  if (raisedLimit <= limit) {
    return wrong(`"raised_limit_usd" must be above the limit of ${formatUsd(limit)} USD.`, 'raised_limit_usd');
  }
  const { endMs } = windowAt(period, nowMs);
  if (raisedUntil === null) {
    if (endMs !== null) return { raisedLimit, raisedUntil: new Date(endMs) };
    return wrong('"raised_until" must be given: the budget has no period that ends.', 'raised_until');
  }
  if (raisedUntil.getTime() <= nowMs) return wrong('"raised_until" must be in the future.', 'raised_until');
  return { raisedLimit, raisedUntil };
}

/** What of a raise is written to a row: nothing if it stays as it was. */
export function writtenRaise(former: Raise, { raisedLimit, raisedUntil }: Raise): Partial<Raise> {
  const isSame = raisedLimit === former.raisedLimit && raisedUntil?.getTime() === former.raisedUntil?.getTime();
  return isSame ? {} : { raisedLimit, raisedUntil };
}
