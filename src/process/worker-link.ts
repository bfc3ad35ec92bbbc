import { assert } from '../lib/assert.ts';
import { OpenQuestions } from './open-questions.ts';
import type { FromWorker, MetricsSnapshot, RestartProgress, SupervisorAnswers, ToWorker } from './worker-messages.ts';

const ANSWER_MS = 3_000;

/** All workers of the instance, as one of them sees them. */
export interface Workers {
  /** Takes note of how this one's numbers are read. */
  report(measure: () => Promise<MetricsSnapshot>): void;
  /** The numbers of all of them. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
  /** Begins a rolling restart, or joins the one that runs. */
  restart(): Promise<RestartProgress>;
  restartProgress(): Promise<RestartProgress>;
}

/** The message that ends a worker. */
export type Farewell = 'hand over' | 'retire' | 'stop';

function isFarewell(kind: ToWorker['kind']): kind is Farewell {
  return kind === 'hand over' || kind === 'retire' || kind === 'stop';
}

/** The supervisor runs another version of the program. The message is one line that says what to do. */
export class ForeignSupervisor extends Error {
  override readonly name = 'ForeignSupervisor';

  constructor(version: string, supervisorVersion: string) {
    super(
      `the program's files are of version ${version}, but its supervisor still runs ${supervisorVersion}: they were ` +
        'replaced under it, so no worker can be started any more. Restart the program',
    );
  }
}

/** A worker's connection to its supervisor. Signals are the supervisor's: a terminal sends them to all processes. */
export class WorkerLink<Orders> implements Workers {
  /** What it is to do. Rejects with ForeignSupervisor where another version says so. */
  readonly orders: Promise<Orders>;
  /** Resolves when it is asked to end. */
  readonly dismissed: Promise<Farewell>;
  /** Resolves when the whole program stops now. */
  readonly stopping: Promise<void>;
  /** Resolves when the supervisor is gone, though it has not asked this worker to end. */
  readonly orphaned: Promise<void>;
  #measure: () => Promise<MetricsSnapshot> = () => Promise.resolve([]);
  #changedOrders: Orders | null = null;
  #onChange: ((orders: Orders) => void) | null = null;
  readonly #questions = new OpenQuestions<unknown>();

  constructor(version: string) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined);
    const orders = Promise.withResolvers<Orders>();
    const dismissed = Promise.withResolvers<Farewell>();
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
      // Where numbers can't be read, the supervisor goes on with those before.
      if (received.kind === 'measure') this.#answer(received.id).catch(() => undefined);
      if (received.kind === 'answer') this.#questions.answer(received.id, received.answer);
    });
  }

  send(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }

  /** Calls this with the orders each time they change; synchronously if they already have. */
  onChange(listener: (orders: Orders) => void): void {
    this.#onChange = listener;
    if (this.#changedOrders !== null) listener(this.#changedOrders);
  }

  /** Reports this worker's last metrics and disconnects from the supervisor, so that this process can exit. */
  async leave(): Promise<void> {
    await this.#answer(0);
    if (process.connected) process.disconnect?.();
  }

  /** Ends this process once the supervisor has been gone for this long, whatever still runs. */
  endWhenOrphaned(afterMs: number): void {
    process.once('disconnect', () => {
      setTimeout(() => process.exit(1), afterMs).unref();
    });
  }

  report(measure: () => Promise<MetricsSnapshot>): void {
    this.#measure = measure;
  }

  async metrics(): Promise<readonly MetricsSnapshot[]> {
    return await this.#ask('metrics');
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
    assert(answer !== null, 'a supervisor answers its workers');
    return answer as SupervisorAnswers[Question];
  }

  async #answer(id: number): Promise<void> {
    this.send({ kind: 'measured', id, metrics: await this.#measure() });
  }
}
