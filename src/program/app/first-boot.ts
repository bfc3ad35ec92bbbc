import { bootstrap } from '../../control/accounts/bootstrap.ts';
import { claimShard } from '../../control/accounts/shard.ts';
import { applyCatalogue } from '../../control/catalogue/price-versions.ts';
import type { Config, ModelConfig } from '../../config/config.ts';
import { ensureReceiptPartitions } from '../database/partitions.ts';
import { BY_INSTANCE } from '../../control/identity/makers.ts';
import { makeSetUpLink } from '../../control/identity/set-up.ts';
import { together } from '../../lib/together.ts';
import { postCredit } from '../../control/ledger/postings.ts';
import type { Log } from '../telemetry/log.ts';
import type { FirstKey } from './banner.ts';
import type { Offer } from './offer.ts';
import { recoverSpending } from './spending.ts';
import type { Storage } from './storage.ts';
import type { DataDirectory } from '../process/data-directory.ts';

/** Preparations that run concurrently with the rest of the start. Each waits for the database several times. */
interface Preparations {
  /** Resolves when the prices are in the database, with the key of an empty instance, which the start prints once. */
  readonly priced: Promise<FirstKey | null>;
  /** Resolves when nothing is left of earlier processes, and a new epoch can begin. */
  readonly recovered: Promise<unknown>;
  /** Of the link that makes the first owner; null: the instance has been set up. No request waits for it. */
  readonly setUpSecret: Promise<string | null>;
}

/** Prepares an instance that has its schema for serving: prices, and the journals and leases of earlier processes. */
export function prepareInstance(
  storage: Storage,
  offer: Promise<Offer>,
  { config, directory, log }: { readonly config: Config; readonly directory: DataDirectory; readonly log: Log },
): Preparations {
  const claimed = claimShard(storage.database, config.database.shard);
  claimed.catch(() => undefined);
  const preparations = {
    priced: prepareSale(storage, offer, { config, claimed, log }),
    recovered: together(
      claimed,
      together(
        recoverSpending(directory, storage.database, log),
        ensureReceiptPartitions(storage.database, Date.now()),
      ),
    ),
    setUpSecret: makeSetUpLink(storage.control, BY_INSTANCE),
  };
  // A start that fails first never asks for them.
  for (const each of Object.values(preparations)) each.catch(() => undefined);
  return preparations;
}

/**
 * Prepares prices for the first request, and on an empty instance a workspace with a key, which is returned only this
 * once.
 */
async function prepareSale(
  storage: Storage,
  offer: Promise<Offer>,
  { config, claimed, log }: { readonly config: Config; readonly claimed: Promise<void>; readonly log: Log },
): Promise<FirstKey | null> {
  const { models } = await offer;
  await applyOwnPrices(storage, models, { config, log, removed: [], mayLoseMost: true });
  if (!config.bootstrap) return null;
  await claimed;
  const first = await bootstrap(storage.database, (tx, scope, amount) =>
    postCredit(tx, scope, { kind: 'grant', amount, reason: 'starter credit' }),
  );
  return first === null ? null : { key: first.key, workspace: first.workspaceName, credit: first.credit };
}

/** The dependencies of applying prices. */
interface OwnPrices {
  readonly config: Config;
  readonly log: Log;
  /** Models that an operator has removed. */
  readonly removed: readonly string[];
  /** Whether most of the models may be retired. */
  readonly mayLoseMost: boolean;
}

/**
 * Applies the prices of the file, if the database is this instance's own. A database that several instances may share
 * gets prices only by `catalogue apply`.
 */
export async function applyOwnPrices(
  { kind, control }: Storage,
  models: readonly ModelConfig[],
  { config, log, removed, mayLoseMost }: OwnPrices,
): Promise<void> {
  if (kind === 'external' && !config.bootstrap) return;
  const { withheld } = await applyCatalogue(control, models, { accept: removed, mayLoseMost });
  for (const { model } of withheld.filter(({ change }) => change === 'update')) {
    log.warn(
      { model },
      `the configuration changes this price more than tenfold, so the former price stays in force: accept the change with "faregate catalogue apply --accept ${model}"`,
    );
  }
}
