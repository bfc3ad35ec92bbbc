import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FILLER_BYTES = 65_536;

/** A file system of a few megabytes. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no room on it. */
  fill(): Promise<void>;
  /** Takes away what filled it. */
  clear(): Promise<void>;
  /** Ends it, and all that is on it. */
  stop(): Promise<void>;
}

/** Mounts one; null where this user may not. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const path = await mkdtemp(join(tmpdir(), 'faregate-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true });
    return null;
  }
  const filler = (number: number): string => join(path, `filler-${number}`);
  let fillers = 0;
  return {
    path,
    async fill() {
      const isFull = (fault: NodeJS.ErrnoException): boolean => {
        if (fault.code !== 'ENOSPC') throw fault;
        return true;
      };
      let full = false;
      while (!full) full = await writeFile(filler(fillers++), Buffer.alloc(FILLER_BYTES)).then(() => false, isFull);
    },
    async clear() {
      for (; fillers > 0; fillers--) await rm(filler(fillers - 1), { force: true });
    },
    async stop() {
      await run('umount', [path]);
      await rm(path, { recursive: true });
    },
  };
}
