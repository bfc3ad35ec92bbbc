import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { TurnShare } from './turn-share.ts';

// How the turns of the event loop are shared, on a clock that moves by the work of what is begun alone.

/** What a turn's requests may work together. */
const SHARE_US = 4_000;

/** Turns whose requests work so long each, and the names of those that were begun in each. */
class SharedTurns {
  readonly #share = new TurnShare();
  readonly #workUs: (name: string) => number;
  readonly begun: string[][] = [[]];
  #spentUs = 0;

  constructor(workUs: (name: string) => number) {
    this.#workUs = workUs;
    vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({ user: this.#spentUs - 1, system: 1 }));
  }

  /** Requests of these names come, in that order. */
  come(...names: readonly string[]): void {
    for (const name of names) if (this.#share.take(() => this.#begin(name))) this.#begin(name);
  }

  async pass(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.begun.push([]);
      await setImmediate();
    }
  }

  #begin(name: string): void {
    this.begun.at(-1)?.push(name);
    this.#spentUs += this.#workUs(name);
  }
}

test('a turn begins requests until its share of work is spent; the others follow in order, turn by turn', async () => {
  const turns = new SharedTurns(() => SHARE_US / 2);
  turns.come('a', 'b', 'c', 'd', 'e', 'f', 'g');
  await turns.pass(4);
  expect(turns.begun).toEqual([['a', 'b'], ['c'], ['d', 'e'], ['f', 'g'], []]);
  // Nothing is left of what was spent.
  turns.come('h', 'i', 'j');
  expect(turns.begun.at(-1)).toEqual(['h', 'i']);
  await turns.pass(1);
  expect(turns.begun.at(-1)).toEqual(['j']);
});

test('a turn begins one request, however much more than its share that works', async () => {
  const turns = new SharedTurns(() => 3 * SHARE_US);
  turns.come('a', 'b', 'c');
  await turns.pass(2);
  expect(turns.begun).toEqual([['a'], ['b'], ['c']]);
});

test('a request that comes while others wait is begun behind them, though its turn has time left', async () => {
  const turns = new SharedTurns(() => SHARE_US / 4);
  turns.come('a', 'b', 'c', 'd', 'e', 'f');
  await turns.pass(1);
  turns.come('g');
  await turns.pass(2);
  expect(turns.begun).toEqual([['a', 'b', 'c', 'd'], ['e'], ['f'], ['g']]);
});

test('a turn begins 64 of those that wait at most, however little they work', async () => {
  const turns = new SharedTurns((name) => (name === 'first' ? SHARE_US : 0));
  turns.come('first', ...Array.from({ length: 100 }, (_, at) => String(at)));
  await turns.pass(4);
  expect(turns.begun.map((names) => names.length)).toEqual([1, 1, 64, 35, 0]);
});
