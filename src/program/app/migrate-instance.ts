import type { UpgradePlan } from '../../control/doctor/upgrade-plan.ts';
import type { Config } from '../../config/config.ts';
import { type AppliedFiles, migrate, planUpgrade } from '../database/migrate.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { createLog } from '../telemetry/log.ts';
import { type GatewayStorage, joinStorage, openStorage } from './storage.ts';

/** What a start would do with the schema of the instance's database. @throws a fault whose message is one line */
export async function planInstance(config: Config): Promise<UpgradePlan> {
  return await onDatabase(config, ({ database }, instanceId) => planUpgrade(database, { instanceId }));
}

/** Upgrades the schema of the instance's database, as a start does. @throws a fault whose message is one line */
export async function migrateInstance(config: Config): Promise<AppliedFiles> {
  return await onDatabase(config, ({ database }, instanceId) => migrate(database, { instanceId }));
}

/** Only an embedded database needs the data directory, and an instance that doesn't run. */
async function onDatabase<Result>(
  config: Config,
  work: (storage: GatewayStorage, instanceId: string | null) => Promise<Result>,
): Promise<Result> {
  const { url, schema } = config.database;
  if (url !== null) {
    return await closing(joinStorage({ url, schema }, 'external', config.database), (storage) => work(storage, null));
  }
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const embedded = await openStorage(config, directory, createLog('warn'));
    return await closing(embedded, (storage) => work(storage, directory.instanceId));
  } finally {
    await directory.release();
  }
}

async function closing<Result>(
  storage: GatewayStorage,
  work: (storage: GatewayStorage) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(storage);
  } finally {
    await storage.stop();
  }
}
