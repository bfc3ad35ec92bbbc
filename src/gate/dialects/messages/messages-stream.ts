import type { Refusal } from '../../../domain/refusals.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import type { AnswerStream, EventFacts } from '../dialect.ts';
import { eventType } from '../event-type.ts';
import { namedEvent } from '../named-event.ts';
import { MESSAGES_USAGE, type Settled } from '../usage-cost.ts';
import { WithheldEvents } from '../withheld-events.ts';
import { inspectMessageEvent } from './message-event.ts';
import { messagesError, PING_EVENT } from './messages-reply-form.ts';
import { StreamedUses } from './tool-uses.ts';
import { TranslatedMessagesStream } from './translated-messages-stream.ts';

const STOP_EVENT = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

/** Facts of the request that a stream needs. */
interface StreamedRequest {
  /** The caller's name for it. */
  readonly model: string;
  /** Its input tokens, until a provider has counted them. */
  readonly inputEstimate?: number;
  /** Whether uses of the provider's tools are charged. */
  readonly hasTools?: boolean;
}

/** A stream of the provider's own events, which pass unchanged. */
export class MessagesStream implements AnswerStream {
  readonly kept = null;
  readonly #requestId: string;
  readonly #model: string;
  readonly #inputEstimate: number;
  readonly #uses: StreamedUses | null;
  readonly #withheld = new WithheldEvents(MESSAGES_USAGE);
  #hasStopped = false;

  constructor(requestId: string, { model, inputEstimate = 0, hasTools = false }: StreamedRequest) {
    this.#requestId = requestId;
    this.#model = model;
    this.#inputEstimate = inputEstimate;
    this.#uses = hasTools ? new StreamedUses() : null;
  }

  inspect(payload: Buffer): EventFacts {
    const facts = inspectMessageEvent(payload);
    if (facts.isLast) this.#hasStopped = true;
    if (facts.valid) this.#uses?.add(payload);
    return facts;
  }

  get uses(): ToolUses {
    return this.#uses?.total ?? NO_USES;
  }

  write(payload: Buffer): string {
    return namedEvent(eventType(payload), payload);
  }

  withhold(payload: Buffer): void {
    this.#withheld.add(this.write(payload));
  }

  ping(): string {
    return PING_EVENT;
  }

  /** A connection may be cut between the reason to stop and the stop, which clients need. */
  end(settled: Settled): string {
    return this.#withheld.end(settled, this.#hasStopped ? '' : STOP_EVENT);
  }

  broken(refusal: Refusal): string {
    return namedEvent('error', messagesError(refusal, this.#requestId));
  }

  fromChat(): AnswerStream {
    return new TranslatedMessagesStream(this.#requestId, this.#model, this.#inputEstimate);
  }
}
