import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Readable } from 'node:stream';
import { newIdentity, openBackup } from '../../src/program/backup-files/backup-file.ts';
import { startProgram } from '../support/program.ts';

/** For a backup and its trial by processes of their own, on a busy machine. */
const FIRST_MS = 300_000;
vi.setConfig({ testTimeout: 2 * FIRST_MS });

let root: string;
let folder: string;
let identity: string;
let recipient: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'faregate-schedules-'));
  folder = join(root, 'backups');
  ({ identity, recipient } = await newIdentity());
});
afterAll(() => rm(root, { recursive: true, force: true }));

const config = (more: string): string => `backup: { schedule: 6h, folder: ${folder}${more} }\n`;

const GZIP = Buffer.from([0x1f, 0x8b]);

async function firstBytes(stream: Readable): Promise<Buffer> {
  for await (const chunk of stream) return (chunk as Buffer).subarray(0, GZIP.length);
  return Buffer.alloc(0);
}

test('a started program writes a backup for its recipient, restores it on trial, and says so', async () => {
  await mkdir(folder);
  const program = await startProgram({ config: config(`, recipients: [${recipient}], verify: true`) });
  try {
    const whole = async () => (await readdir(folder)).filter((name) => name.endsWith('.backup'));
    await expect.poll(whole, { timeout: FIRST_MS, interval: 500 }).toHaveLength(1);
    const [name = ''] = await whole();
    expect(await readdir(folder)).toEqual([name]);
    const sealed = await program.cli('backup', 'verify', join(folder, name));
    expect(sealed).toMatchObject({ code: 1, stderr: expect.stringContaining('encrypted') as string });
    const opened = await openBackup({ file: join(folder, name), identities: identity });
    expect(await firstBytes(opened)).toEqual(GZIP);
    const { data: findings } = await program.admin.examineInstance();
    expect(findings).toContainEqual(expect.objectContaining({ check: 'scheduled work', status: 'ok' }));
    expect((await program.admin.showStatus()).problems.join(' ')).not.toContain('backup');
  } finally {
    await program.dispose();
  }
});

test('a folder that is missing is a problem that status, doctor, metrics and log name, while requests are served', async () => {
  await rm(folder, { recursive: true, force: true });
  const program = await startProgram({ config: `${config('')}providers: { built-in: { kind: sandbox } }\n` });
  try {
    const problems = async () => (await program.admin.showStatus()).problems.join(' ');
    const reason = `the folder ${folder} of backup.folder does not exist`;
    await expect.poll(problems, { timeout: FIRST_MS }).toContain(`The scheduled backup failed at`);
    expect(await problems()).toContain(reason);
    const { data } = await program.admin.examineInstance();
    expect(data).toContainEqual(expect.objectContaining({ check: 'scheduled work', status: 'warn' }));
    expect(program.stderr()).toContain('"event":"backup_failed"');
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  } finally {
    await program.dispose();
  }
});
