import { readdirSync, readFileSync } from 'node:fs';
import { rollupBytes, treeOf } from '../../bench/process-cost.ts';

// What a program's processes hold, looked at again and again (Linux: /proc): a leak is what grows while the load stays the same.

const EVERY_MS = 5_000;
const MB = 1_048_576;

/** The part of the program that a process is. */
export type Part = 'supervisor' | 'worker' | 'database';

interface Held {
  readonly part: Part;
  readonly bytes: number;
  /** Open descriptors. A process of the database counts as one: its descriptors are a cache of its files. */
  readonly handles: number;
}

interface Sample {
  readonly atMs: number;
  readonly held: readonly Held[];
}

/** What one part held in a stretch of time: of each of its processes, the median of the samples; of all of them, the sum. */
export interface Holding {
  readonly megabytes: number;
  readonly handles: number;
}

/** Looks at a program until it is stopped. */
export class Samples {
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(root: number) {
    this.#timer = setInterval(() => this.#samples.push(sampleOf(root)), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** What it held in that stretch, of `performance.now()`. */
  between(fromMs: number, toMs: number, part: Part): Holding {
    return holdingOf(
      this.#samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
      part,
    );
  }
}

function holdingOf(samples: readonly Sample[], part: Part): Holding {
  const of = (what: 'bytes' | 'handles'): number =>
    median(
      samples.map(({ held }) => held.filter((one) => one.part === part).reduce((total, one) => total + one[what], 0)),
    );
  return { megabytes: of('bytes') / MB, handles: of('handles') };
}

function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('there is no sample in this stretch');
  return middle;
}

function sampleOf(root: number): Sample {
  const held = treeOf(root, null).flatMap(({ pid }) => heldBy(pid, root) ?? []);
  return { atMs: performance.now(), held };
}

/** Null if it has ended under way. */
function heldBy(pid: number, root: number): Held | null {
  try {
    const [name = ''] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    const part = name.includes('postgres') ? 'database' : pid === root ? 'supervisor' : 'worker';
    const handles = part === 'database' ? 1 : readdirSync(`/proc/${pid}/fd`).length;
    // The memory that the database's processes share is a cache of a fixed size, which fills.
    const bytes = rollupBytes(pid, 'Pss') - rollupBytes(pid, 'Pss_Shmem');
    return { part, bytes, handles };
  } catch {
    return null;
  }
}
