import type { Act } from '../../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { findStandingSessions } from '../../identity/sessions.ts';
import { assert } from '../../../lib/assert.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import type { Bytes } from '../long-answers.ts';
import { changeEvents, firstEvents } from './live-events.ts';
import { LiveListener } from './live-listener.ts';
import { type LiveState, readLiveState } from './live-state.ts';

// The live updates of one process. Once a second it asks whether those who listen still may, and how each workspace that
// somebody watches stands: one short statement each, one after the other, so that they hold one connection at most. While
// the database is slow, it asks less often.

const LOOK_EVERY_MS = 1_000;
const LOOK_EVERY_MS_MAX = 10_000;
/** How much of the time looks may take. */
const REST = 4;
const BEAT_EVERY_MS = 15_000;
const RETRY_AFTER_MS = 5_000;

const STREAMS_MAX = 500;
const STREAMS_OF_WORKSPACE_MAX = 100;
const STREAMS_OF_ACTOR_MAX = 10;
/** Changed keys that are listed one by one; with more, a console reads the whole list again. */
const CHANGED_KEYS_MAX = 200;

const JOB = { actor: { kind: 'job', name: 'live updates' }, address: null, requestId: null } as const;

interface LiveParts {
  readonly sql: ControlSql;
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>;
  /** Calls back with the id of each key of any workspace that has changed. */
  readonly onKeyChange: (listener: (keyId: string) => void) => void;
  /** Called with faults other than those of a database that is away. */
  readonly onFault: (fault: unknown) => void;
}

interface Watched {
  readonly scope: WorkspaceScope;
  readonly listeners: Set<LiveListener>;
  /** The first look at it, which later listeners wait for too. */
  readonly first: Promise<LiveState | null>;
  state: LiveState | null;
}

/** The request for a stream: how to check its rights again, and how to end its connection. */
export interface LiveRequestParts {
  /** Identifies a token again; null for sessions, which are looked up together. */
  readonly identifyAgain: (() => Promise<Act | Refusal>) | null;
  readonly disconnect: () => void;
}

