import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../domain/receipt.ts';
import type { LeftTrail, Trail } from '../../gate/purses/ports/disk.ts';
import { readReceiptFile } from './receipt-file.ts';
import { encodeReceiptLine } from './receipt-line.ts';

// The trails of a data directory: one or two files for each epoch and server, named after both. Nothing waits for the
// disk.

const FOLDER = 'trail';
const NAME = /^(\d+)-(\w+)-\w+\.jsonl$/;
const UNKNOWN = 'unknown';
const FILES = 2;
/** A standby's commits lag by less than this: the older file is kept for this time, or this many receipts. */
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
    return { file, timeline, sinceMs: performance.now(), receipts: 0, isTorn: false };
  };
  return {
    close,
    async add(receipts, timeline) {
      if (present === null || present.timeline !== timeline || isFull(present)) {
        await close();
        present = await begin(timeline);
      }
      present.receipts += receipts.length;
      const text = `${present.isTorn ? '\n' : ''}${receipts.map(encodeReceiptLine).join('')}`;
      present.isTorn = true;
      await present.file.appendFile(text);
      present.isTorn = false;
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
  /** Whether a failed write may have left part of a line, which must not corrupt the next line. */
  isTorn: boolean;
}

function nameOf(epochId: bigint, timeline: string | null): string {
  return `${epochId}-${timeline ?? UNKNOWN}-${randomUUID().replaceAll('-', '')}.jsonl`;
}

function isFull({ receipts, sinceMs }: TrailFile): boolean {
  return receipts >= KEPT_RECEIPTS || performance.now() - sinceMs >= KEPT_MS;
}

/** Damaged lines of a trail, and the file that keeps them. */
export interface DamagedTrail {
  readonly lines: number;
  readonly file: string;
}

/**
 * Reads the trails left by epochs of this data directory: those for which `isLeft` returns true. A trail may be
 * damaged.
 */
export async function readLeftTrails(
  dataDirectory: string,
  isLeft: (epochId: bigint) => boolean,
  onDamaged: (damaged: DamagedTrail) => void,
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
      ...contentOf(path, BigInt(id), onDamaged),
      remove: () => rm(path, { force: true }),
    });
  }
  return trails;
}

function contentOf(
  path: string,
  epochId: bigint,
  onDamaged: (damaged: DamagedTrail) => void,
): Pick<LeftTrail, 'receipts' | 'moveTo'> {
  const damagedPath = `${path}.damaged`;
  /** The readable part of a damaged file. */
  let intact: readonly Receipt[] | null = null;
  return {
    async receipts() {
      const { receipts, damagedLines } = await readReceiptFile(path);
      if (damagedLines > 0) {
        intact = receipts;
        onDamaged({ lines: damagedLines, file: damagedPath });
      }
      return receipts;
    },
    async moveTo(timeline) {
      const to = join(path, '..', nameOf(epochId, timeline));
      if (intact === null) return await move(path, to);
      await writeFile(to, intact.map(encodeReceiptLine).join(''), { flag: 'wx', mode: 0o600 });
      await rename(path, damagedPath);
    },
  };
}

/** Its age is counted from now on. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  const now = new Date();
  await utimes(to, now, now);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}
