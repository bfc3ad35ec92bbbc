import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Journal, LeftJournal } from '../../gate/purses/ports/disk.ts';
import { readReceiptFile } from './receipt-file.ts';
import { encodeReceiptLine } from './receipt-line.ts';

// The journals of a data directory: one file for each epoch that had to write one, named after it.

const FOLDER = 'journal';
const NAME = /^(\d+)\.jsonl$/;

/** The journal of this epoch. The file is created by the first write and removed once its last receipt is settled. */
export function createJournal(dataDirectory: string, epochId: bigint): Journal {
  const folder = join(dataDirectory, FOLDER);
  const path = join(folder, `${epochId}.jsonl`);
  let file: FileHandle | null = null;
  let isTorn = false;
  return {
    async write(receipts) {
      file ??= await openDurably(dataDirectory, folder, path);
      // The remains of a failed write must not corrupt the next line.
      const text = `${isTorn ? '\n' : ''}${receipts.map(encodeReceiptLine).join('')}`;
      isTorn = true;
      await file.appendFile(text);
      await file.datasync();
      isTorn = false;
    },
    async clear() {
      const old = file;
      file = null;
      isTorn = false;
      await old?.close();
      await rm(path, { force: true });
    },
  };
}

/** Opens a file for appending. Its directory entry, and those of its parents, are made durable too. */
async function openDurably(dataDirectory: string, folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  try {
    await syncFolder(folder);
    await syncFolder(dataDirectory);
  } catch (fault) {
    await file.close();
    throw fault;
  }
  return file;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the journals left by epochs of this data directory: those of `epochIds`, or all. A file with a damaged line is
 * renamed instead of removed.
 */
export async function readLeftJournals(
  dataDirectory: string,
  epochIds: readonly bigint[] | null = null,
): Promise<readonly LeftJournal[]> {
  const folder = join(dataDirectory, FOLDER);
  const isWanted = (name: string): boolean => epochIds === null || epochIds.includes(epochOf(name));
  const names = (await readdirIfThere(folder)).filter((name) => NAME.test(name) && isWanted(name)).toSorted();
  return Promise.all(names.map((name) => readLeftJournal(join(folder, name), epochOf(name))));
}

async function readLeftJournal(path: string, epochId: bigint): Promise<LeftJournal> {
  const { receipts, damagedLines } = await readReceiptFile(path);
  if (damagedLines === 0) return { epochId, receipts, damaged: null, remove: () => rm(path, { force: true }) };
  const file = `${path}.damaged`;
  return { epochId, receipts, damaged: { lines: damagedLines, file }, remove: () => renameIfThere(path, file) };
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
}

function epochOf(name: string): bigint {
  return BigInt(NAME.exec(name)?.[1] ?? 0);
}

async function readdirIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}
