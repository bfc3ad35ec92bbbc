import { compactJson } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import { PartialArgs } from './partial-args.ts';

// One choice of an answer: converts Gemini's parts, from all candidates of a stream, to OpenAI deltas.

/** An update of one call; id and name are in its first piece. */
export interface CallDelta {
  readonly index: number;
  readonly begun: { readonly id: string; readonly name: string; readonly signature: JsonView | undefined } | null;
  readonly arguments: string;
}

export interface Delta {
  text: string;
  reasoning: string;
  readonly calls: CallDelta[];
  /** The thought signature of a part that is not a call. */
  signature: JsonView | undefined;
}

/** A candidate's addition to its choice, or its fault. */
export type DeltaResult =
  | { readonly ok: true; readonly delta: Delta }
  | { readonly ok: false; readonly message: string };

/** Signals a part that OpenAI's form can't represent. */
class UnreadablePart extends Error {}

/** Makes ids for calls that have none. */
export type CallIds = () => string;

export class Choice {
  readonly #callIds: CallIds;
  readonly #callsMax: number;
  #calls = 0;
  /** The call whose arguments are still arriving. */
  #open: { readonly index: number; readonly args: PartialArgs } | null = null;

  /** `callsMax`: the most calls that it may have; further calls of the model are dropped. */
  constructor(callIds: CallIds, callsMax = Infinity) {
    this.#callIds = callIds;
    this.#callsMax = callsMax;
  }

  get hasCalls(): boolean {
    return this.#calls > 0;
  }

  /** Reads the parts of a candidate. */
  add(parts: readonly JsonView[]): DeltaResult {
    const delta: Delta = { text: '', reasoning: '', calls: [], signature: undefined };
    try {
      for (const part of parts) this.#addPart(part, delta);
    } catch (error) {
      if (error instanceof UnreadablePart) return { ok: false, message: error.message };
      throw error;
    }
    return { ok: true, delta };
  }

  /** The rest of a call whose end was never announced; null if there is none. */
  close(): CallDelta | null {
    const open = this.#open;
    this.#open = null;
    return open && { index: open.index, begun: null, arguments: open.args.json() };
  }

  #addPart(part: JsonView, delta: Delta): void {
    const call = part.get('functionCall');
    const text = part.get('text')?.text() ?? '';
    const signature = part.get('thoughtSignature');
    if (call !== undefined) return this.#addCall(call, signature, delta);
    if (part.get('inlineData') !== undefined || part.get('fileData') !== undefined) {
      throw new UnreadablePart('the answer has a part that is not text');
    }
    if (part.get('thought')?.isTrue() ?? false) delta.reasoning += text;
    else delta.text += text;
    delta.signature = signature ?? delta.signature;
  }

  #addCall(call: JsonView, signature: JsonView | undefined, delta: Delta): void {
    const name = call.get('name')?.text() ?? '';
    const pieces = call.get('partialArgs')?.elements() ?? null;
    const goesOn = isUnfinished(call) || (pieces ?? []).some(isUnfinished);
    if (name === '') return this.#goOn(pieces ?? [], goesOn, delta);
    this.#finish(delta);
    if (this.#calls === this.#callsMax) return;
    const index = this.#calls++;
    const args = call.get('args');
    const isWhole = args?.kind === 'object' || (pieces === null && !goesOn);
    const begun = { id: call.get('id')?.text() ?? this.#callIds(), name, signature };
    delta.calls.push({ index, begun, arguments: isWhole ? (args === undefined ? '{}' : compactJson(args)) : '' });
    if (isWhole) return;
    this.#open = { index, args: new PartialArgs() };
    this.#goOn(pieces ?? [], goesOn, delta);
  }

  #goOn(pieces: readonly JsonView[], goesOn: boolean, delta: Delta): void {
    // A call that is over may be ended once more.
    if (this.#open === null) return;
    if (!this.#open.args.add(pieces)) throw new UnreadablePart('the arguments of a call do not fit together');
    if (!goesOn) this.#finish(delta);
  }

  #finish(delta: Delta): void {
    const rest = this.close();
    if (rest !== null) delta.calls.push(rest);
  }
}

function isUnfinished(view: JsonView): boolean {
  return view.get('willContinue')?.isTrue() ?? false;
}