/** Keeps the open streams of events. */
export class LiveUpdates {
  readonly #parts: LiveParts;
  readonly #watched = new Map<string, Watched>();
  readonly #listeners = new Map<LiveListener, LiveRequestParts['identifyAgain']>();
  readonly #changedKeys = new Set<string>();
  #intervalMs = LOOK_EVERY_MS;
  #beatMs = 0;
  #isLooking = false;
  #isEnded = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    parts.onKeyChange((keyId) => {
      if (this.#watched.size > 0 && this.#changedKeys.size < CHANGED_KEYS_MAX) this.#changedKeys.add(keyId);
    });
  }

  /** How many streams are open. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Opens a stream, which begins with how things stand. @throws DatabaseUnavailable */
  async open(scope: WorkspaceScope, { identifyAgain, disconnect }: LiveRequestParts): Promise<Bytes | Refusal> {
    const refused = this.#refusalOf(scope);
    if (refused !== null) return refused;
    const { act, workspaceId } = scope;
    const watched = this.#watch(workspaceId);
    const onEnd = (ended: LiveListener): void => this.#leave(ended);
    const listener = new LiveListener({ act, workspaceId, disconnect, onEnd });
    watched.listeners.add(listener);
    this.#listeners.set(listener, identifyAgain);
    try {
      const state = (await watched.first) === null ? null : watched.state;
      if (state === null) listener.close();
      else listener.send(firstEvents(state));
    } catch (fault) {
      listener.close();
      throw fault;
    }
    this.#schedule();
    return listener.body;
  }

  /** Ends all streams, because the process is about to stop; no more are opened. */
  end(): void {
    this.#isEnded = true;
    for (const listener of this.#listeners.keys()) listener.close();
  }

  #refusalOf({ act, workspaceId }: WorkspaceScope): Refusal | null {
    if (this.#isEnded) {
      return refuse('SERVICE_UNAVAILABLE', 'This server is stopping.', { retryAfterMs: LOOK_EVERY_MS });
    }
    const name = nameOf(act);
    const ofActor = [...this.#listeners.keys()].filter((listener) => nameOf(listener.act) === name).length;
    const full =
      ofActor >= STREAMS_OF_ACTOR_MAX
        ? `${STREAMS_OF_ACTOR_MAX} streams of events of yours`
        : (this.#watched.get(workspaceId)?.listeners.size ?? 0) >= STREAMS_OF_WORKSPACE_MAX
          ? `${STREAMS_OF_WORKSPACE_MAX} streams of events of this workspace`
          : this.#listeners.size >= STREAMS_MAX
            ? `${STREAMS_MAX} streams of events`
            : null;
    if (full === null) return null;
    return refuse('RATE_LIMITED', `${full} are open, which is the limit: close one.`, { retryAfterMs: RETRY_AFTER_MS });
  }

  #watch(workspaceId: string): Watched {
    const known = this.#watched.get(workspaceId);
    if (known !== undefined) return known;
    const scope = authorise(JOB, 'workspace:read', workspaceId);
    assert(!isRefusal(scope), 'a job may do everything');
    const first = readLiveState(this.#parts.sql, scope, []);
    const watched: Watched = { scope, listeners: new Set(), first, state: null };
    // `open` throws a fault to its caller; it is not thrown a second time here.
    first.then(
      (state) => (watched.state ??= state),
      () => undefined,
    );
    this.#watched.set(workspaceId, watched);
    return watched;
  }

  #leave(listener: LiveListener): void {
    this.#listeners.delete(listener);
    const watched = this.#watched.get(listener.workspaceId);
    watched?.listeners.delete(listener);
    if (watched?.listeners.size === 0) this.#watched.delete(listener.workspaceId);
  }

  #schedule(): void {
    if (this.#isLooking || this.#listeners.size === 0) return;
    this.#isLooking = true;
    this.#parts.clock.after(this.#intervalMs, () => {
      this.#look()
        .catch((fault: unknown) => {
          this.#intervalMs = Math.min(LOOK_EVERY_MS_MAX, this.#intervalMs * 2);
          if (!(fault instanceof DatabaseUnavailable)) this.#parts.onFault(fault);
        })
        .finally(() => {
          this.#isLooking = false;
          this.#schedule();
        });
    });
  }

  /** Rights come first: nothing is sent to an actor that has lost the right to it. */
  async #look(): Promise<void> {
    const { clock, sql } = this.#parts;
    const beganMs = clock.monotonicMs();
    if (beganMs - this.#beatMs >= BEAT_EVERY_MS) {
      this.#beatMs = beganMs;
      for (const listener of this.#listeners.keys()) listener.beat();
    }
    await this.#admitAgain();
    const keyIds = [...this.#changedKeys];
    for (const watched of this.#watched.values()) {
      const { state: before } = watched;
      const now = before === null ? null : await readLiveState(sql, watched.scope, keyIds);
      if (before === null || now === null) continue;
      watched.state = now;
      const events = changeEvents(before, now);
      for (const listener of watched.listeners) listener.send(events);
    }
    for (const keyId of keyIds) this.#changedKeys.delete(keyId);
    const tookMs = clock.monotonicMs() - beganMs;
    this.#intervalMs = Math.min(LOOK_EVERY_MS_MAX, Math.max(LOOK_EVERY_MS - tookMs, tookMs * REST));
  }

  async #admitAgain(): Promise<void> {
    const all = [...this.#listeners];
    const sessionIds = all.flatMap(([{ act }]) => (act.actor.kind === 'session' ? [act.actor.sessionId] : []));
    const standing =
      sessionIds.length === 0 ? null : await findStandingSessions(this.#parts.sql, [...new Set(sessionIds)]);
    for (const [listener, identifyAgain] of all) {
      const { actor, ...origin } = listener.act;
      if (actor.kind === 'session') {
        const found = standing?.get(actor.sessionId);
        listener.admit(found === undefined ? null : { ...origin, actor: found });
      } else if (identifyAgain !== null) {
        const found = await identifyAgain();
        listener.admit(isRefusal(found) ? null : found);
      }
    }
  }
}

/** One user or token, for the limit of its streams. */
function nameOf({ actor }: Act): string {
  if (actor.kind === 'session') return `user ${actor.userId}`;
  if (actor.kind === 'job') return `job ${actor.name}`;
  return `${actor.kind} ${actor.tokenId ?? 'own'}`;
}
