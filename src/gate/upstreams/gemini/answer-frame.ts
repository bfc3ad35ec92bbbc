import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import type { UpstreamFault } from '../upstream.ts';
import { Choice } from './choice.ts';

/** The facts of a request that its answer needs. */
export interface AnswerContext {
  /** The number of requested choices. */
  readonly choices: number;
  /** Whether a choice may have several calls; Gemini itself has no such setting. */
  readonly parallelCalls: boolean;
  readonly upstreamModel: string;
  readonly requestId: string;
  /** The time of the request, in milliseconds since 1970. */
  readonly askedAtMs: number;
}

/** The common fields of an answer, or of every chunk of a stream, and the numbering of its parts. */
export class AnswerFrame {
  readonly members: { readonly id: string; readonly created: number; readonly model: Writable };
  readonly #responseId: string;
  readonly #parallelCalls: boolean;
  #calls = 0;

  /** `first` is the answer, or a stream's first event. */
  constructor(context: AnswerContext, first: JsonView) {
    this.#parallelCalls = context.parallelCalls;
    this.#responseId = first.get('responseId')?.text() ?? context.requestId.replaceAll('-', '');
    this.members = {
      id: `chatcmpl-${this.#responseId}`,
      created: Math.floor(context.askedAtMs / 1_000),
      model: first.get('modelVersion') ?? context.upstreamModel,
    };
  }

  /** A choice whose calls get ids that are unique across all answers. */
  createChoice(): Choice {
    return new Choice(() => `call_${this.#responseId}_${this.#calls++}`, this.#parallelCalls ? Infinity : 1);
  }
}

/** The index of a candidate; its position if the index is missing. */
export function indexOf(candidate: JsonView, position: number): number {
  const index = candidate.get('index')?.parsed();
  return typeof index === 'number' ? index : position;
}

/** The parts of a candidate; one that was stopped early may have none. */
export function partsOf(candidate: JsonView): readonly JsonView[] {
  return candidate.get('content')?.get('parts')?.elements() ?? [];
}

/** The fault of a choice that ended for a reason that is none. */
export function faultOfFinish(status: number, reason: string): UpstreamFault {
  const named = /^[A-Z_]{1,64}$/.test(reason) ? reason : 'none';
  return { kind: 'failed', status, message: `an answer ended with the finishReason ${named}` };
}
