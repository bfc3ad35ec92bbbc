import type { ReactNode } from 'react';
import { type Period, PERIODS } from '../api/usage.ts';
import { addDays, dayOf, startOf, type UtcDay } from '../format/day.ts';
import { DateInput } from '../ui/date-input.tsx';
import type { Option } from '../ui/select.tsx';

// How a stretch of time is chosen by which requests and usage are looked at.

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  'former-month': 'Last month',
};

export const TIME_OPTIONS: readonly Option<Period | 'days'>[] = [
  ...PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] })),
  { value: 'days', label: 'From day to day' },
];

/** The time from the beginning of one day of UTC to the end of another. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

interface Shown {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The days that a stretch of time reaches over. */
export function daysOf({ fromMs, toMs }: Shown): DayRange {
  return rangeOf(dayOf(new Date(fromMs)), dayOf(new Date(toMs - 1)));
}

function rangeOf(one: UtcDay, other: UtcDay): DayRange {
  const [first, last] = one <= other ? [one, other] : [other, one];
  return { from: startOf(first).toISOString(), to: startOf(addDays(last, 1)).toISOString() };
}

interface DayRangeInputProps {
  readonly shown: Shown;
  /** The last day that may be chosen. */
  readonly max?: UtcDay | undefined;
  readonly onChange: (range: DayRange) => void;
}

/** The first and the last day, in any order. */
export function DayRangeInput({ shown, max, onChange }: DayRangeInputProps): ReactNode {
  const first = dayOf(new Date(shown.fromMs));
  const last = dayOf(new Date(shown.toMs - 1));
  const choose = (one: UtcDay, other: UtcDay): void => {
    if (one !== '' && other !== '') onChange(rangeOf(one, other));
  };
  return (
    <span data-whole-line className="flex flex-wrap items-center gap-2 text-control text-text-2">
      <DateInput aria-label="First day (UTC)" value={first} max={max} onChange={(day) => choose(day, last)} />
      to
      <DateInput aria-label="Last day (UTC)" value={last} max={max} onChange={(day) => choose(first, day)} />
    </span>
  );
}
