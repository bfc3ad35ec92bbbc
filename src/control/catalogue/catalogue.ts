import type { Model } from '../../domain/model.ts';
import type { Cancel, Clock } from '../../lib/clock.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { ActiveVersion, OfferedModel } from './catalogue-diff.ts';
import { readAllActiveVersions } from './price-versions.ts';

// The models on sale, in memory: the database says at what terms, the file says by which routes. A model that only one
// of them knows can't be called, unless it was in the file until it lost most of its models in one change: that may be
// a slip.

interface Options {
  readonly sql: SqlRunner;
  readonly clock: Clock;
  readonly configured: readonly OfferedModel[];
  /** Models that are not in the file any more, and stay on sale until the database says otherwise. */
  readonly kept?: readonly OfferedModel[];
  readonly onFault: (error: unknown) => void;
}

const RETRY_MS = 250;

/** The models that this process sells. Empty until the first `reload`. */
export class Catalogue {
  readonly #sql: SqlRunner;
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  #configured: readonly OfferedModel[];
  #kept: readonly OfferedModel[];
  #models: ReadonlyMap<string, Model> = new Map();
  /** The models of workspaces that pay other prices than the list's, by the workspace's id. */
  #ofWorkspaces: ReadonlyMap<string, ReadonlyMap<string, Model>> = new Map();
  #reload: Promise<void> = Promise.resolve();
  /** A reload that has not begun to read; later calls share it. */
  #waiting: Promise<void> | null = null;
  #cancelRetry: Cancel = () => {};
  #stopped = false;

  constructor({ sql, clock, configured, kept = [], onFault }: Options) {
    this.#sql = sql;
    this.#clock = clock;
    this.#configured = configured;
    this.#kept = kept;
    this.#onFault = onFault;
  }

  /** The model with this public id at the price that this workspace pays, if it can be called. */
  find(id: string, workspaceId: string): Model | undefined {
    return this.#ofWorkspaces.get(workspaceId)?.get(id) ?? this.#models.get(id);
  }

  /** All models that can be called, at list prices, in the file's order, then those that are kept. */
  list(): readonly Model[] {
    return [...this.#models.values()];
  }

  /** The file's models, whether or not they are sold. */
  get configured(): readonly OfferedModel[] {
    return this.#configured;
  }

  /** Takes other models, the file's and those that are kept; they count from the next reload on. */
  configure(configured: readonly OfferedModel[], kept: readonly OfferedModel[]): void {
    this.#configured = configured;
    this.#kept = kept;
  }

  /**
   * Reads the price versions as they are now. A call made while another reads waits for a read of its own, which it
   * shares with others that wait. @throws DatabaseUnavailable, Error
   */
  reload(): Promise<void> {
    if (this.#waiting !== null) return this.#waiting;
    const waiting = this.#readAfter(this.#reload);
    this.#waiting = waiting;
    this.#reload = waiting.catch(() => {});
    return waiting;
  }

  /** Reloads as soon as it can: a failure is reported and retried. Until then the models stay as they are. */
  invalidate(): void {
    this.#cancelRetry();
    if (this.#stopped) return;
    this.reload().catch((error: unknown) => {
      this.#onFault(error);
      this.#cancelRetry();
      if (!this.#stopped) this.#cancelRetry = this.#clock.after(RETRY_MS, () => this.invalidate());
    });
  }

  /** Ends retries. */
  stop(): void {
    this.#stopped = true;
    this.#cancelRetry();
  }

  async #readAfter(previous: Promise<void>): Promise<void> {
    await previous;
    this.#waiting = null;
    await this.#read();
  }

  async #read(): Promise<void> {
    const versions = await readAllActiveVersions(this.#sql);
    const listed = new Map(versions.filter(({ workspaceId }) => workspaceId === null).map((one) => [one.model, one]));
    const models = new Map<string, Model>();
    for (const { id, routes, reasoning, fallback } of [...this.#configured, ...this.#kept]) {
      const version = listed.get(id);
      if (version === undefined || routes.length === 0) continue;
      const { id: priceVersionId, version: priceVersion, terms, createdAtMs } = version;
      const model = { id, terms, priceVersionId, priceVersion, routes, reasoning, createdAtMs };
      models.set(id, Object.freeze(fallback === undefined ? model : { ...model, fallback }));
    }
    this.#models = models;
    this.#ofWorkspaces = pricedForWorkspaces(models, versions);
  }
}

function pricedForWorkspaces(
  models: ReadonlyMap<string, Model>,
  versions: readonly ActiveVersion[],
): ReadonlyMap<string, ReadonlyMap<string, Model>> {
  const priced = new Map<string, Map<string, Model>>();
  for (const { id: priceVersionId, version: priceVersion, workspaceId, model: modelId, terms } of versions) {
    const model = models.get(modelId);
    if (workspaceId === null || model === undefined) continue;
    const own = priced.get(workspaceId) ?? new Map<string, Model>();
    own.set(modelId, Object.freeze({ ...model, terms, priceVersionId, priceVersion }));
    priced.set(workspaceId, own);
  }
  return priced;
}
