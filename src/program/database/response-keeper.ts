import type { Keyring } from '../../control/encryption/keyring.ts';
import type { KeptResponse } from '../../gate/gateway/response-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { pause } from '../../lib/pause.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { DatabaseUnavailable, FREQUENT, type SqlRunner } from '../../lib/sql.ts';
import type { Turns } from '../../gate/turns/stages.ts';
import { keepArguments, keptBytes, type StoreLimits } from './keep-arguments.ts';
import { encryptResponses } from './kept-cipher.ts';
import { type Lane, laneOf, type WaitingResponse, WaitingResponses } from './waiting-responses.ts';

/** As long as the end of an answer waits for its receipt. */
const KEEP_MS_MAX = 5_000;
const RETRY_MS = 100;

const KEEP = 'select refused from keep_responses($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

/** How long a workspace counts as full after a response of its has found no room. */
const FULL_MS = 5_000;
const FULL_WORKSPACES_MAX = 10_000;

/**
 * Writes responses in batches. Each lane has one under way, and what gathers in the meantime goes next. A response that isn't
 * written in time, or finds too much waiting, is lost: its answer doesn't wait any longer. A batch whose outcome is unknown
 * is sent again, and changes nothing if it took effect.
 */
export class ResponseKeeper {
  readonly #sql: SqlRunner;
  readonly #keyring: Pick<Keyring, 'present'>;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #onLost: (requestId: string, reason: unknown) => void;
  readonly #waiting = new WaitingResponses();
  readonly #running = new Set<Lane>();
  /** Workspaces that had no room for a response under these limits, and when. */
  readonly #full = new RecentMap<string, { readonly sinceMs: number; readonly limits: StoreLimits }>(
    FULL_WORKSPACES_MAX,
  );

  constructor(parts: {
    readonly sql: SqlRunner;
    readonly keyring: Pick<Keyring, 'present'>;
    readonly clock: Clock;
    readonly turns: Turns;
    readonly onLost: (requestId: string, reason: unknown) => void;
  }) {
    this.#sql = parts.sql;
    this.#keyring = parts.keyring;
    this.#clock = parts.clock;
    this.#turns = parts.turns;
    this.#onLost = parts.onLost;
  }

  /** Whether the workspace had as much as it may a moment ago: its answers say then that they are not kept. */
  isFull(workspaceId: string, limits: StoreLimits): boolean {
    const full = this.#full.get(workspaceId);
    return full?.limits === limits && this.#clock.monotonicMs() - full.sinceMs < FULL_MS;
  }

  /** The workspace has deleted a response, by this process: others take it for full until `FULL_MS` are over. */
  madeRoom(workspaceId: string): void {
    this.#full.delete(workspaceId);
  }

  /** Resolves once the response is written, or lost; to whether it is written. */
  async keep(response: KeptResponse, limits: StoreLimits): Promise<boolean> {
    const bytes = keptBytes(response);
    if (!this.#waiting.hasRoom(response.workspaceId, bytes)) {
      this.#onLost(response.requestId, new Error('too many bytes of responses wait for the database'));
      return false;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancelDeadline = this.#clock.after(KEEP_MS_MAX, () =>
      this.#lose(waiting, new Error('the database did not take it in time')),
    );
    const waiting: WaitingResponse = { response, limits, bytes, resolve, cancelDeadline, isOver: false };
    this.#waiting.add(waiting);
    this.#start(laneOf(waiting));
    return await promise;
  }

  #start(lane: Lane): void {
    if (this.#running.has(lane)) return;
    this.#running.add(lane);
    this.#run(lane).catch((fault: unknown) => {
      this.#running.delete(lane);
      for (const waiting of this.#waiting.all()) this.#lose(waiting, fault);
    });
  }

  async #run(lane: Lane): Promise<void> {
    for (;;) {
      // Answers that came in together are kept together.
      await this.#turns.turn('statements');
      const batch = this.#waiting.takeBatch(lane);
      if (batch.length === 0) break;
      try {
        const refused = await this.#write(batch);
        for (const waiting of batch) this.#finish(waiting, refused);
      } catch (fault) {
        if (fault instanceof DatabaseUnavailable) await pause(this.#clock, RETRY_MS);
        else for (const waiting of batch) this.#lose(waiting, fault);
      }
      this.#waiting.done(batch);
      // Behind a small response of its workspace a large one may have waited, and the other way round.
      const other = lane === 'small' ? 'large' : 'small';
      if (this.#waiting.hasTurn(other)) this.#start(other);
    }
    this.#running.delete(lane);
  }

  /** Writes a batch. Returns the requests whose responses exceed their workspace's limit. */
  async #write(batch: readonly WaitingResponse[]): Promise<ReadonlySet<string>> {
    const [first] = batch;
    if (first === undefined) return new Set();
    const encrypted = await encryptResponses(
      this.#keyring,
      batch.map(({ response }) => response),
    );
    const values = keepArguments(encrypted, first.limits);
    const rows = await this.#sql.query<{ refused: string }>(KEEP, values, FREQUENT);
    return new Set(rows.map(({ refused }) => refused));
  }

  #finish(waiting: WaitingResponse, refused: ReadonlySet<string>): void {
    const { limits, response } = waiting;
    const { requestId, workspaceId } = response;
    if (!refused.has(requestId)) return this.#end(waiting, true);
    this.#full.set(workspaceId, { sinceMs: this.#clock.monotonicMs(), limits });
    this.#lose(waiting, new Error('its workspace has as much as it may'));
  }

  #end(waiting: WaitingResponse, isKept: boolean): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    waiting.cancelDeadline();
    waiting.resolve(isKept);
  }

  #lose(waiting: WaitingResponse, reason: unknown): void {
    if (waiting.isOver) return;
    this.#onLost(waiting.response.requestId, reason);
    this.#end(waiting, false);
  }
}
