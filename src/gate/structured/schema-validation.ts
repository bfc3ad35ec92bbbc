import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Judgement } from './conformance.ts';
import type { SchemaForms } from './schema-forms.ts';
import type { SchemaFault } from './schema-fault.ts';
import { type LaneBounds, ValidationLane } from './validation-lane.ts';
import type { SchemaVerdict, ValidationResult, ValidationTask } from './validation-messages.ts';

// Checks schemas and validates answers in threads, so that no schema, pattern or answer delays other requests. Each
// job begins in the quick lane, where it gets a moment. One that takes longer is ended and moves to the slow lane,
// where it gets a second; so do all jobs of its owner for a while, and all of its schema. So an owner that sends
// hostile schemas costs the others one moment of one thread, once in that while.

/** A job's time in the quick lane: a fixed part, and a part for each kilobyte of schema and text. */
const QUICK_MS = 100;
const QUICK_MS_PER_KB = 0.5;
const SLOW_MS = 1_000;
const SLOW_MS_PER_KB = 1;

const QUICK: LaneBounds = { threadsMax: 2, threadsKept: 1, queueMax: 1_000, togetherMax: 16, niceness: 0 };
const SLOW: LaneBounds = { threadsMax: 1, threadsKept: 0, queueMax: 32, togetherMax: 1, niceness: 10 };

/**
 * The longest answer that a thread is given, in characters: twice what models write at most. Some steps of validation
 * take several times as much memory in one step, and a thread that far exceeds its memory bound in one step ends the
 * process.
 */
const ANSWER_CHARACTERS_MAX = 2 ** 20;

/** The most jobs of one owner in the slow lane. */
const SLOW_JOBS_MAX = 4;

/** How long an owner or a schema with a slow job is restricted to the slow lane. */
const SLOW_FOR_MS = 60_000;

/** The size of the cache of checked schemas, in characters; and how many slow owners and schemas are remembered. */
const KNOWN_CHARACTERS_MAX = 8 * 1_024 * 1_024;
const SLOW_KNOWN_MAX = 10_000;

/** A schema that has passed its check, with its forms for providers. */
export interface UsableSchema {
  /** Its number for the threads. */
  readonly id: number;
  readonly text: string;
  readonly forms: SchemaForms;
}

/** Result of a schema check. `overloaded`: try again later. `fault`: the validator failed, and the schema may be right. */
export type SchemaCheck = UsableSchema | SchemaFault | 'overloaded' | 'fault';

export class SchemaValidation {
  readonly #clock: Clock;
  readonly #onFault: (where: string) => void;
  readonly #quickMs: number;
  readonly #slowMs: number;
  readonly #quick: ValidationLane;
  readonly #slow: ValidationLane;
  readonly #known = new RecentMap<string, UsableSchema>(KNOWN_CHARACTERS_MAX, weightOf);
  /** Until when an owner or a schema goes to the slow lane; monotonic milliseconds. */
  readonly #slowUntil = new RecentMap<string | number, number>(SLOW_KNOWN_MAX);
  /** The number of schemas checked so far; each gets the next number. */
  #checked = 0;
  readonly #slowJobs = new Map<string, number>();

  /** `onFault` is called for each fault of the validator, with its location, which quotes nothing of a caller. */
  constructor(
    clock: Clock,
    onFault: (where: string) => void,
    { quickMs, slowMs }: { quickMs: number; slowMs: number } = { quickMs: QUICK_MS, slowMs: SLOW_MS },
  ) {
    this.#clock = clock;
    this.#onFault = onFault;
    this.#quickMs = quickMs;
    this.#slowMs = slowMs;
    this.#quick = new ValidationLane(clock, QUICK);
    this.#slow = new ValidationLane(clock, SLOW);
  }

  /** Checks a schema that an owner, a workspace, has sent; synchronous if the result is cached. */
  check(owner: string, text: string): SchemaCheck | Promise<SchemaCheck> {
    return this.#known.get(text) ?? this.#check(owner, text);
  }

