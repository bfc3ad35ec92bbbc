import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SystemClock } from '../lib/clock.ts';
import { watchFile } from './file-watch.ts';

let directory: string;
let path: string;
let changes: number;
let stop: () => void;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faregate-watch-'));
  path = join(directory, 'faregate.yaml');
  changes = 0;
});
afterEach(() => {
  stop();
  rmSync(directory, { recursive: true });
});

/** A clock with one timer, which fires when it is told to. */
class SteppedClock extends SystemClock {
  #set = Promise.withResolvers<() => void>();

  override after(_delayMs: number, task: () => void) {
    this.#set.resolve(task);
    return () => undefined;
  }

  /** Waits for the timer to be set, lets it fire, and waits for it to be set again. */
  async step(): Promise<void> {
    const task = await this.#set.promise;
    this.#set = Promise.withResolvers();
    task();
    await this.#set.promise;
  }
}

function watch(wasThere = true): SteppedClock {
  const clock = new SteppedClock();
  stop = watchFile(path, wasThere, clock, () => {
    changes += 1;
  });
  return clock;
}

const looksTwice = async (clock: SteppedClock): Promise<void> => {
  await clock.step();
  await clock.step();
};

test.each([
  ['written over', () => writeFileSync(path, 'two')],
  [
    'replaced by another, as editors do',
    () => {
      writeFileSync(`${path}~`, 'two');
      renameSync(`${path}~`, path);
    },
  ],
  [
    'a link that is moved, as mounted configurations are',
    () => {
      writeFileSync(join(directory, 'next'), 'one');
      symlinkSync(join(directory, 'next'), `${path}~`);
      renameSync(`${path}~`, path);
    },
  ],
])('a file that is %s has changed, once', async (_, change) => {
  writeFileSync(path, 'one');
  const clock = watch();
  await looksTwice(clock);
  expect(changes).toBe(0);
  change();
  await looksTwice(clock);
  expect(changes).toBe(1);
});

test('a file that is away has not changed, and has once it is back as another', async () => {
  writeFileSync(path, 'one');
  const clock = watch();
  await looksTwice(clock);
  rmSync(path);
  await looksTwice(clock);
  expect(changes).toBe(0);
  writeFileSync(path, 'another');
  await looksTwice(clock);
  expect(changes).toBe(1);
});

test('the first file in its place is a change, if it was written before the first look, too', async () => {
  writeFileSync(path, 'one');
  await looksTwice(watch(false));
  expect(changes).toBe(1);
});

test('the first file in its place is a change after looks that found none', async () => {
  const clock = watch(false);
  await looksTwice(clock);
  expect(changes).toBe(0);
  writeFileSync(path, 'one');
  await looksTwice(clock);
  expect(changes).toBe(1);
});

test('a file is not taken for changed while it is being written', async () => {
  writeFileSync(path, 'one');
  const clock = watch();
  await looksTwice(clock);
  for (const text of ['t', 'tw', 'two']) {
    writeFileSync(path, text);
    await clock.step();
    expect(changes).toBe(0);
  }
  await clock.step();
  expect(changes).toBe(1);
});
