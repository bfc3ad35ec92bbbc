import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from './whole-file.ts';

// Long files that are written whole or not at all: what is incomplete has another name. Readable by their owner only.

/** What the name of a file ends in that is still being written. */
export const PARTIAL = '.partial';

/** Writes a file durably. @throws what the source or the file system fails with; then no file is left */
export async function writeWholeFile(file: string, source: Readable): Promise<void> {
  await writePartialFile(`${file}${PARTIAL}`, source);
  await finishPartialFile(`${file}${PARTIAL}`, file);
}

/** Writes a file that is not complete before it gets its name. */
export async function writePartialFile(partial: string, source: Readable, ...through: Transform[]): Promise<void> {
  try {
    await pipeline([source, ...through, createWriteStream(partial, { mode: 0o600, flush: true })]);
  } catch (fault) {
    await rm(partial, { force: true });
    throw fault;
  }
}

/** Gives a file its name, so that a crash can't take it away again. */
export async function finishPartialFile(partial: string, file: string): Promise<void> {
  await rename(partial, file);
  await syncDirectory(dirname(file));
}
