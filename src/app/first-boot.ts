import { bootstrap } from '../accounts/bootstrap.ts';
import { applyCatalogue } from '../catalogue/price-versions.ts';
import type { Config, ModelConfig } from '../config/config.ts';
import { migrate } from '../database/migrate.ts';
import { ensureReceiptPartitions } from '../database/partitions.ts';
import { postCredit } from '../ledger/postings.ts';
import type { Log } from '../telemetry/log.ts';
import type { FirstKey } from './banner.ts';
import type { Offer } from './offer.ts';
import { recoverSpending } from './spending.ts';
import type { Storage } from './storage.ts';
import type { DataDirectory } from '../process/data-directory.ts';

/** Prepares the instance for whatever will serve it: its database, then what its former processes have left. */
export async function prepareInstance(
  storage: Storage,
  { models }: Offer,
  { config, directory, log }: { readonly config: Config; readonly directory: DataDirectory; readonly log: Log },
): Promise<FirstKey | null> {
  const firstKey = await prepareDatabase(config, storage, models, log);
  await recoverSpending(directory, storage.database, log);
  return firstKey;
}

/**
 * Prepares what must be there before the first request: schema, partitions, prices, and on an empty instance a
 * workspace with a key, which is answered this once.
 */
async function prepareDatabase(
  config: Config,
  storage: Storage,
  models: readonly ModelConfig[],
  log: Log,
): Promise<FirstKey | null> {
  const { database } = storage;
  await migrate(database);
  await ensureReceiptPartitions(database, Date.now());
  await applyOwnPrices(storage, models, { config, log, mayLoseMost: true });
  if (!config.bootstrap) return null;
  const first = await bootstrap(database, (tx, workspaceId, amount) =>
    postCredit(tx, { workspaceId, kind: 'grant', amount, actor: 'bootstrap', reason: 'starter credit' }),
  );
  return first === null ? null : { key: first.key, workspace: first.workspaceName, credit: first.credit };
}

/** The parts that applying prices needs. */
interface OwnPrices {
  readonly config: Config;
  readonly log: Log;
  /** Whether most of the models may go off sale by it. */
  readonly mayLoseMost: boolean;
}

/**
 * Applies the prices of the file to a database that is this instance's own. One that several may share gets prices only
 * by `catalogue apply`.
 */
export async function applyOwnPrices(
  { kind, control }: Storage,
  models: readonly ModelConfig[],
  { config, log, mayLoseMost }: OwnPrices,
): Promise<void> {
  if (kind === 'external' && !config.bootstrap) return;
  const { withheld } = await applyCatalogue(control, models, { accept: [], mayLoseMost });
  for (const { model } of withheld.filter(({ change }) => change === 'update')) {
    log.warn(
      { model },
      `the price in the config file differs more than tenfold, so the former one stays: accept it with "faregate catalogue apply --accept ${model}"`,
    );
  }
}
