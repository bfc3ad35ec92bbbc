import type { AnswerStream, ChoiceGatherer, EventFacts } from '../../dialects/dialect.ts';
import type { Choice } from '../../openai/chat-choices.ts';
import type { Transcript } from './gathered-stream.ts';

/** A transcript of a stream in the caller's dialect, and the choice that it contains. */
export class NativeTranscript implements Transcript {
  readonly #stream: AnswerStream;
  readonly #choice: ChoiceGatherer;
  readonly #payloads: Buffer[] = [];

  /** `stream`: an instance for this transcript alone; nothing of it is sent. */
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

  /** The choice in each version that the stream has of it, numbered. */
  choices(): ReadonlyMap<number, Choice> {
    return new Map(this.#choice.choices().entries());
  }
}
