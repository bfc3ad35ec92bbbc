import type { Settings } from '../../config/settings.ts';
import type { HealthReport, InstanceHealth } from '../../gate/upstreams/health/standing.ts';
import { OpenQuestions } from './open-questions.ts';
import type {
  FromWorker,
  MetricsSnapshot,
  RestartProgress,
  SupervisorAnswers,
  WorkerFailure,
} from './worker-messages.ts';
import type { EndMessage } from './worker-link.ts';
import type { WorkerProcess } from './worker-process.ts';

/** How long a worker may take to start serving: twice as long after each that took too long, until one serves. */
const START_MS = 60_000;
const START_MS_MAX = 600_000;
/** Time for a worker, beyond its drain, to settle and release its leases. */
const SETTLE_MS = 10_000;
/** A worker that has served for this long counts as started successfully. */
const STEADY_MS = 10_000;
const PAUSE_MS = 100;
const PAUSE_MS_MAX = 5_000;
/** This many failed starts in a row, while no worker serves, end the program. Those given up together count once. */
const FAILED_STARTS_MAX = 5;
/** How long a worker may take to report. */
const REPORT_MS = 1_000;

/** Settings that can change while workers serve. */
export interface WorkerTerms {
  /** Passed to each worker at its start. */
  readonly orders: unknown;
  /**
   * How long a retiring worker continues to serve, and how long running requests of an ending worker may take;
   * milliseconds.
   */
  readonly lameDuckMs: number;
  readonly drainMs: number;
}

interface SupervisorParts extends WorkerTerms {
  /** The version of this program, which its workers must match. */
  readonly version: string;
  /** The number of workers. */
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /**
   * Releases the leases of a dead worker's epochs. Retries until it succeeds; once the signal reports that the program
   * stops, it doesn't retry.
   */
  readonly reclaim: (epochIds: readonly bigint[], stopping: AbortSignal) => Promise<void>;
  /** Called for every worker that ends unasked. */
  readonly onDeath: (death: { readonly pid: number; readonly how: string; readonly reason: string | null }) => void;
  readonly onFault: (fault: unknown) => void;
  /** The settings in force. */
  readonly settings: () => Settings;
  /** Adds the last metrics of a worker to those of ended workers, so that no counter ever decreases. */
  readonly addUp: (departed: MetricsSnapshot, last: MetricsSnapshot) => Promise<MetricsSnapshot>;
}

interface Member {
  readonly process: WorkerProcess;
  readonly epochIds: bigint[];
  readonly measurements: OpenQuestions<true>;
  readonly examinations: OpenQuestions<HealthReport>;
  /** *starting*, then *serving* once it listens, then *leaving* once it is asked to end. It may die in any of these. */
  state: 'starting' | 'serving' | 'leaving';
  servingSinceMs: number;
  /** Its last reported metrics. */
  metrics: MetricsSnapshot;
  /** The reason it reported for being unable to continue. */
  failure: WorkerFailure | null;
  /** Whether it was killed because it took too long to serve. */
  isGivenUp: boolean;
  /** Resolves with true when it serves, with false when it ends before. */
  readonly serves: PromiseWithResolvers<boolean>;
  /** Resolves when it has ended. */
  readonly gone: Promise<void>;
}

/**
 * Keeps a number of workers serving: replaces workers that die, after a pause that grows while they die early, and on
 * request replaces all of them one by one.
 */
