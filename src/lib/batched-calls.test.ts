import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { DatabaseUnavailable, SqlFault } from './sql.ts';
import { BatchedCalls } from './batched-calls.ts';

interface Item {
  readonly name: string;
  readonly group: string;
}

const LATENCY_MS = 2;

/** A database that answers each item with its name, and the outcomes of the wanted items. */
class World {
  readonly clock = new ManualClock();
  readonly sent: string[] = [];
  readonly answered: string[] = [];
  readonly refused: string[] = [];
  readonly rested: string[] = [];
  readonly stuck: string[] = [];
  readonly faults: unknown[] = [];
  readonly busy = new Set<string>();
  readonly poison = new Set<string>();
  /** Calls with one of these are never answered. */
  readonly silent = new Set<string>();
  isAway = false;
  #wishes: Item[] = [];
  readonly calls: BatchedCalls<Item, string, string>;

  constructor() {
    this.calls = new BatchedCalls<Item, string, string>({
      clock: this.clock,
      next: () => {
        const chosen = this.#wishes.filter((item) => this.calls.mayAsk(item));
        this.#wishes = this.#wishes.filter((item) => !chosen.includes(item));
        return chosen.map((item) => ({ item, request: item.name }));
      },
      send: (requests, { waits }) => this.#send(requests, waits),
      groupOf: ({ group }) => group,
      onAnswered: (calls) => this.answered.push(...calls.map(({ reply }) => reply)),
      onRefused: ({ name }) => this.refused.push(name),
      onRested: ({ name }) => this.rested.push(name),
      onStuck: (items) => this.stuck.push(...items.map(({ name }) => name)),
      onFault: (fault) => this.faults.push(fault),
    });
  }

  want(...names: readonly string[]): void {
    this.#wishes.push(...names.map(itemOf));
    this.calls.wake();
  }

  async #send(requests: readonly string[], waits: boolean): Promise<readonly (string | null)[]> {
    this.sent.push(`${requests.join('')}${waits ? '…' : ''}`);
    await this.#pass(LATENCY_MS);
    if (this.isAway) throw new DatabaseUnavailable('away');
    if (requests.some((name) => this.silent.has(name))) return await new Promise(() => undefined);
    if (requests.some((name) => this.poison.has(name))) throw new SqlFault('no', '22003', null);
    const isBusy = (name: string): boolean => this.busy.has(name);
    if (waits && requests.some(isBusy)) {
      await this.#pass(100);
      if (requests.some(isBusy)) return requests.map(() => null);
    }
    return requests.map((name) => (isBusy(name) ? null : name));
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }
}

const known = new Map<string, Item>();
/** Items of one letter are of one group. */
function itemOf(name: string): Item {
  const item = known.get(name) ?? { name, group: name.charAt(0) };
  known.set(name, item);
  return item;
}

test('what is wished for in one turn shares a call, and what comes during it goes with the next', async () => {
  const world = new World();
  world.want('a', 'b');
  await world.clock.advance(1);
  world.want('c', 'd');
  await world.clock.advance(10);
  expect(world.sent).toEqual(['ab', 'cd']);
  expect(world.answered).toEqual(['a', 'b', 'c', 'd']);
});

test('an item that the database refuses is found, and holds up no other', async () => {
  const world = new World();
  world.poison.add('c');
  world.want('a', 'b', 'c', 'd', 'e');
  await world.clock.advance(50);
  expect(world.answered.toSorted()).toEqual(['a', 'b', 'd', 'e']);
  expect(world.refused).toEqual(['c']);
  expect(world.faults).toEqual([]);
});

test('an item that the database refuses rests for five seconds, and its owner learns when that is over', async () => {
  const world = new World();
  world.poison.add('c');
  world.want('c', 'd');
  await world.clock.advance(50);
  expect(world.calls.isResting(itemOf('c'))).toBe(true);
  expect(world.calls.isResting(itemOf('d'))).toBe(false);
  await world.clock.advance(4_900);
  expect(world.rested).toEqual([]);
  await world.clock.advance(100);
  expect(world.calls.isResting(itemOf('c'))).toBe(false);
  expect(world.rested).toEqual(['c']);
});

