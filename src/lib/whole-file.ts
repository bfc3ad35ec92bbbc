import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that no other user can read. A reader sees the old content or the new, even after a power failure.
 * `place` moves the draft to its path: `link` instead of `rename` replaces no existing file.
 */
export async function writeWhole(
  path: string,
  content: string,
  place: (draft: string, path: string) => Promise<void> = rename,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(draft, path);
    await syncDirectory(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes renames in `path` survive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
