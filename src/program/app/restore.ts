import { createReadStream } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { checkBackup, restoreBackup } from '../database/backup-restore.ts';
import { migrate } from '../database/migrate.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { createLog } from '../telemetry/log.ts';
import { openStorage } from './storage.ts';

/**
 * Fills an empty instance, which no program serves, from a backup file. The file is checked before anything is created.
 * @throws a fault whose message is one line
 */
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
