import type { RateLimits } from '../../src/domain/principal.ts';
import type { Process } from './machine.ts';

const MINUTE_MS = 60_000;
/** How long after a request a process in touch with the database may still have to report what comes back, or is missing. */
const TOLD_MS = 1_000;
/** How long after a change of limits processes may still go by the former. */
const CHANGED_MS = 3_000;
/** How long an answer that lets a request through may be on its way while the bucket regains already. */
const ANSWER_MS = 50;

type Kind = 'requests' | 'tokens';

/** One limit as a bucket, counted from what requests were told: what nobody has taken is in it. */
interface Level {
  perMinute: number;
  left: number;
  atMs: number;
}

interface Project {
  readonly id: string;
  limits: RateLimits;
  readonly levels: Record<Kind, Level | null>;
  /** By epoch, the requests that run and count. */
  readonly running: Map<bigint, number>;
  /** What goes back, or below zero was used beyond its quote, and may not have been told yet, oldest first. */
  untold: { readonly requests: number; readonly tokens: number; readonly atMs: number; readonly process: Process }[];
  changedMs: number;
}

const tolerance = ({ perMinute }: Level): number => (perMinute * ANSWER_MS) / MINUTE_MS;

/** What a request has taken of its project's limits. */
export interface Taken {
  readonly projectId: string;
  readonly epochId: bigint;
  readonly tokens: number;
  readonly process: Process;
  /** Whether it counts: its process was in touch with the database, which has lost nothing of it. */
  readonly isCounted: boolean;
}

/**
 * Judges rate limits by what requests were told: no stretch of time sees more than the limit and what is regained in it,
 * whichever processes serve, and what nobody has taken can be had.
 */
export class RateOracle {
  readonly #nowMs: () => number;
  readonly #freeSinceMs: (projectId: string) => number;
  readonly #projects = new Map<string, Project>();
  #takings = new Set<Taken>();
  #lostMs = -Infinity;

  /** `nowMs`: true time. `freeSinceMs`: since when nobody has locked a project's limits, or when that will end. */
  constructor({ nowMs, freeSinceMs }: { nowMs: () => number; freeSinceMs: (projectId: string) => number }) {
    this.#nowMs = nowMs;
    this.#freeSinceMs = freeSinceMs;
  }

