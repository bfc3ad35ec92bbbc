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

/** How a worker is told to end. */
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
  /** Resolves when it is told to end. */
  readonly dismissed: Promise<Farewell>;
  /** Resolves when it is told that the whole program stops now. */
  readonly stopping: Promise<void>;
  /** Resolves when the supervisor is gone, though it has not told this worker to end. */
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
      const told = message as ToWorker;
      if (told.kind === 'begin' && told.version === version) orders.resolve(told.orders as Orders);
      else if (told.kind === 'begin') orders.reject(new ForeignSupervisor(version, told.version));
      if (told.kind === 'change') this.#change(told.orders as Orders);
      if (isFarewell(told.kind)) dismissed.resolve(told.kind);
      if (told.kind === 'stop') stopping.resolve();
      // Where numbers can't be read, the supervisor goes on with those before.
      if (told.kind === 'measure') this.#answer(told.id).catch(() => undefined);
      if (told.kind === 'answer') this.#questions.answer(told.id, told.answer);
    });
  }

  tell(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }

  /** Calls this with the orders each time that they have changed, at once where they have by now. */
  onChange(listener: (orders: Orders) => void): void {
    this.#onChange = listener;
    if (this.#changedOrders !== null) listener(this.#changedOrders);
  }

  /** Tells this worker's last numbers and lets go of the supervisor, so that nothing keeps this process any more. */
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
    const answer = await this.#questions.ask((id) => this.tell({ kind: 'ask', id, question }), ANSWER_MS);
    assert(answer !== null, 'a supervisor answers its workers');
    return answer as SupervisorAnswers[Question];
  }

  async #answer(id: number): Promise<void> {
    this.tell({ kind: 'measured', id, metrics: await this.#measure() });
  }
}
