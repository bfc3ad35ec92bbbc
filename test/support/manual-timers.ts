import { onTestFinished, vi } from 'vitest';

export interface ManualTimers {
  /** Lets so much time pass, and runs the timers that become due. */
  advance(ms: number): void;
}

/**
 * Until the end of the test, time passes for `performance.now` and intervals only when the test says so. Sockets go on as
 * they are, and so does all that waits for them.
 */
export function useManualTimers(): ManualTimers {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return { advance: (ms) => void vi.advanceTimersByTime(ms) };
}
