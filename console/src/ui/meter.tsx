import type { ReactNode } from 'react';
import { type Amount, formatMoney, formatMoneyExactly } from '../format/money.ts';

interface MeterProps {
  /** What is limited: "Budget of web". */
  readonly label: string;
  readonly spent: Amount;
  /** Held for requests in flight. */
  readonly held?: Amount | undefined;
  /** In leases and not charged, with what is held; said where it is more than that. */
  readonly leased?: Amount | undefined;
  /** Null: there is no limit, and so no bar. */
  readonly limit: Amount | null;
  /** How amounts are written; as money unless the meter counts something else. */
  readonly format?: ((amount: Amount) => string) | undefined;
  /** A bar with one line of words, as in the cell of a table. */
  readonly compact?: boolean | undefined;
}

const PER_MILLE_LOW = 800n;
const PER_MILLE_FULL = 1000n;

/** Spent, held and left of a limit as a bar with its text. */
export function Meter({
  label,
  spent,
  held = 0n,
  leased = held,
  limit,
  format = formatMoney,
  compact = false,
}: MeterProps): ReactNode {
  const exact = format === formatMoney ? formatMoneyExactly : format;
  if (limit === null) {
    return compact ? (
      <span title={exact(spent)} className="tabular text-meta sm:whitespace-nowrap">
        {format(spent)} <span className="text-text-3">no limit</span>
      </span>
    ) : (
      <span title={`${exact(spent)} spent`} className="text-control">{`${format(spent)} spent, no limit`}</span>
    );
  }
  const [spentNano, heldNano, limitNano] = [BigInt(spent), BigInt(held), BigInt(limit)];
  const used = spentNano + heldNano;
  const left = used < limitNano ? limitNano - used : 0n;
  const perMille = (amount: bigint): bigint =>
    limitNano > 0n ? (amount * PER_MILLE_FULL) / limitNano : PER_MILLE_FULL;
  const width = (amount: bigint): string => `${Math.min(100, Number(perMille(amount)) / 10)}%`;
  const isFull = left === 0n;
  const color = isFull ? 'bg-danger' : perMille(used) >= PER_MILLE_LOW ? 'bg-warn' : 'bg-accent';
  const wordsBy = (write: (amount: Amount) => string): string => {
    const parts = [
      `${write(spentNano)} spent`,
      ...(heldNano > 0n ? [`${write(heldNano)} held`] : []),
      `${write(left)} left of ${write(limitNano)}`,
    ].join(', ');
    return BigInt(leased) > heldNano ? `${parts}; ${write(leased)} leased, including holds` : parts;
  };
  const words = wordsBy(format);
  return (
    <div
      title={wordsBy(exact)}
      className={compact ? 'flex w-fit min-w-32 flex-col gap-1 max-sm:items-end' : 'flex flex-col gap-2'}
    >
      {compact ? (
        <span className="tabular text-meta sm:whitespace-nowrap">
          {format(spentNano)} <span className="text-text-3">of {format(limitNano)}</span>
        </span>
      ) : (
        <span className="tabular text-control text-text-2">{words}</span>
      )}
      <meter
        className="sr-only"
        aria-label={label}
        aria-valuetext={wordsBy(exact)}
        max={1000}
        value={Math.min(1000, Number(perMille(used)))}
      />
      <div aria-hidden="true" className={`flex overflow-hidden rounded-mark bg-line ${compact ? 'h-1 w-32' : 'h-2'}`}>
        <div className={color} style={{ width: width(spentNano) }} />
        <div className={`${color} opacity-50`} style={{ width: width(heldNano) }} />
      </div>
    </div>
  );
}