  setLimits(projectId: string, limits: RateLimits): void {
    this.#projects.set(projectId, {
      id: projectId,
      limits,
      levels: { requests: this.#full(limits.requestsPerMinute), tokens: this.#full(limits.tokensPerMinute) },
      running: new Map(),
      untold: [],
      changedMs: this.#projects.has(projectId) ? this.#nowMs() : -Infinity,
    });
    this.#forget(({ projectId: id }) => id === projectId);
  }

  /**
   * The database has lost track: another server has taken over, its clock has jumped, or a process is gone with what it
   * had yet to tell. What is taken from now on is judged as if nothing had been before.
   */
  lostTrack(): void {
    this.#lostMs = this.#nowMs();
    for (const { limits, levels } of this.#projects.values()) {
      levels.requests = this.#full(limits.requestsPerMinute);
      levels.tokens = this.#full(limits.tokensPerMinute);
    }
  }

  /** The database counts no running request of before any more. */
  lostPlaces(): void {
    for (const { running } of this.#projects.values()) running.clear();
    this.#forget(() => true);
  }

  /** The requests of an epoch run on, but have no place any more. */
  fenced(epochId: bigint): void {
    for (const { running } of this.#projects.values()) running.delete(epochId);
    this.#forget((taken) => taken.epochId === epochId);
    this.lostTrack();
  }

  /** A request is let through. Answers with what is wrong about it, if anything is. */
  take(taken: Taken): string | null {
    if (!taken.isCounted) return null;
    const project = this.#project(taken.projectId);
    // While processes still go by former limits nothing is judged, nor what was let through before track was lost.
    const nowMs = this.#nowMs();
    if (nowMs - project.changedMs < CHANGED_MS || nowMs - this.#lostMs < ANSWER_MS) return null;
    const untold = this.#untold(project);
    this.#takings.add(taken);
    project.running.set(taken.epochId, (project.running.get(taken.epochId) ?? 0) + 1);
    const { requests, tokens } = project.levels;
    this.#add(requests, -1);
    this.#add(tokens, -taken.tokens);
    if (requests !== null && requests.left < -tolerance(requests) - untold.requests) {
      return 'more requests a minute than the limit';
    }
    if (tokens !== null && taken.tokens > 0 && tokens.left < -tolerance(tokens) - untold.tokens) {
      return 'more tokens a minute than the limit';
    }
    const running = [...project.running.values()].reduce((sum, each) => sum + each, 0);
    const { concurrency } = project.limits;
    return concurrency !== null && running > concurrency ? 'more requests at a time than the limit' : null;
  }

  /**
   * A request has ended: with the tokens that it used, or, where it was refused later on, null. What goes back comes into
   * the bucket once it is told of; what was used beyond the quote is missing at once.
   */
  end(taken: Taken, used: number | null): void {
    const project = this.#project(taken.projectId);
    const back = { requests: used === null ? 1 : 0, tokens: taken.tokens - (used ?? 0) };
    project.untold.push({ ...back, atMs: this.#nowMs(), process: taken.process });
    if (!this.#takings.delete(taken)) return;
    project.running.set(taken.epochId, (project.running.get(taken.epochId) ?? 0) - 1);
    if (back.tokens < 0) this.#add(project.levels.tokens, back.tokens);
  }

  /** Whether a project has had the same limits all the time, so that every process knows them. */
  isConstant(projectId: string): boolean {
    return this.#project(projectId).changedMs === -Infinity;
  }

  /** How many requests a project surely has left, when so many processes may have a stock of it. */
  surelyLeft(projectId: string, processes: number): number {
    const project = this.#project(projectId);
    const { requests } = project.levels;
    if (requests === null) return Infinity;
    this.#untold(project);
    this.#add(requests, 0);
    return requests.left - processes * Math.floor(requests.perMinute / 16);
  }

  /** By how much the database may have more than is counted here, once all that it has surely been told of is counted. */
  #untold(project: Project): { readonly requests: number; readonly tokens: number } {
    const fromMs = this.#nowMs() - TOLD_MS;
    const freeSinceMs = this.#freeSinceMs(project.id);
    const isTold = ({ atMs, process }: Project['untold'][number]): boolean =>
      process.clock.isGone || (process.isWell && Math.max(atMs, process.wellSinceMs, freeSinceMs) < fromMs);
    for (const { requests, tokens } of project.untold.filter(isTold)) {
      this.#add(project.levels.requests, requests);
      this.#add(project.levels.tokens, Math.max(0, tokens));
    }
    project.untold = project.untold.filter((back) => !isTold(back));
    const sum = { requests: 0, tokens: 0 };
    for (const { requests, tokens } of project.untold) {
      sum.requests += requests;
      sum.tokens += Math.abs(tokens);
    }
    return sum;
  }

  #full(perMinute: number | null): Level | null {
    return perMinute === null ? null : { perMinute, left: perMinute, atMs: this.#nowMs() };
  }

  #add(level: Level | null, permits: number): void {
    if (level === null) return;
    const nowMs = this.#nowMs();
    const regained = ((nowMs - level.atMs) * level.perMinute) / MINUTE_MS;
    level.left = Math.min(level.perMinute, Math.min(level.perMinute, level.left + regained) + permits);
    level.atMs = nowMs;
  }

  #forget(which: (taken: Taken) => boolean): void {
    this.#takings = new Set([...this.#takings].filter((taken) => !which(taken)));
  }

  #project(projectId: string): Project {
    const project = this.#projects.get(projectId);
    if (project === undefined) throw new Error('there is no such project');
    return project;
  }
}
