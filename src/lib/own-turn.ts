import { setImmediate } from 'node:timers/promises';

// Work that takes tens of milliseconds in one piece. Each piece gets its own turn of the event loop, so that all other
// due work runs between two pieces, however many there are.

/** Work on more bytes than this takes long enough for a turn of its own. */
export const LARGE_BYTES = 2 ** 20;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other call of this function shares. */
export function ownTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
