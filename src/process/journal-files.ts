import { mkdir, open, readdir, readFile, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../domain/receipt.ts';
import type { Journal, LeftJournal } from '../purses/journal.ts';
import { decodeReceiptLine, encodeReceiptLine } from './receipt-line.ts';

// The journals of a data directory: one file for each epoch that had to write one, named for it.

const FOLDER = 'journal';
const NAME = /^(\d+)\.jsonl$/;

/** The journal of this epoch. The file comes with the first write, and goes with the last receipt that is settled. */
export function createJournal(dataDirectory: string, epochId: bigint): Journal {
  const folder = join(dataDirectory, FOLDER);
  const path = join(folder, `${epochId}.jsonl`);
  let file: FileHandle | null = null;
  return {
    async write(receipts) {
      if (file === null) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        file = await open(path, 'a', 0o600);
        await syncFolder(folder);
      }
      await file.write(receipts.map(encodeReceiptLine).join(''));
      await file.datasync();
    },
    async clear() {
      if (file === null) return;
      await file.close();
      file = null;
      await unlink(path);
    },
  };
}

/** A file is only as durable as its name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The journals that former epochs of this data directory have left. A torn last line was never promised to anybody. */
export async function readLeftJournals(dataDirectory: string): Promise<readonly LeftJournal[]> {
  const folder = join(dataDirectory, FOLDER);
  const names = (await readdirIfThere(folder)).filter((name) => NAME.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const lines = (await readFile(path, 'utf8')).split('\n');
      const receipts = lines.map(decodeReceiptLine).filter((receipt): receipt is Receipt => receipt !== null);
      return { epochId: BigInt(NAME.exec(name)?.[1] ?? 0), receipts, remove: () => unlink(path) };
    }),
  );
}

async function readdirIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}
