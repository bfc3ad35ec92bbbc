import { type ReactNode, useEffect, useState } from 'react';
import { dayOf, formatDay } from '../format/day.ts';
import { formatTime, formatTimeExactly, timeChangesAfter } from '../format/time.ts';

interface TimestampProps {
  /** ISO 8601, as the API sends it. Null is a moment that has not come. */
  readonly at: string | null;
  readonly none?: string | undefined;
  /** Beyond a day, the day without the time, as in columns. */
  readonly daysAlone?: boolean | undefined;
  readonly className?: string | undefined;
}

/** A moment: relative and ticking within a day; exact in UTC and local time on hover. */
export function Timestamp({ at, none = 'never', daysAlone = false, className = '' }: TimestampProps): ReactNode {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const wait = at === null ? null : timeChangesAfter(new Date(at), now);
    if (wait === null) return undefined;
    const timer = setTimeout(() => setNow(new Date()), wait);
    return () => clearTimeout(timer);
  }, [at, now]);
  if (at === null) return <span className={`text-text-3 ${className}`}>{none}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatTimeExactly(moment)} className={`whitespace-nowrap ${className}`}>
      {daysAlone && timeChangesAfter(moment, now) === null ? formatDay(dayOf(moment), now) : formatTime(moment, now)}
    </time>
  );
}
