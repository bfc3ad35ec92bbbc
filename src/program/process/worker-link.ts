import type { Settings } from '../../config/settings.ts';
import { Unanswered } from '../../lib/unanswered.ts';
import type { HealthReport, InstanceHealth } from '../../gate/upstreams/health/standing.ts';
import { OpenQuestions } from './open-questions.ts';
import type { FromWorker, MetricsSnapshot, RestartProgress, SupervisorAnswers, ToWorker } from './worker-messages.ts';

const ANSWER_MS = 3_000;

/** What a worker reports when it is asked. */
interface WorkerReports {
  metrics(): Promise<MetricsSnapshot>;
  health(): HealthReport;
}

/** A worker's access to all workers of the instance. Questions reject with Unanswered if the supervisor is too busy for them. */
export interface Workers {
  /** Sets the functions that read what this worker reports. */
  report(reports: WorkerReports): void;
  /** The metrics of all workers. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
  /** The providers as each worker knows them. */
  health(): Promise<InstanceHealth>;
  /** The settings of the instance. */
  settings(): Promise<Settings>;
  /** Begins a rolling restart, or joins the running one. */
  restart(): Promise<RestartProgress>;
  restartProgress(): Promise<RestartProgress>;
}

/** The message that ends a worker. */
export type EndMessage = 'hand over' | 'retire' | 'stop';

function isFarewell(kind: ToWorker['kind']): kind is EndMessage {
  return kind === 'hand over' || kind === 'retire' || kind === 'stop';
}

/** The supervisor runs another version of the program. The message is one line with the remedy. */
export class ForeignSupervisor extends Error {
  override readonly name = 'ForeignSupervisor';

  constructor(version: string, supervisorVersion: string) {
    super(
      `the program's files are of version ${version}, but its supervisor still runs ${supervisorVersion}: they were ` +
        'replaced while it was running, so no worker can be started. Restart the program',
    );
  }
}

/**
 * A worker's connection to its supervisor. Workers ignore signals, which a terminal sends to all processes; the
 * supervisor handles them.
 */
export class WorkerLink<Orders> implements Workers {
  /** The worker's orders. Rejects with ForeignSupervisor if the supervisor is of another version. */
  readonly orders: Promise<Orders>;
  /** Resolves when the worker is asked to end. */
  readonly dismissed: Promise<EndMessage>;
  /** Resolves when the whole program stops now. */
  readonly stopping: Promise<void>;
  /** Resolves when the supervisor ends without having asked this worker to end. */
  readonly orphaned: Promise<void>;
  #reports: WorkerReports = { metrics: () => Promise.resolve([]), health: () => ({ windowMs: 0, providers: [] }) };
  #changedOrders: Orders | null = null;
  #onChange: ((orders: Orders) => void) | null = null;
  readonly #questions = new OpenQuestions<unknown>();

  constructor(version: string) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);
    const orders = Promise.withResolvers<Orders>();
    const dismissed = Promise.withResolvers<EndMessage>();
    const stopping = Promise.withResolvers<void>();
    this.orders = orders.promise;
    this.dismissed = dismissed.promise;
    this.stopping = stopping.promise;
    this.orphaned = new Promise((resolve) => {
      process.once('disconnect', resolve);
    });
    process.on('message', (message) => {
      const received = message as ToWorker;
      if (received.kind === 'begin' && received.version === version) orders.resolve(received.orders as Orders);
      else if (received.kind === 'begin') orders.reject(new ForeignSupervisor(version, received.version));
      if (received.kind === 'change') this.#change(received.orders as Orders);
      if (isFarewell(received.kind)) dismissed.resolve(received.kind);
      if (received.kind === 'stop') stopping.resolve();
      // If metrics can't be read, the supervisor uses the previous ones.
      if (received.kind === 'measure') this.#answer(received.id).catch(() => undefined);
      if (received.kind === 'examine') {
        this.send({ kind: 'examined', id: received.id, health: this.#reports.health() });
      }
      if (received.kind === 'answer') this.#questions.answer(received.id, received.answer);
    });
  }

  send(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }

  /** Calls back with the orders each time they change; synchronously if they already have. */
  onChange(listener: (orders: Orders) => void): void {
    this.#onChange = listener;
    if (this.#changedOrders !== null) listener(this.#changedOrders);
  }

  /** Reports this worker's last metrics and disconnects from the supervisor, so that this process can exit. */
  async leave(): Promise<void> {
    await this.#answer(0);
    if (process.connected) process.disconnect?.();
  }

  /** Exits once the supervisor has been gone for this long, whatever is still running. */
  endWhenOrphaned(afterMs: number): void {
    process.once('disconnect', () => {
      setTimeout(() => process.exit(1), afterMs).unref();
    });
  }

  report(reports: WorkerReports): void {
    this.#reports = reports;
  }

  async metrics(): Promise<readonly MetricsSnapshot[]> {
    return await this.#ask('metrics');
  }

  async health(): Promise<InstanceHealth> {
    return await this.#ask('health');
  }

  async settings(): Promise<Settings> {
    return await this.#ask('settings');
  }

  async restart(): Promise<RestartProgress> {
    return await this.#ask('restart');
  }

  async restartProgress(): Promise<RestartProgress> {
    return await this.#ask('progress');
  }

  #change(orders: Orders): void {
    this.#changedOrders = orders;
    this.#onChange?.(orders);
  }

  async #ask<Question extends keyof SupervisorAnswers>(question: Question): Promise<SupervisorAnswers[Question]> {
    const answer = await this.#questions.ask((id) => this.send({ kind: 'ask', id, question }), ANSWER_MS);
    if (answer === null) throw new Unanswered(`the supervisor did not answer within ${ANSWER_MS} ms`);
    return answer as SupervisorAnswers[Question];
  }

  async #answer(id: number): Promise<void> {
    this.send({ kind: 'measured', id, metrics: await this.#reports.metrics() });
  }
}
