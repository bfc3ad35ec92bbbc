import { readdirSync, readFileSync } from 'node:fs';

// What processes cost, as the kernel counts it (Linux: /proc). Worker threads are inside their process's numbers.

/** The kernel counts in hundredths of a second for all who read it. */
const TICK_US = 10_000;
const KB = 1_024;

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Those of them that were spent outside of the kernel. */
  readonly userTicks: number;
}

function readEntry(pid: number): Entry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // User and system time, its own and that of children that have ended.
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    const userTicks = user + endedUser;
    return { pid, parent: Number(fields[1]), ticks: userTicks + system + endedSystem, userTicks };
  } catch {
    return null;
  }
}

/** The processes below and including this one, without those below and including `except`. */
export function treeOf(root: number, except: number | null): readonly Entry[] {
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readEntry(Number(name)))
    .filter((entry) => entry !== null);
  const tree: Entry[] = [];
  const add = (entry: Entry): void => {
    if (entry.pid === except) return;
    tree.push(entry);
    for (const child of entries) if (child.parent === entry.pid) add(child);
  };
  for (const entry of entries) if (entry.pid === root) add(entry);
  return tree;
}

/** A process with all that it has started, but for one of them with all that that one has started. */
export interface ProcessTree {
  readonly root: number;
  readonly except: number | null;
}

/** CPU time that the tree has used so far, in microseconds. */
export function cpuUs({ root, except }: ProcessTree): number {
  return treeOf(root, except).reduce((sum, { ticks }) => sum + ticks, 0) * TICK_US;
}

/** The part of it that was spent outside of the kernel. */
export function userCpuUs({ root, except }: ProcessTree): number {
  return treeOf(root, except).reduce((sum, { userTicks }) => sum + userTicks, 0) * TICK_US;
}

/** Memory that the tree holds, shared pages counted once, in bytes. */
export function memoryBytes({ root, except }: ProcessTree): number {
  return treeOf(root, except).reduce((sum, { pid }) => sum + rollupBytes(pid, 'Pss'), 0);
}

const ROLLUP_LINES = { Pss: /^Pss:\s+(\d+) kB/m, Pss_Shmem: /^Pss_Shmem:\s+(\d+) kB/m } as const;

/** What a process holds of that kind, with its part of what it shares, in bytes. @throws if it has ended */
export function rollupBytes(pid: number, kind: keyof typeof ROLLUP_LINES): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(ROLLUP_LINES[kind].exec(rollup)?.[1] ?? 0) * KB;
}
