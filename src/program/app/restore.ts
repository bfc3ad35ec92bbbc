import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ledgerReportJson } from '../../control/admin/ledger/ledger-representations.ts';
import { makeProof } from '../../control/ledger/verifications.ts';
import { type BackupSource, openBackup } from '../backup-files/backup-file.ts';
import { checkBackup, restoreBackup } from '../database/backup-restore.ts';
import { migrate } from '../database/migrate.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { createLog } from '../telemetry/log.ts';
import { openStorage, type Storage } from './storage.ts';

/**
 * Fills an empty instance, which no program serves, from a backup file. The file is checked before anything is created.
 * @throws a fault whose message is one line
 */
export async function restoreInstance(config: Config, source: BackupSource): Promise<void> {
  await inRestored(config, source, () => Promise.resolve());
}

/**
 * Restores a backup into a database that is gone afterwards, and proves its ledger. @throws a fault whose message is one line
 */
export async function verifyBackup(config: Config, source: BackupSource): Promise<ReturnType<typeof ledgerReportJson>> {
  const scratch = await mkdtemp(join(tmpdir(), 'faregate-verify-'));
  try {
    // The database's user has to traverse it.
    await chmod(scratch, 0o711);
    const apart = { ...config, dataDirectory: join(scratch, 'data'), database: { ...config.database, url: null } };
    return await inRestored(apart, source, async ({ control: sql, pacer }) => {
      const proof = await makeProof({ sql, pacer }, { night: null, now: new Date() });
      if (typeof proof === 'string') throw new Error('the ledger of the backup could not be verified; verify it again');
      return ledgerReportJson(proof);
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function inRestored<Result>(
  config: Config,
  backup: BackupSource,
  use: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  await checkBackup(await openBackup(backup));
  const source = await openBackup(backup);
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const storage = await openStorage(config, directory, createLog('warn'));
    try {
      await migrate(storage.database, { instanceId: directory.instanceId });
      await restoreBackup(storage.database, source);
      return await use(storage);
    } finally {
      await storage.stop();
    }
  } finally {
    source.destroy();
    await directory.release();
  }
}
