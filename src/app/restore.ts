import { createReadStream } from 'node:fs';
import type { Config } from '../config/config.ts';
import { checkBackup, restoreBackup } from '../database/backup-restore.ts';
import { migrate } from '../database/migrate.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { createLog } from '../telemetry/log.ts';
import { openStorage } from './storage.ts';

/** Fills an empty instance from a backup file, which is looked at before anything is made for it, while no program serves it. @throws a fault with one line to read */
export async function restoreInstance(config: Config, file: string): Promise<void> {
  await checkBackup(file);
  const source = createReadStream(file);
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const storage = await openStorage(config, directory, createLog('warn'));
    try {
      await migrate(storage.database);
      await restoreBackup(storage.database, source);
    } finally {
      await storage.stop();
    }
  } finally {
    source.destroy();
    await directory.release();
  }
}
