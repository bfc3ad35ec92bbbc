import type { Clock } from './clock.ts';

/** Resolves after this many milliseconds. */
export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Resolves with the call, or after this time if it takes longer: the cause may be one connection or one row. */
export async function orAfter(clock: Pick<Clock, 'after'>, call: Promise<void>, ms: number): Promise<void> {
  let cancel = (): void => undefined;
  const patience = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([call, patience]);
  cancel();
}
