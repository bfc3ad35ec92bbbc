import { readActiveVersions } from '../../control/catalogue/price-versions.ts';
import type { Config } from '../../config/config.ts';
import { isMost } from '../../lib/is-most.ts';
import type { Log } from '../telemetry/log.ts';
import { applyOwnPrices } from './first-boot.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { type Offer, readBaseOffer, readOffer } from './offer.ts';
import type { Storage } from './storage.ts';

/**
 * The offer of a changed configuration, or of a changed database, its prices applied if this instance owns them. A file that lacks most models on
 * sale may be half-written, or emptied by mistake, so the missing models stay on sale.
 * @throws DatabaseUnavailable
 */
export async function readNextOffer(
  storage: Storage,
  running: Offer,
  { config, keyring, log }: { readonly config: Config; readonly keyring: Keyring; readonly log: Log },
): Promise<Offer> {
  const next = await readOffer(await readBaseOffer(config), { sql: storage.control, keyring });
  // A model that was removed from the database was removed by an operator.
  const removed = running.stored.filter((id) => !next.stored.includes(id));
  await applyOwnPrices(storage, next.models, { config, log, removed, mayLoseMost: !running.isConfigured });
  reportProblems(next, running, log);
  const active = new Set((await readActiveVersions(storage.control)).map(({ model }) => model));
  const offer = keepingMost(running, next, active);
  if (offer.kept.length > 0) {
    const lost = offer.kept.map(({ id }) => id);
    log.error(
      { models: lost },
      `the config file lacks most of the models on sale, so they stay on sale: put them back, or retire them with "faregate catalogue apply --accept ${lost.join(' ')}"`,
    );
  }
  if (![...offer.models, ...offer.kept].some(({ id }) => active.has(id))) log.warn({}, NOTHING_SOLD);
  return offer;
}

/** Logs what of the database can't be used, once. */
export function reportProblems({ problems }: Offer, former: Offer | null, log: Log): void {
  for (const problem of problems) if (former?.problems.includes(problem) !== true) log.error({}, problem);
}

/** The warning of an instance without models on sale. */
export const NOTHING_SOLD =
  'no model is on sale, so every request is refused: add models to the config file, and see "faregate catalogue diff"';

/**
 * The next offer. If it lacks most of what the running offer sells, all of that is kept too. `active` are the models
 * with a price.
 */
export function keepingMost(running: Offer, next: Offer, active: ReadonlySet<string>): Offer {
  const sold = [...running.models, ...running.kept].filter(({ id }) => active.has(id));
  const lost = sold.filter(
    (model) => !next.models.some(({ id }) => id === model.id) && !running.stored.includes(model.id),
  );
  if (!running.isConfigured || !isMost(lost.length, sold.length)) return next;
  const needed = new Set(lost.flatMap(({ routes }) => routes.map(({ provider }) => provider)));
  for (const { name } of next.providers) needed.delete(name);
  const providers = running.providers.filter(({ name }) => needed.has(name));
  return { ...next, kept: lost, providers: [...next.providers, ...providers] };
}
