import type { Config } from '../../config/config.ts';
import { migrate } from '../database/migrate.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';
import { prepareInstance } from './first-boot.ts';
import { openKeyring } from './keyring.ts';
import { reportProblems } from './next-offer.ts';
import { type BaseOffer, readOffer } from './offer.ts';
import type { Storage } from './storage.ts';
import { watchStoredOffer } from './stored-offer-watch.ts';

interface InstanceParts {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/**
 * Gives the database its schema, reads what it offers beside the file, and begins what a start has to prepare. Nothing else
 * waits for the offer.
 */
export async function openInstance(storage: Storage, base: BaseOffer, parts: InstanceParts) {
  const { directory, log, closing } = parts;
  const sql = storage.control;
  await migrate(storage.database, { instanceId: directory.instanceId });
  const keyring = openKeyring({ ...parts, home: directory, sql });
  const offering = readOffer(base, { sql: storage.database, keyring });
  const preparations = prepareInstance(storage, offering, parts);
  const offer = await offering;
  reportProblems(offer, null, log);
  const { onChange: onOfferChange } = watchStoredOffer(offer.mark, { sql, log, closing });
  return { ...preparations, keyring, offer, onOfferChange };
}
