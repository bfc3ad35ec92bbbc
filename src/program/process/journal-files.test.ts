import { appendFile, type FileHandle, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { receiptWith } from '../../../test/support/receipts.ts';
import type { LeftJournal } from '../../gate/purses/ports/disk.ts';
import { createJournal, readLeftJournals } from './journal-files.ts';
import { encodeReceiptLine } from './receipt-line.ts';

// Which calls reach the operating system can be seen on the handles alone.
const synced: string[] = [];
const opened: FileHandle[] = [];
const disk = { isFull: false };
vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const open: typeof real.open = async (path, flags, mode) => {
    const file = await real.open(path, flags, mode);
    opened.push(file);
    const done = { sync: file.sync.bind(file), datasync: file.datasync.bind(file), append: file.appendFile.bind(file) };
    file.sync = () => (synced.push(String(path)), done.sync());
    file.datasync = () => (synced.push(String(path)), done.datasync());
    file.appendFile = async (text, options) => {
      if (!disk.isFull) return await done.append(text, options);
      await done.append((text as string).slice(0, 40), options);
      throw new Error('ENOSPC');
    };
    return file;
  };
  return { ...real, open };
});

const EPOCH = 12n;
let data: string;
let path: string;
beforeEach(async () => {
  synced.length = 0;
  disk.isFull = false;
  data = await mkdtemp(join(tmpdir(), 'faregate-journal-'));
  path = join(data, 'journal', `${EPOCH}.jsonl`);
});
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close();
  await rm(data, { recursive: true });
});

const names = (): Promise<string[]> => readdir(join(data, 'journal'));

async function onlyJournal(): Promise<LeftJournal> {
  const [journal, ...others] = await readLeftJournals(data);
  expect(others).toEqual([]);
  if (journal === undefined) throw new Error('there is no journal');
  return journal;
}

test('a journal holds what was written to it, in order, for the process that comes after', async () => {
  const journal = createJournal(data, EPOCH);
  const receipts = Array.from({ length: 5 }, () => receiptWith());
  await journal.write(receipts.slice(0, 2));
  await journal.write(receipts.slice(2));
  expect(await onlyJournal()).toMatchObject({ epochId: EPOCH, receipts, damaged: null });
});

test('a journal is on disk when a write is over, and so are its name and its folder', async () => {
  const journal = createJournal(data, EPOCH);
  await journal.write([receiptWith()]);
  expect(synced).toEqual([join(data, 'journal'), data, path]);
  await journal.write([receiptWith()]);
  expect(synced.slice(3)).toEqual([path]);
});

test('a journal is for nobody else to read', async () => {
  await createJournal(data, EPOCH).write([receiptWith()]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(data, 'journal'))).mode & 0o777).toBe(0o700);
});

test('a journal is gone once it is cleared, and begins again with the next write', async () => {
  const journal = createJournal(data, EPOCH);
  await journal.write([receiptWith()]);
  await journal.clear();
  expect(await names()).toEqual([]);
  await journal.clear();
  const receipt = receiptWith();
  await journal.write([receipt]);
  expect((await onlyJournal()).receipts).toEqual([receipt]);
});

test('a journal loses no later line to a write that failed half-way', async () => {
  const journal = createJournal(data, EPOCH);
  const [first, second, third] = [receiptWith(), receiptWith(), receiptWith()];
  await journal.write([first]);
  disk.isFull = true;
  await expect(journal.write([second])).rejects.toThrow('ENOSPC');
  disk.isFull = false;
  await journal.write([second]);
  await journal.write([third]);
  expect((await onlyJournal()).receipts).toEqual([first, second, third]);
});

test('what a journal leaves is nothing where there never was a journal', async () => {
  expect(await readLeftJournals(data)).toEqual([]);
});

test('what a journal leaves is read of the epochs that are asked for alone', async () => {
  for (const epoch of [9n, 10n, 11n]) await createJournal(data, epoch).write([receiptWith()]);
  const epochs = async (asked?: readonly bigint[]): Promise<bigint[]> =>
    (await readLeftJournals(data, asked)).map(({ epochId }) => epochId);
  expect(await epochs([10n])).toEqual([10n]);
  expect(new Set(await epochs())).toEqual(new Set([9n, 10n, 11n]));
});

test('what a journal leaves is removed once it is settled, and no harm is done by removing it twice', async () => {
  await createJournal(data, EPOCH).write([receiptWith()]);
  const journal = await onlyJournal();
  await journal.remove();
  await journal.remove();
  expect(await names()).toEqual([]);
});

test('what a journal leaves has no torn last line: it was never promised to anybody', async () => {
  const receipt = receiptWith();
  await createJournal(data, EPOCH).write([receipt]);
  await appendFile(path, encodeReceiptLine(receiptWith()).slice(0, 90));
  expect(await onlyJournal()).toMatchObject({ receipts: [receipt], damaged: null });
});

test('what a journal leaves is refused where another version of the program wrote a line, and stays as it is', async () => {
  await createJournal(data, EPOCH).write([receiptWith()]);
  await appendFile(path, '[99,"5f3759df",{}]\n');
  const text = await readFile(path, 'utf8');
  await expect(readLeftJournals(data)).rejects.toThrow(path);
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(await names()).toEqual([`${EPOCH}.jsonl`]);
});

test('what a journal leaves keeps damaged lines aside, and everything around them is settled', async () => {
  const receipts = [receiptWith(), receiptWith()];
  const [first, last] = receipts.map(encodeReceiptLine);
  await createJournal(data, EPOCH).write([]);
  const text = `${first}{"requestId": "half\n\n\0\0\0\n${last}`;
  await writeFile(path, text);
  const journal = await onlyJournal();
  expect(journal).toMatchObject({ receipts, damaged: { lines: 2, file: `${path}.damaged` } });
  await journal.remove();
  await journal.remove();
  expect(await names()).toEqual([`${EPOCH}.jsonl.damaged`]);
  expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text);
  expect(await readLeftJournals(data)).toEqual([]);
});
