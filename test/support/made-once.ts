import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

// What all workers of a run of tests share, made by the first that needs it.

const LOOK_MS = 20;

/**
 * Resolves when the path is there. If nobody has made it, `make` does, at the path of a draft that then gets the name;
 * all others wait. @throws what `make` throws, to its caller alone: the next tries again
 */
export async function makeOnce(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}-draft`;
  while (!existsSync(path)) {
    if (!(await isBegun(draft))) {
      await delay(LOOK_MS);
      continue;
    }
    try {
      // Another may have finished between the two looks.
      if (existsSync(path)) return;
      await make(draft);
      await rename(draft, path);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
}

/** Makes the draft's folder, unless there is one. `recursive` would fail if another were renamed while it looks at it. */
async function isBegun(draft: string): Promise<boolean> {
  try {
    await mkdir(draft, { mode: 0o711 });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fault;
  }
}