export class Supervisor {
  /** Resolves with the reason if it can't continue. */
  readonly failed: Promise<string>;
  readonly #parts: SupervisorParts;
  readonly #fail: (reason: string) => void;
  readonly #allServe = Promise.withResolvers<void>();
  readonly #members = new Set<Member>();
  readonly #reclaims = new Set<Promise<void>>();
  #hasStarted = false;
  #failedStarts = 0;
  #startMs = START_MS;
  #youngDeaths = 0;
  #pause: NodeJS.Timeout | null = null;
  readonly #stopping = new AbortController();
  #departed: Promise<MetricsSnapshot> = Promise.resolve([]);
  #progress: RestartProgress;
  #terms: WorkerTerms;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#terms = parts;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.failed = promise;
    this.#fail = resolve;
    this.#progress = { running: false, workers: parts.count, replaced: 0, problem: null };
  }

  /** Starts the workers; resolves once all of them serve. `failed` resolves with the reason if they can't. */
  start(): Promise<void> {
    this.#fill();
    return this.#allServe.promise;
  }

  /** The progress of a rolling restart. */
  get restartProgress(): RestartProgress {
    return this.#progress;
  }

  /** Replaces the workers one by one, each only once its successor serves. Joins a running restart. */
  restart(): RestartProgress {
    if (this.#progress.running || this.#isStopping) return this.#progress;
    this.#progress = { running: true, workers: this.#parts.count, replaced: 0, problem: null };
    this.#replaceAll().then((problem) => {
      this.#progress = { ...this.#progress, running: false, problem };
    }, this.#parts.onFault);
    return this.#progress;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The number of serving workers. */
  get #serving(): number {
    return [...this.#members].filter(({ state }) => state === 'serving').length;
  }

  /** Passes new orders to current and future workers. */
  change(terms: WorkerTerms): void {
    this.#terms = terms;
    for (const { process } of this.#members) process.send({ kind: 'change', orders: terms.orders });
  }

  /**
   * Asks all workers to retire, and to stop once `hurried` resolves; without it, to stop immediately. Resolves when
   * they have ended and their leases are released or left to the next start.
   */
  async stop(hurried: Promise<void> | null): Promise<void> {
    this.#stopping.abort();
    if (this.#pause !== null) clearTimeout(this.#pause);
    const members = [...this.#members];
    const stopAll = (): void => {
      for (const { process } of members) process.send({ kind: 'stop' });
    };
    hurried?.then(stopAll, this.#parts.onFault);
    const endMessage = hurried === null ? 'stop' : 'retire';
    await Promise.all(members.map((member) => this.#dismiss(member, endMessage)));
    await withinMs(SETTLE_MS, Promise.all(this.#reclaims));
  }

  /** The metrics of all workers, including ended ones. A worker that doesn't answer counts with its last report. */
  async metrics(): Promise<readonly MetricsSnapshot[]> {
    const members = [...this.#members].filter(({ state }) => state !== 'starting');
    await Promise.all(
      members.map(({ process, measurements }) =>
        measurements.ask((id) => process.send({ kind: 'measure', id }), REPORT_MS),
      ),
    );
    const gone = members.filter((member) => !this.#members.has(member)).length;
    return gone > 0 ? await this.metrics() : [await this.#departed, ...members.map((member) => member.metrics)];
  }

  /** The providers as each serving worker knows them; a worker that doesn't answer is only counted. */
  async health(): Promise<InstanceHealth> {
    const serving = [...this.#members].filter(({ state }) => state === 'serving');
    const answers = await Promise.all(
      serving.map(({ process, examinations }) =>
        examinations.ask((id) => process.send({ kind: 'examine', id }), REPORT_MS),
      ),
    );
    return { processes: serving.length, reports: answers.filter((answer) => answer !== null) };
  }

  /** Starts the missing workers. */
  #fill(): void {
    this.#pause = null;
    const isStaying = ({ state }: Member): boolean => state !== 'leaving';
    for (let staying = [...this.#members].filter(isStaying).length; staying < this.#parts.count; staying++) {
      this.#begin();
    }
  }

  #begin(): Member {
    const process = this.#parts.fork();
    const member: Member = {
      process,
      epochIds: [],
      measurements: new OpenQuestions(),
      examinations: new OpenQuestions(),
      state: 'starting',
      servingSinceMs: 0,
      metrics: [],
      failure: null,
      isGivenUp: false,
      serves: Promise.withResolvers(),
      gone: process.ended.then((how) => this.#ended(member, how)),
    };
    this.#members.add(member);
    process.onMessage((message) => this.#receive(member, message));
    process.send({ kind: 'begin', version: this.#parts.version, orders: this.#terms.orders });
    const patience = this.#startMs;
    const timer = setTimeout(() => this.#giveUp(member, patience), patience);
    member.serves.promise.finally(() => clearTimeout(timer)).catch(this.#parts.onFault);
    return member;
  }

  /** Kills a worker that takes too long to serve. The database may be slow, so the next one has more time. */
  #giveUp(member: Member, patience: number): void {
    if (this.#startMs === patience) this.#failedStarts += 1;
    this.#startMs = Math.min(START_MS_MAX, Math.max(this.#startMs, 2 * patience));
    member.isGivenUp = true;
    const since = member.epochIds.length === 0 ? 'it had no epoch in the database yet' : 'it had begun its epoch';
    const reason = `it did not serve within ${patience / 1_000} s (${since}), so it was killed; the next one has ${this.#startMs / 1_000} s`;
    member.failure ??= { reason, isDatabaseAway: false };
    member.process.kill();
  }

  #receive(member: Member, message: FromWorker): void {
    switch (message.kind) {
      case 'epoch':
        member.epochIds.push(message.epochId);
        return;
      case 'serving':
        this.#serves(member);
        return;
      case 'failed':
        member.failure = message;
        return;
      case 'measured':
        member.metrics = message.metrics;
        member.measurements.answer(message.id, true);
        return;
      case 'examined':
        member.examinations.answer(message.id, message.health);
        return;
      case 'ask':
        this.#answer(message.question).then(
          (answer) => member.process.send({ kind: 'answer', id: message.id, answer }),
          this.#parts.onFault,
        );
    }
  }

  async #answer(question: keyof SupervisorAnswers): Promise<unknown> {
    switch (question) {
      case 'metrics':
        return await this.metrics();
      case 'health':
        return await this.health();
      case 'settings':
        return this.#parts.settings();
      case 'restart':
        return this.restart();
      case 'progress':
        return this.restartProgress;
    }
  }

  #serves(member: Member): void {
    if (member.state === 'starting') member.state = 'serving';
    member.servingSinceMs = performance.now();
    member.serves.resolve(true);
    this.#failedStarts = 0;
    this.#startMs = START_MS;
    if (this.#serving < this.#parts.count) return;
    this.#hasStarted = true;
    this.#allServe.resolve();
  }

  #ended(member: Member, how: string): void {
    this.#members.delete(member);
    member.measurements.close();
    member.examinations.close();
    member.serves.resolve(false);
    const { signal } = this.#stopping;
    const reclaim = this.#parts.reclaim(member.epochIds, signal).finally(() => this.#reclaims.delete(reclaim));
    this.#reclaims.add(reclaim);
    reclaim.catch(this.#parts.onFault);
    this.#departed = this.#addUp(this.#departed, member.metrics);
    if (this.#isStopping || member.state === 'leaving') return;
    this.#parts.onDeath({ pid: member.process.pid, how, reason: member.failure?.reason ?? null });
    if (member.state === 'starting') this.#startFailed(member, how);
    const isYoung = member.state === 'starting' || performance.now() - member.servingSinceMs < STEADY_MS;
    this.#youngDeaths = isYoung ? this.#youngDeaths + 1 : 0;
    const pauseMs = this.#youngDeaths < 2 ? 0 : Math.min(PAUSE_MS * 2 ** (this.#youngDeaths - 2), PAUSE_MS_MAX);
    this.#pause ??= setTimeout(() => this.#fill(), pauseMs);
  }

  /** The program ends only if it can't start, or if no worker serves although the database can be reached. */
  #startFailed({ failure, isGivenUp }: Member, how: string): void {
    if (!this.#hasStarted && failure !== null && !isGivenUp) this.#fail(failure.reason);
    if (failure?.isDatabaseAway === true || this.#serving > 0) return;
    if (!isGivenUp) this.#failedStarts += 1;
    if (this.#failedStarts < FAILED_STARTS_MAX) return;
    const last = failure?.reason ?? how;
    this.#fail(`workers end before they serve, ${FAILED_STARTS_MAX} times in a row; the last one: ${last}`);
  }

  async #addUp(departed: Promise<MetricsSnapshot>, last: MetricsSnapshot): Promise<MetricsSnapshot> {
    return await this.#parts.addUp(await departed, last);
  }

  /** Resolves with the reason of a failure; null if all were replaced. */
  async #replaceAll(): Promise<string | null> {
    for (const member of [...this.#members].filter(({ state }) => state === 'serving')) {
      // A worker that has died in between has been replaced already.
      if (this.#members.has(member)) {
        const successor = this.#begin();
        if (!(await successor.serves.promise)) {
          return `a new worker failed to start, so the old ones continue: ${successor.failure?.reason ?? 'it ended'}`;
        }
        if (this.#isStopping) return 'the program is stopping';
        await this.#dismiss(member, 'hand over');
        this.#fill();
      }
      this.#progress = { ...this.#progress, replaced: this.#progress.replaced + 1 };
    }
    return null;
  }

  /** Asks a worker to end, and resolves once it has; a worker that takes too long is killed. */
  async #dismiss(member: Member, endMessage: EndMessage): Promise<void> {
    member.state = 'leaving';
    member.process.send({ kind: endMessage });
    const { lameDuckMs, drainMs } = this.#terms;
    const servesOnMs = endMessage === 'retire' ? lameDuckMs : 0;
    const patience = setTimeout(() => member.process.kill(), servesOnMs + drainMs + SETTLE_MS);
    await member.gone;
    clearTimeout(patience);
  }
}

/** Waits for a promise, at most for this time. */
async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
