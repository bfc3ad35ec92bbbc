import type { Refusal } from '../../../domain/refusals.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import { type ChunkFacts, inspectChunk, withoutNullError, withoutUsage } from '../../openai/chat-chunk.ts';
import { DONE_EVENT, encodeEvent, PING } from '../../openai/sse.ts';
import type { AnswerStream } from '../dialect.ts';
import { CHAT_USAGE, type Settled } from '../usage-cost.ts';
import { WithheldEvents } from '../withheld-events.ts';
import { CHAT_REPLY_FORM } from './chat-reply-form.ts';

/** A stream of chunks, which pass unchanged except for members that not every caller should see. */
export class ChatStream implements AnswerStream {
  readonly #requestId: string;
  readonly #includeUsage: boolean;
  readonly uses: ToolUses;
  readonly kept = null;
  readonly #withheld = new WithheldEvents(CHAT_USAGE);
  #latest: ChunkFacts | null = null;

  constructor(requestId: string, includeUsage: boolean, uses = NO_USES) {
    this.uses = uses;
    this.#requestId = requestId;
    this.#includeUsage = includeUsage;
  }

  inspect(payload: Buffer): ChunkFacts {
    this.#latest = inspectChunk(payload);
    return this.#latest;
  }

  write(payload: Buffer): string {
    const facts = this.#latest;
    if (facts === null) return '';
    const outgoing = this.#includeUsage ? withoutNullError(payload, facts) : withoutUsage(payload, facts);
    return outgoing === null ? '' : encodeEvent(outgoing);
  }

  withhold(payload: Buffer): void {
    this.#withheld.add(this.write(payload));
  }

  ping(): string {
    return PING;
  }

  end(settled: Settled): string {
    return this.#withheld.end(settled, DONE_EVENT);
  }

  broken(refusal: Refusal): string {
    return encodeEvent(CHAT_REPLY_FORM.refusalBody(refusal, this.#requestId));
  }

  fromChat(): this {
    return this;
  }
}
