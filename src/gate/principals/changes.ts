import type { Clock } from '../../lib/clock.ts';
import { assert } from '../../lib/assert.ts';
import { BRIEF, FREQUENT, type SqlRunner, TIMELINE, UNHURRIED } from '../../lib/sql.ts';

// The change feed: within a second, every process learns of changes that others have committed. It reads all rows at or
// above the horizon of its previous read: the oldest transaction that was still running then. So a row that commits
// late is read when it commits, and a row is read again as long as an older writer runs; their ids keep it from
// counting twice.

export const CHANGE_KINDS = ['workspace', 'project', 'key', 'purse', 'catalogue', 'rate', 'cell'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * A committed change. The subject is a purse's id, a model's id ("*": of all models), or the UUID of a workspace, project or key (a
 * project's id for `rate`, which means that a rate limit is short), or the shard of a cell.
 */
export interface Change {
  readonly kind: ChangeKind;
  readonly subjectId: string;
}

/** Called with each change, synchronously and in the order of their ids. A change may be repeated. */
export type ChangeListener = (change: Change) => void;

/** What the server says at each poll. */
interface ServerState {
  readonly horizon: string;
  readonly timeline: string;
}

interface ChangeRow extends ServerState {
  readonly id: bigint | null;
  readonly kind: ChangeKind | null;
  readonly subject_id: string | null;
}

const POLL_INTERVAL_MS = 250;

/** Rows are kept for an hour. A feed that has not read for half an hour may have missed some. */
const GAP_MS_MAX = 30 * 60_000;

/** Whether there is anything to read. The last row is found by index, also by a plan that is kept while the table grows. */
const LOOK = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, ${TIMELINE} as timeline,
    coalesce((select transaction_id from changes order by transaction_id desc limit 1) >= $1::xid8, false) as "hasChanges"`;

const READ_CHANGES = `
  select now.horizon::text as horizon, now.timeline, changes.id, changes.kind, changes.subject_id
  from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon, ${TIMELINE} as timeline) now
  left join changes on changes.transaction_id >= $1::xid8
  order by changes.id`;

/** Deletes the changes that every feed has read or has given up on. */
export async function pruneChanges(sql: SqlRunner): Promise<void> {
  await sql.query(
    `delete from changes
     where changed_at < now() - interval '1 hour' and transaction_id < pg_snapshot_xmin(pg_current_snapshot())`,
    [],
    UNHURRIED,
  );
}

/** Polls the change table for the life of one process. Faults are reported, and the next poll tries again. */
export class ChangeFeed {
  readonly #sql: SqlRunner;
  readonly #clock: Clock;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners: { readonly onChange: ChangeListener; readonly onReset: () => void }[] = [];
  #horizon: bigint | null = null;
  #timeline: string | null = null;
  /** Ids of the previous read, which the next read may return again. */
  #seen: ReadonlySet<bigint> = new Set();
  #generation = 0;
  #lastSuccessMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #stopped = false;
  #cancelTimer: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(sql: SqlRunner, clock: Clock, onFault: (error: unknown) => void) {
    this.#sql = sql;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** Increases whenever changes were applied: earlier reads of the database may be out of date. */
  get generation(): number {
    return this.#generation;
  }

  /** When the last poll that succeeded was sent, on the clock's monotonic scale; −∞ before the first. */
  get lastSuccessMs(): number {
    return this.#lastSuccessMs;
  }

  /** Whether the last completed poll failed. One in progress doesn't count: a slow database takes seconds for each. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The timeline of the server that was last read; null before the first poll. */
  get timeline(): string | null {
    return this.#timeline;
  }

  /** `onReset` is called if changes may have been missed: the listener must drop its cache. */
  subscribe(onChange: ChangeListener, onReset: () => void = () => {}): void {
    this.#listeners.push({ onChange, onReset });
  }

  /**
   * Reads the initial horizon, then polls. Data read before it resolves isn't kept up to date. @throws
   * DatabaseUnavailable
   */
  async start(): Promise<void> {
    assert(this.#horizon === null, 'a change feed is started once');
    await this.#poll();
    this.#schedule();
  }

  /** Stops polling, and waits for a poll in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancelTimer = this.#clock.after(POLL_INTERVAL_MS, () => {
      this.#running = this.#poll()
        .catch(this.#onFault)
        .then(() => this.#schedule());
    });
  }

  async #poll(): Promise<void> {
    const sentMs = this.#clock.monotonicMs();
    const { state, rows } = await this.#read();
    const horizon = BigInt(state.horizon);
    const isFirst = this.#horizon === null;
    // Another server continues with a transaction counter of its own, so its horizon need not be lower.
    const isTakenOver = state.timeline !== this.#timeline || (this.#horizon !== null && horizon < this.#horizon);
    const missed = isTakenOver || sentMs - this.#lastSuccessMs > GAP_MS_MAX;
    this.#horizon = horizon;
    this.#timeline = state.timeline;
    this.#lastSuccessMs = sentMs;
    if (missed && !isFirst) this.#reset();
    this.#apply(rows);
  }

  async #read(): Promise<{ readonly state: ServerState; readonly rows: readonly ChangeRow[] }> {
    try {
      const [look] = await this.#sql.query<ServerState & { hasChanges: boolean }>(LOOK, [this.#horizon], FREQUENT);
      const rows =
        look?.hasChanges === true ? await this.#sql.query<ChangeRow>(READ_CHANGES, [this.#horizon], BRIEF) : [];
      // Rows come with the horizon of their own snapshot, beyond which nothing has been read.
      const state = rows[0] ?? look;
      assert(state !== undefined, 'a look at the changes returns its horizon');
      this.#hasFailed = false;
      return { state, rows };
    } catch (fault) {
      this.#hasFailed = true;
      throw fault;
    }
  }

  #apply(rows: readonly ChangeRow[]): void {
    const seen = new Set<bigint>();
    const fresh: Change[] = [];
    for (const { id, kind, subject_id: subjectId } of rows) {
      if (id === null || kind === null || subjectId === null) continue;
      seen.add(id);
      if (!this.#seen.has(id)) fresh.push({ kind, subjectId });
    }
    this.#seen = seen;
    if (fresh.length === 0) return;
    this.#generation++;
    for (const change of fresh) this.#notify((listener) => listener.onChange(change));
  }

  /** The gap was too long, or another server has taken over: anything may have changed. */
  #reset(): void {
    this.#seen = new Set();
    this.#generation++;
    this.#notify((listener) => listener.onReset());
  }

  #notify(act: (listener: { onChange: ChangeListener; onReset: () => void }) => void): void {
    for (const listener of this.#listeners) {
      try {
        act(listener);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
