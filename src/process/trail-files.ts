import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../domain/receipt.ts';
import type { LeftTrail, Trail } from '../purses/trail.ts';
import { decodeReceiptLine, encodeReceiptLine } from './receipt-line.ts';

// The trails of a data directory: for each epoch and server a file or two, named for both. Nothing waits for the disk.

const FOLDER = 'trail';
const NAME = /^(\d+)-(\w+)-\w+\.jsonl$/;
const UNKNOWN = 'unknown';
const FILES = 2;
/** The commits of another server lag by less; so long, or for so many receipts, the older file stays. */
const KEPT_MS = 60_000;
const KEPT_RECEIPTS = 10_000;

/** The trail of this epoch: the receipts of the last minute at least, or as many as are kept. */
export function createTrail(dataDirectory: string, epochId: bigint): Trail {
  const folder = join(dataDirectory, FOLDER);
  const paths: string[] = [];
  let present: TrailFile | null = null;
  const close = async (): Promise<void> => {
    const { file } = present ?? {};
    present = null;
    await file?.close();
  };
  const begin = async (timeline: string | null): Promise<TrailFile> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, nameOf(epochId, timeline));
    const file = await open(path, 'ax', 0o600);
    paths.push(path);
    const [oldest] = paths;
    if (paths.length > FILES && oldest !== undefined) await rm(oldest, { force: true });
    if (paths.length > FILES) paths.shift();
    return { file, timeline, sinceMs: performance.now(), receipts: 0 };
  };
  return {
    close,
    async add(receipts, timeline) {
      if (present === null || present.timeline !== timeline || isFull(present)) {
        await close();
        present = await begin(timeline);
      }
      present.receipts += receipts.length;
      await present.file.appendFile(receipts.map(encodeReceiptLine).join(''));
    },
    async clear() {
      await close();
      await Promise.all(paths.splice(0).map((path) => rm(path, { force: true })));
    },
  };
}

interface TrailFile {
  readonly file: FileHandle;
  readonly timeline: string | null;
  readonly sinceMs: number;
  receipts: number;
}

function nameOf(epochId: bigint, timeline: string | null): string {
  return `${epochId}-${timeline ?? UNKNOWN}-${randomUUID().replaceAll('-', '')}.jsonl`;
}

function isFull({ receipts, sinceMs }: TrailFile): boolean {
  return receipts >= KEPT_RECEIPTS || performance.now() - sinceMs >= KEPT_MS;
}

/** The trails that epochs of this data directory have left: those that `isLeft` says. */
export async function readLeftTrails(
  dataDirectory: string,
  isLeft: (epochId: bigint) => boolean,
): Promise<readonly LeftTrail[]> {
  const folder = join(dataDirectory, FOLDER);
  const trails: LeftTrail[] = [];
  for (const name of (await namesIn(folder)).toSorted()) {
    const [, id, timeline] = NAME.exec(name) ?? [];
    if (id === undefined || timeline === undefined || !isLeft(BigInt(id))) continue;
    const path = join(folder, name);
    trails.push({
      epochId: BigInt(id),
      timeline: timeline === UNKNOWN ? null : timeline,
      isOld: Date.now() - (await stat(path)).mtimeMs > KEPT_MS,
      receipts: () => readReceipts(path),
      moveTo: (present) => move(path, join(folder, nameOf(BigInt(id), present))),
      remove: () => rm(path, { force: true }),
    });
  }
  return trails;
}

/** Its age counts from now on. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  const now = new Date();
  await utimes(to, now, now);
}

/** A line that can't be read is what a process was writing when it ended. */
async function readReceipts(path: string): Promise<readonly Receipt[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map(decodeReceiptLine).filter((receipt) => receipt !== null);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}
