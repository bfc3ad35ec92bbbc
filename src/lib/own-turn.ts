import { setImmediate } from 'node:timers/promises';

// Work that takes tens of milliseconds in one piece. Each gets a turn of the event loop of its own, so that everything
// else that is due is done between one such piece and the next, however many there are.

/** More bytes than this take long enough to be given a turn of their own. */
export const LARGE_BYTES = 2 ** 20;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other call here gets. */
export function ownTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
