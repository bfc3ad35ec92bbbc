import { useEffect, useState } from 'react';

const HOUR_MS = 3_600_000;

/** The current time for ranges that end now; it advances with each hour. */
export function useHour(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(Date.now()), HOUR_MS - (nowMs % HOUR_MS) + 1000);
    return () => clearTimeout(timer);
  }, [nowMs]);
  return nowMs;
}
