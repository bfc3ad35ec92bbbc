import type { Clock } from './clock.ts';

/** Passes the first value, then at most one per interval, because a retried action fails at each retry. */
export function throttle<Value>(
  clock: Pick<Clock, 'monotonicMs'>,
  everyMs: number,
  pass: (value: Value) => void,
): (value: Value) => void {
  let passedMs = -Infinity;
  return (value) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - passedMs < everyMs) return;
    passedMs = nowMs;
    pass(value);
  };
}
