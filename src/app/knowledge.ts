import { ChangeFeed } from '../accounts/changes.ts';
import { PrincipalCache } from '../accounts/principal-cache.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../lib/clock.ts';
import { EVENT_LOOP } from '../turns/stages.ts';
import { throttle } from '../lib/throttle.ts';
import type { Sql } from '../lib/sql.ts';
import type { Spending } from '../purses/spending.ts';
import type { Log } from '../telemetry/log.ts';
import type { Offer } from './offer.ts';

const FAULT_LOG_EVERY_MS = 10_000;

/** In-memory caches of database state, and the feed that invalidates them. */
export interface Knowledge {
  readonly feed: ChangeFeed;
  readonly principals: PrincipalCache;
  readonly catalogue: Catalogue;
}

/** Starts the feed and loads the catalogue; keys are loaded on first use. */
export async function startKnowledge(parts: {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly offer: Offer;
  readonly spending: Spending;
  readonly log: Log;
}): Promise<Knowledge> {
  const { sql, clock, offer, spending, log } = parts;
  const warn = (message: string): ((fault: unknown) => void) =>
    throttle(clock, FAULT_LOG_EVERY_MS, (fault: unknown) => log.warn({ err: fault }, message));
  const feed = new ChangeFeed(sql, clock, warn('the change feed could not be read; will retry'));
  const principals = new PrincipalCache({
    lookUp: (secrets) => spending.lookUp(secrets),
    clock,
    turns: EVENT_LOOP,
    feed,
  });
  const { models: configured, kept } = offer;
  const catalogue = new Catalogue({
    sql,
    clock,
    configured,
    kept,
    onFault: warn('prices could not be read; will retry'),
  });
  feed.subscribe(
    ({ kind, subjectId }) => {
      if (kind === 'purse') spending.purses.purseChanged(BigInt(subjectId));
      if (kind === 'catalogue') catalogue.invalidate();
      if (kind === 'rate') spending.permits.callBack(subjectId);
    },
    () => {
      if (feed.timeline !== null) spending.saw(feed.timeline);
      spending.purses.everyPurseChanged();
      catalogue.invalidate();
    },
  );
  await feed.start();
  await catalogue.reload();
  return { feed, principals, catalogue };
}
