import type { Clock } from './clock.ts';

/** Resolves so many milliseconds from now. */
export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Resolves with the call, or as soon as that takes longer than this: what keeps it may be one connection, or one row. */
export async function orAfter(clock: Pick<Clock, 'after'>, call: Promise<void>, ms: number): Promise<void> {
  let cancel = (): void => undefined;
  const patience = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([call, patience]);
  cancel();
}
