import type { ReceivedRequest } from '../support/scripted-upstream.ts';
import type { Ability, Asked } from './asked.ts';
import type { Answer, Said } from './answers.ts';
import type { Failure } from './failures.ts';
import type { ChatScenario } from './scenarios.ts';

// What a kind of provider brings to the conformance suite: its own wire, so that the stand-in can speak it; a reading of
// its requests in terms that all kinds share; and its own SDK, which the stand-in has to satisfy first. Nothing of it
// may use the code under test.

/** A response of the stand-in, whole. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Vendor {
  /** The provider's kind, as the config file names it. */
  readonly kind: string;
  readonly lacks: ReadonlySet<Ability>;
  /** The provider's section of the config file in YAML's flow style, for a stand-in at `origin`. */
  providerSection(origin: string): string;
  /** Headers of a request, in lower case, that must be as the vendor's SDK sends them. */
  readonly headers: readonly string[];

  /** The vendor's name of the model that is asked for: here always a scenario's name. */
  modelOf(request: ReceivedRequest): string;
  isStreamed(request: ReceivedRequest): boolean;
  /** A chat request in the terms that all kinds share. */
  readAsked(request: ReceivedRequest): Asked;

  /** A 200 with the whole answer. */
  plain(answer: Answer, model: string): WireAnswer;
  /** The same as a stream: the text of each event with its framing, in order, to the vendor's announcement of the end. */
  events(answer: Answer, model: string): readonly string[];
  /** How the vendor refuses with this failure: its usual status, headers and body. */
  refusal(failure: Failure): WireAnswer;
  /** The event with which the vendor ends a stream that fails, with its framing. */
  errorEvent(failure: Failure): string;
  /** A 200 with one vector for each input; throws where the vendor has no embeddings. */
  embeddings(vectors: readonly (readonly number[])[], inputTokens: number, request: ReceivedRequest): WireAnswer;

  /**
   * Asks the stand-in the scenario's question with the vendor's own SDK, its parameters written by hand in the vendor's
   * terms, and tells what that SDK made of the answer.
   */
  callWithSdk(origin: string, scenario: ChatScenario, streamed: boolean): Promise<Said>;
}
