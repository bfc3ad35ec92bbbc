import { ChangeFeed } from '../../gate/principals/changes.ts';
import { KnownCells } from '../../gate/principals/known-cells.ts';
import { PrincipalCache } from '../../gate/principals/principal-cache.ts';
import { cellUrls } from '../../control/cells/cell-store.ts';
import { Catalogue } from '../../control/catalogue/catalogue.ts';
import type { Clock } from '../../lib/clock.ts';
import { EVENT_LOOP } from '../../gate/turns/stages.ts';
import { throttle } from '../../lib/throttle.ts';
import type { Sql } from '../../lib/sql.ts';
import { together } from '../../lib/together.ts';
import type { Spending } from '../../gate/purses/spending.ts';
import type { Log } from '../telemetry/log.ts';
import type { Offer } from './offer.ts';

const FAULT_LOG_EVERY_MS = 10_000;

/** In-memory caches of database state, and the feed that invalidates them. */
export interface Knowledge {
  readonly feed: ChangeFeed;
  readonly principals: PrincipalCache;
  readonly catalogue: Catalogue;
  readonly cells: KnownCells;
}

interface KnowledgeParts {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Of the keys that this database has. */
  readonly shard: string;
  readonly offer: Offer;
  readonly log: Log;
  /** Resources to close at the end, in reverse order. */
  readonly closing: AsyncDisposableStack;
  /** Starts the engine. The feed calls back its leases and permits. */
  readonly startSpending: () => Promise<Spending>;
  /** Resolves when the prices of this start are in the database. */
  readonly priced: Promise<unknown>;
}

/**
 * Starts the engine concurrently with the feed and the catalogue, so that a slow database answers both at the same time.
 * Keys are loaded on first use. A change that the feed reads before there is an engine is none of its: it has drawn nothing.
 */
export async function startKnowledge(parts: KnowledgeParts): Promise<{ spending: Spending; knowledge: Knowledge }> {
  const { sql, clock, shard, offer, log, closing, priced } = parts;
  const warn = (message: string): ((fault: unknown) => void) =>
    throttle(clock, FAULT_LOG_EVERY_MS, (fault: unknown) => log.warn({ err: fault }, message));
  const started = parts.startSpending();
  closing.defer(() =>
    started.then(
      (spending) => spending.stop(),
      () => undefined,
    ),
  );
  const feed = new ChangeFeed(sql, clock, warn('the change feed could not be read; will retry'));
  const cells = new KnownCells({
    read: () => cellUrls(sql),
    clock,
    feed,
    onFault: warn('other cells could not be read; will retry'),
  });
  const principals = new PrincipalCache({
    lookUp: async (secrets) => await (await started).lookUp(secrets),
    clock,
    turns: EVENT_LOOP,
    feed,
    shard,
    mayHave: (other) => cells.has(other),
  });
  const { models: configured, kept } = offer;
  const catalogue = new Catalogue({
    sql,
    clock,
    configured,
    kept,
    onFault: warn('prices could not be read; will retry'),
  });
  const reload = (): void => catalogue.invalidate();
  feed.subscribe(({ kind }) => kind === 'catalogue' && reload(), reload);
  for (const part of [feed, catalogue, cells]) closing.defer(() => part.stop());
  const [spending] = await together(
    started,
    Promise.all([feed.start(), priced]).then(() => together(catalogue.reload(), cells.reload())),
  );
  feed.subscribe(
    ({ kind, subjectId }) => {
      if (kind === 'purse') spending.purses.purseChanged(BigInt(subjectId));
      if (kind === 'rate') spending.permits.callBack(subjectId);
    },
    () => {
      if (feed.timeline !== null) spending.saw(feed.timeline);
      spending.purses.everyPurseChanged();
    },
  );
  return { spending, knowledge: { feed, principals, catalogue, cells } };
}
