import type { StreamOutlet } from '../answer-translator.ts';
import { toJson, type Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import { AnswerFrame, faultOfFinish, indexOf, partsOf, type AnswerContext } from './answer-frame.ts';
import { deltaOf, NOTHING, saysAnything } from './chat-wire.ts';
import type { Choice, Delta } from './choice.ts';
import { finishReasonOf, type FinishReason } from './finish-reason.ts';
import { logprobsOf } from './logprobs.ts';
import { isPromptBlocked } from './prompt-block.ts';
import { usageOf, type OpenAiUsage } from './usage.ts';

/** A choice and its progress. */
interface Progress {
  readonly index: number;
  readonly choice: Choice;
  hasBegun: boolean;
  isFinished: boolean;
}

/**
 * The events of one `streamGenerateContent` as chunks. The stream announces its end by nothing but its end: it is whole
 * if every choice has had its finish reason by then. Usage is cumulative in every event, and passed once, at the end,
 * for some clients add up all reports.
 */
export class ChatStream {
  readonly #context: AnswerContext;
  readonly #progress = new Map<number, Progress>();
  #frame: AnswerFrame | null = null;
  #usage: OpenAiUsage | null = null;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  /** Whether any choice has begun. */
  get hasBegun(): boolean {
    return this.#progress.size > 0;
  }

  /** The counts of the latest event. */
  get usage(): OpenAiUsage | null {
    return this.#usage;
  }

  /** Reads one event, which is a JSON object and no error. */
  event(view: JsonView, outlet: StreamOutlet): void {
    const frame = (this.#frame ??= new AnswerFrame(this.#context, view));
    this.#usage = usageOf(view.get('usageMetadata')) ?? this.#usage;
    for (const [position, candidate] of (view.get('candidates')?.elements() ?? []).entries()) {
      this.#candidate(frame, candidate, position, outlet);
    }
    if (!isPromptBlocked(view)) return;
    for (const progress of this.#progress.values()) {
      if (!progress.isFinished) this.#finish(frame, progress, 'content_filter', outlet);
    }
  }

  /** The stream has ended. */
  end(outlet: StreamOutlet): void {
    if (this.#frame === null || !this.hasBegun) return;
    if (this.#usage !== null) outlet.pass(toJson({ ...chunkOf(this.#frame, []), usage: { ...this.#usage } }));
    const finished = [...this.#progress.values()].filter(({ isFinished }) => isFinished);
    if (finished.length >= this.#context.choices) outlet.done();
  }

  #candidate(frame: AnswerFrame, candidate: JsonView, position: number, outlet: StreamOutlet): void {
    const progress = this.#progressOf(frame, indexOf(candidate, position));
    if (progress.isFinished) return;
    const reading = progress.choice.add(partsOf(candidate));
    if (!reading.ok) return outlet.malformed(reading.message);
    const reason = candidate.get('finishReason')?.text() ?? null;
    const rest = reason === null ? null : progress.choice.close();
    if (rest !== null) reading.delta.calls.push(rest);
    this.#say(frame, progress, reading.delta, logprobsOf(candidate.get('logprobsResult')), outlet);
    if (reason === null) return;
    const finish = finishReasonOf(reason, progress.choice.hasCalls);
    if (finish === null) outlet.error(faultOfFinish(200, reason));
    else this.#finish(frame, progress, finish, outlet);
  }

  #progressOf(frame: AnswerFrame, index: number): Progress {
    const known = this.#progress.get(index);
    if (known !== undefined) return known;
    const progress = { index, choice: frame.createChoice(), hasBegun: false, isFinished: false };
    this.#progress.set(index, progress);
    return progress;
  }

  #say(
    frame: AnswerFrame,
    progress: Progress,
    delta: Delta,
    logprobs: Writable | undefined,
    outlet: StreamOutlet,
  ): void {
    if (!saysAnything(delta) && logprobs === undefined) return;
    const choice = { index: progress.index, delta: deltaOf(delta, !progress.hasBegun), logprobs, finish_reason: null };
    progress.hasBegun = true;
    outlet.pass(toJson(chunkOf(frame, [choice])));
  }

  /** The reason has its own chunk, which is withheld until the answer is settled; the text before it isn't. */
  #finish(frame: AnswerFrame, progress: Progress, finish: FinishReason, outlet: StreamOutlet): void {
    const delta = progress.hasBegun ? {} : deltaOf(NOTHING, true);
    progress.hasBegun = true;
    progress.isFinished = true;
    outlet.pass(toJson(chunkOf(frame, [{ index: progress.index, delta, finish_reason: finish }])));
  }
}

function chunkOf(frame: AnswerFrame, choices: readonly Writable[]): { readonly [member: string]: Writable } {
  return { ...frame.members, object: 'chat.completion.chunk', choices };
}
