import type { AnswerStream, ChoiceGatherer, EventFacts } from '../../dialects/dialect.ts';
import type { Choice } from '../../openai/chat-choices.ts';
import type { Transcript } from './gathered-stream.ts';

/** A stream in the caller's dialect that is kept until it is whole, and what it says. */
export class NativeTranscript implements Transcript {
  readonly #stream: AnswerStream;
  readonly #choice: ChoiceGatherer;
  readonly #payloads: Buffer[] = [];

  /** `stream`: one of its own, of which nothing is sent. */
  constructor(stream: AnswerStream, choice: ChoiceGatherer) {
    this.#stream = stream;
    this.#choice = choice;
  }

  inspect(payload: Buffer): EventFacts {
    return this.#stream.inspect(payload);
  }

  add(payload: Buffer): void {
    this.#payloads.push(payload);
    this.#choice.add(payload);
  }

  get payloads(): readonly Buffer[] {
    return this.#payloads;
  }

  /** The choice as often as the stream says it differently, numbered. */
  choices(): ReadonlyMap<number, Choice> {
    return new Map(this.#choice.choices().entries());
  }
}