  /** Validates a model's text by a checked schema. */
  async judge(owner: string, schema: UsableSchema, text: string): Promise<Judgement> {
    if (text.length > ANSWER_CHARACTERS_MAX) return notJudged('size');
    const { id } = schema;
    let result = await this.#run(owner, { kind: 'judge', id, schema: null, text });
    if (result !== 'overloaded' && result?.kind === 'unknown_schema') {
      result = await this.#run(owner, { kind: 'judge', id, schema: schema.text, text });
    }
    if (result === null || result === 'overloaded') return notJudged('deadline');
    if (result.kind === 'judged') return result.judgement;
    return notJudged(result.kind === 'too_deep' ? 'depth' : 'not_judged');
  }

  /** Ends all threads. */
  async stop(): Promise<void> {
    await Promise.all([this.#quick.stop(), this.#slow.stop()]);
  }

  async #check(owner: string, text: string): Promise<SchemaCheck> {
    this.#checked++;
    const id = this.#checked;
    const result = await this.#run(owner, { kind: 'check', id, schema: text });
    if (result === 'overloaded') return result;
    if (result === null) return { pointer: '', message: 'takes too long, or too much memory, to be checked' };
    if (result.kind === 'too_deep')
      return { pointer: '', message: 'applies schemas within schemas too deep to be compiled' };
    if (result.kind !== 'checked') return 'fault';
    const verdict: SchemaVerdict = result.verdict;
    if (!verdict.ok) return verdict.fault;
    const usable = { id, text, forms: verdict.forms };
    this.#known.set(text, usable);
    return usable;
  }

  #run(owner: string, task: ValidationTask): Promise<Result> {
    return new Promise((resolve) => {
      const done = (result: Result): void => {
        if (result !== null && result !== 'overloaded' && result.kind === 'fault') this.#onFault(result.where);
        resolve(result);
      };
      if (this.#isSlow(owner, task)) this.#runSlow(owner, task, done);
      else this.#runQuick(owner, task, done);
    });
  }

  #isSlow(owner: string, { id }: ValidationTask): boolean {
    const nowMs = this.#clock.monotonicMs();
    return [owner, id].some((name) => (this.#slowUntil.get(name) ?? 0) > nowMs);
  }

  #runQuick(owner: string, task: ValidationTask, done: (result: Result) => void): void {
    const isTaken = this.#quick.submit({
      owner,
      task,
      isWanted: () => {
        const isSlow = this.#isSlow(owner, task);
        if (isSlow) this.#runSlow(owner, task, done);
        return !isSlow;
      },
      deadlineMs: this.#quickMs + QUICK_MS_PER_KB * kilobytesOf(task),
      done: (result) => {
        if (result !== null) return done(result);
        const untilMs = this.#clock.monotonicMs() + SLOW_FOR_MS;
        this.#slowUntil.set(owner, untilMs);
        this.#slowUntil.set(task.id, untilMs);
        this.#runSlow(owner, task, done);
      },
    });
    if (!isTaken) done('overloaded');
  }

  #runSlow(owner: string, task: ValidationTask, done: (result: Result) => void): void {
    const running = this.#slowJobs.get(owner) ?? 0;
    if (running >= SLOW_JOBS_MAX) return done('overloaded');
    const isTaken = this.#slow.submit({
      owner,
      task,
      isWanted: () => true,
      deadlineMs: this.#slowMs + SLOW_MS_PER_KB * kilobytesOf(task),
      done: (result) => {
        const left = (this.#slowJobs.get(owner) ?? 1) - 1;
        if (left === 0) this.#slowJobs.delete(owner);
        else this.#slowJobs.set(owner, left);
        done(result);
      },
    });
    if (isTaken) this.#slowJobs.set(owner, running + 1);
    else done('overloaded');
  }
}

/** A text that wasn't validated doesn't conform. */
function notJudged(keyword: 'size' | 'deadline' | 'depth' | 'not_judged'): Judgement {
  return { conforms: false, failures: [{ pointer: '', keyword }] };
}

/** A thread's result; null if the thread was ended because of the job. */
type Result = ValidationResult | 'overloaded' | null;

function weightOf({ text, forms: { byProvider } }: UsableSchema): number {
  return Object.values(byProvider).reduce((sum, form) => sum + (form?.text.length ?? 0), text.length);
}

function kilobytesOf(task: ValidationTask): number {
  return ((task.schema?.length ?? 0) + (task.kind === 'judge' ? task.text.length : 0)) / 1_024;
}