test('an item that is busy waits alone, and comes as soon as it is free', async () => {
  const world = new World();
  world.busy.add('b');
  world.want('a', 'b', 'c');
  await world.clock.advance(5);
  expect(world.answered).toEqual(['a', 'c']);
  world.want('d', 'e');
  await world.clock.advance(5);
  expect(world.answered).toEqual(['a', 'c', 'd', 'e']);
  world.busy.delete('b');
  await world.clock.advance(100);
  expect(world.answered).toEqual(['a', 'c', 'd', 'e', 'b']);
  expect(world.sent).toEqual(['abc', 'b…', 'de']);
});

test('an item that is busy for long is asked for among others, never keeps a connection, and comes once it is free', async () => {
  const world = new World();
  world.busy.add('a').add('b').add('c').add('d');
  world.want('a', 'b', 'c', 'd', 'e');
  await world.clock.advance(1_000);
  expect(world.answered).toEqual(['e']);
  expect(world.sent.filter((sent) => sent.endsWith('…')).toSorted()).toEqual(['a…', 'b…', 'c…', 'd…']);
  world.busy.clear();
  await world.clock.advance(30);
  expect(world.answered.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the owner of an item learns once that it is stuck, and again if it is after it came', async () => {
  const world = new World();
  for (const times of [1, 2]) {
    world.busy.add('a');
    world.want('a');
    await world.clock.advance(2_000);
    expect(world.stuck).toEqual(Array.from({ length: times }, () => 'a'));
    world.busy.clear();
    await world.clock.advance(1_000);
    expect(world.answered).toHaveLength(times);
  }
});

test('a call of one group waits for its rows from the start', async () => {
  const world = new World();
  world.busy.add('a1');
  world.want('a1', 'a2');
  await world.clock.advance(5);
  world.busy.clear();
  await world.clock.advance(100);
  expect(world.sent).toEqual(['a1a2…']);
  expect(world.answered).toEqual(['a1', 'a2']);
});

test('a call that never comes back holds the next up for no more than a moment', async () => {
  const world = new World();
  world.silent.add('b');
  world.want('a', 'b');
  await world.clock.advance(1);
  world.want('c', 'd');
  await world.clock.advance(20);
  expect(world.answered).toEqual(['c', 'd']);
});

test('an item is in one call at a time', async () => {
  const world = new World();
  world.silent.add('a');
  world.want('a', 'b');
  await world.clock.advance(50);
  world.want('a', 'c');
  await world.clock.advance(50);
  expect(world.sent).toEqual(['ab', 'c…']);
});

test('a call whose outcome is unknown is sent again as it was, until it is known', async () => {
  const world = new World();
  world.isAway = true;
  world.want('a', 'b');
  await world.clock.advance(120);
  expect(world.calls.hasFailed).toBe(true);
  expect(world.calls.unansweredSinceMs).not.toBeNull();
  world.isAway = false;
  await world.clock.advance(60);
  expect(world.answered).toEqual(['a', 'b']);
  expect(world.calls).toMatchObject({ hasFailed: false, unansweredSinceMs: null });
  expect(new Set(world.sent)).toEqual(new Set(['ab']));
});

test('a drain calls for what is wished for, unless the database is away', async () => {
  const world = new World();
  world.want('a', 'b');
  const drained = world.calls.drain();
  await world.clock.advance(10);
  await drained;
  expect(world.answered).toEqual(['a', 'b']);

  const cut = new World();
  cut.isAway = true;
  cut.want('a', 'b');
  const given = cut.calls.drain();
  await cut.clock.advance(10);
  await given;
  expect(cut.sent).toEqual(['ab']);
});

test('two calls that are answered in one moment leave nothing unanswered', async () => {
  const world = new World();
  world.busy.add('a').add('b');
  world.want('a', 'b');
  await world.clock.advance(5);
  world.busy.clear();
  await world.clock.advance(200);
  expect(world.sent).toEqual(['ab', 'a…', 'b…']);
  expect(world.calls.unansweredSinceMs).toBeNull();
});
