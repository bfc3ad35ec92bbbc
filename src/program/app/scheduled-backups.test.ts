import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BackupConfig } from '../../config/config.ts';
import { refuse } from '../../domain/refusals.ts';
import { type BackupSource, newIdentity, openBackup } from '../backup-files/backup-file.ts';
import { writeScheduledBackup } from './scheduled-backups.ts';
import type { VerifyAnswer } from './verify-entry.ts';

const CONTENT = 'all of it';

let folder: string;
let nowMs = Date.parse('2027-03-01T02:30:00Z');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faregate-backups-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytesOf = (content: string | Error): ReadableStream<Uint8Array> =>
  Readable.toWeb(
    Readable.from(
      (async function* () {
        yield Buffer.from('all');
        await Promise.resolve();
        if (content instanceof Error) throw content;
        yield Buffer.from(content.slice(3));
      })(),
    ),
  ) as ReadableStream<Uint8Array>;

interface Given extends Partial<BackupConfig> {
  readonly content?: string | Error;
  readonly verify?: (source: BackupSource) => Promise<VerifyAnswer>;
}

function write({ content = CONTENT, verify = () => Promise.resolve({ differences: 0 }), ...config }: Given = {}) {
  return writeScheduledBackup({
    config: {
      schedule: { everyMs: 86_400_000, afterMs: 0 },
      folder,
      recipients: [],
      keep: 3,
      verifies: false,
      ...config,
    },
    nowMs: () => nowMs,
    begin: () => Promise.resolve(bytesOf(content)),
    verify,
  });
}

const files = async (): Promise<readonly string[]> => (await readdir(folder)).toSorted();

test('a backup has its name once it is whole, and is for its owner alone', async () => {
  nowMs = Date.parse('2027-03-01T02:30:00Z');
  const written = await write();
  const file = join(folder, 'faregate-20270301T023000Z.backup');
  expect(written).toEqual({ file, bytes: CONTENT.length, verified: false });
  expect(await readFile(file, 'utf8')).toBe(CONTENT);
});

test('the newest backups are kept, and files that are none of them too', async () => {
  await writeFile(join(folder, 'mine.backup'), '');
  for (let day = 1; day <= 5; day += 1) {
    nowMs = Date.parse(`2027-03-0${day}T02:30:00Z`);
    await write();
  }
  expect(await files()).toEqual([
    'faregate-20270303T023000Z.backup',
    'faregate-20270304T023000Z.backup',
    'faregate-20270305T023000Z.backup',
    'mine.backup',
  ]);
});

test('backups that a wrong clock has dated into the future go first, and never the one that was just written', async () => {
  for (const name of ['20290101', '20290102', '20290103', '20270228']) {
    await writeFile(join(folder, `faregate-${name}T023000Z.backup`), '');
  }
  nowMs = Date.parse('2027-03-01T02:30:00Z');
  await write({ keep: 2 });
  expect(await files()).toEqual(['faregate-20270228T023000Z.backup', 'faregate-20270301T023000Z.backup']);
});

test.each([
  ['a disk that is full', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'is on a disk that is full'],
  ['a database that goes away', new Error('the database is away'), 'the database is away'],
])('a backup that is ended by %s leaves no file behind and removes no older one', async (_, content, message) => {
  nowMs = Date.parse('2027-03-01T02:30:00Z');
  await write({ keep: 1 });
  nowMs = Date.parse('2027-03-02T02:30:00Z');
  await expect(write({ keep: 1, content })).rejects.toThrow(message);
  expect(await files()).toEqual(['faregate-20270301T023000Z.backup']);
});

test('a missing folder is not made, and no backup is begun for it', async () => {
  await rm(folder, { recursive: true });
  const begin = vi.fn<() => never>();
  const parts = { nowMs: () => nowMs, begin, verify: vi.fn<() => never>() };
  const config = { schedule: { everyMs: 1, afterMs: 0 }, folder, recipients: [], keep: 1, verifies: false };
  await expect(writeScheduledBackup({ ...parts, config })).rejects.toThrow(
    `the folder ${folder} of backup.folder does not exist`,
  );
  expect(begin).not.toHaveBeenCalled();
});

test('what a program that died has left unfinished is removed by the next backup', async () => {
  await writeFile(join(folder, 'faregate-20270226T023000Z.backup.partial'), 'half');
  await writeFile(join(folder, 'mine.backup.partial'), 'half');
  nowMs = Date.parse('2027-03-01T02:30:00Z');
  await write();
  expect(await files()).toEqual(['faregate-20270301T023000Z.backup', 'mine.backup.partial']);
});

test('while another backup is written nothing is, and nothing is lost', async () => {
  const busy = () => Promise.resolve(refuse('SERVICE_UNAVAILABLE', 'Another backup is being written.'));
  const config = { schedule: { everyMs: 1, afterMs: 0 }, folder, recipients: [], keep: 1, verifies: false };
  const parts = { config, nowMs: () => nowMs, begin: busy, verify: vi.fn<() => never>() };
  expect(await writeScheduledBackup(parts)).toBeNull();
  expect(await files()).toEqual([]);
});

test('an encrypted backup is verified by an identity of its own, and opened by that of its recipient', async () => {
  const { identity, recipient } = await newIdentity();
  const seen: string[] = [];
  const verify = async (source: BackupSource): Promise<VerifyAnswer> => {
    seen.push(await text(await openBackup(source)));
    expect(source.identities).not.toContain(identity);
    return { differences: 0 };
  };
  const written = await write({ recipients: [recipient], verifies: true, verify });
  expect([seen, written?.verified]).toEqual([[CONTENT], true]);
  const file = written?.file ?? '';
  await expect(openBackup({ file, identities: null })).rejects.toThrow('encrypted');
  expect(await text(await openBackup({ file, identities: identity }))).toBe(CONTENT);
});

test.each<[string, VerifyAnswer]>([
  ['the line 7 is damaged', { problem: 'the line 7 is damaged' }],
  ['its ledger does not add up (2 differences)', { differences: 2 }],
])('a backup that fails its trial has another name, and no older one is removed: %s', async (reason, answer) => {
  nowMs = Date.parse('2027-03-01T02:30:00Z');
  await write({ keep: 1 });
  for (let day = 2; day <= 3; day += 1) {
    nowMs = Date.parse(`2027-03-0${day}T02:30:00Z`);
    const failing = write({ keep: 1, verifies: true, verify: () => Promise.resolve(answer) });
    await expect(failing).rejects.toThrow(reason);
  }
  expect(await files()).toEqual(['faregate-20270301T023000Z.backup', 'faregate-20270303T023000Z.backup.unverified']);
});

test('a recipient that is none is named by its setting', async () => {
  await expect(write({ recipients: ['age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq'] })).rejects.toThrow(
    /^backup\.recipients: "age1qqqqqqqq…" is not a recipient/,
  );
});
