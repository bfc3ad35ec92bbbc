import { type ReactNode, useEffect, useState } from 'react';
import { formatDuration } from '../format/duration.ts';
import { formatTimeExactly } from '../format/time.ts';

interface CountdownProps {
  /** ISO 8601, in the future. */
  readonly until: string;
  /** It has come. */
  readonly onEnd?: (() => void) | undefined;
}

const TICK_MS = 1_000;

/** A ticking countdown to a moment; the moment is shown on hover. */
export function Countdown({ until, onEnd }: CountdownProps): ReactNode {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const endMs = Date.parse(until);
  const isOver = nowMs >= endMs;
  useEffect(() => {
    if (isOver) {
      onEnd?.();
      return undefined;
    }
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver, onEnd]);
  return (
    <time
      role="timer"
      dateTime={until}
      title={formatTimeExactly(new Date(until))}
      className="tabular whitespace-nowrap"
    >
      {isOver ? 'over' : formatDuration(Math.ceil((endMs - nowMs) / TICK_MS) * TICK_MS)}
    </time>
  );
}
