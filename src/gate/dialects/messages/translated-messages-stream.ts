import { NO_USES } from '../../../domain/uses.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type ChunkFacts, inspectChunk } from '../../openai/chat-chunk.ts';
import { contentOf } from '../../openai/chat-choices.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { preferUsage, type ReportedUsage } from '../../openai/usage.ts';
import type { AnswerStream } from '../dialect.ts';
import { namedEvent, writtenEvent } from '../named-event.ts';
import { MESSAGES_USAGE, type Settled } from '../usage-cost.ts';
import { WithheldEvents } from '../withheld-events.ts';
import { type CarriedThoughts, signatureOf } from './carried-thoughts.ts';
import {
  CALL_HEAD,
  MESSAGE_HEAD,
  messageId,
  endUsage,
  messageUsage,
  stopOf,
  textBlock,
  thinkingTokens,
} from './message-parts.ts';
import { messagesError, PING_EVENT } from './messages-reply-form.ts';
import { reasoningOf } from './translated-message.ts';

/** The block that pieces are written to; a thought is reasoning until its provider has signed it. */
type OpenBlock = 'text' | 'reasoning' | 'signed thought' | 'tool';

const NEW_THOUGHT = { type: 'thinking', thinking: '', signature: '' };

const REASONING_SIGNATURE = signatureOf({ isReasoning: true });

/**
 * The chunks of a chat completion as the events of a message.
 *
 * - the message starts with the first chunk; chat reports no usage until the end, so its start has an estimate of the input,
 *   in which some clients look for it, and its end the usage.
 * - blocks follow each other: a piece of another kind ends the open block. Only a call that is continued after another
 *   one has begun gets its pieces late.
 * - the last block, the reason to stop and the usage are the end, which is written once the answer is settled.
 */
export class TranslatedMessagesStream implements AnswerStream {
  readonly uses = NO_USES;
  readonly kept = null;
  readonly #requestId: string;
  readonly #inputEstimate: number;
  readonly #withheld = new WithheldEvents(MESSAGES_USAGE);
  #latest: ChunkFacts | null = null;
  #model: string;
  #usage: ReportedUsage | null = null;
  #hasStarted = false;
  #next = 0;
  #open: OpenBlock | null = null;
  #finishReason = '';
  #hasRefused = false;
  #thinkingTokens: number | null = null;
  /** The index of each call's block. */
  readonly #calls = new Map<string, number>();

  /**
   * `model`: the caller's name for it, if the provider gives none; `inputEstimate`: the input tokens in the start
   * event if none are reported by then.
   */
  constructor(requestId: string, model: string, inputEstimate: number) {
    this.#inputEstimate = inputEstimate;
    this.#requestId = requestId;
    this.#model = model;
  }

  inspect(payload: Buffer): ChunkFacts {
    this.#latest = inspectChunk(payload);
    return this.#latest;
  }

  write(payload: Buffer): string {
    const facts = this.#latest;
    if (facts === null) return '';
    if (facts.deltaSpan !== null && this.#hasStarted) {
      const delta: unknown = JSON.parse(payload.toString('utf8', facts.deltaSpan.start, facts.deltaSpan.end));
      return isObject(delta) ? this.#writeDelta(delta) : '';
    }
    this.#usage = preferUsage(this.#usage, facts.usage, facts.isLast);
    const hasChoices = facts.choices === 'some';
    if (!hasChoices && facts.usage === null) return '';
    const chunk: unknown = JSON.parse(payload.toString());
    if (!isObject(chunk)) return '';
    this.#thinkingTokens = thinkingTokens(chunk['usage']) ?? this.#thinkingTokens;
    if (!hasChoices || !Array.isArray(chunk['choices'])) return '';
    const [choice] = chunk['choices'] as readonly unknown[];
    let text = '';
    if (!this.#hasStarted) {
      if (typeof chunk['model'] === 'string' && chunk['model'] !== '') this.#model = chunk['model'];
      this.#hasStarted = true;
      text += this.#startEvent();
    }
    if (!isObject(choice)) return text;
    const delta = isObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (isObject(delta)) text += this.#writeDelta(delta);
    const { finish_reason: reason } = choice;
    if (typeof reason === 'string' && reason !== '') this.#finishReason = reason;
    return text;
  }

  withhold(payload: Buffer): void {
    this.#withheld.add(this.write(payload));
  }

  ping(): string {
    return PING_EVENT;
  }

  end(settled: Settled): string {
    const start = this.#hasStarted ? '' : this.#startEvent();
    const [finishReason, hasCalls, hasRefused] = [this.#finishReason, this.#calls.size > 0, this.#hasRefused];
    const delta = stopOf({ finishReason, hasCalls, hasRefused });
    const usage = endUsage(this.#usage, this.#thinkingTokens);
    const stop = writtenEvent({ type: 'message_delta', delta, usage });
    return this.#withheld.end(settled, start + this.#stopText() + stop + writtenEvent({ type: 'message_stop' }));
  }

  broken(refusal: Refusal): string {
    return namedEvent('error', messagesError(refusal, this.#requestId));
  }

  fromChat(): this {
    return this;
  }

  #startEvent(): string {
    const message = {
      id: messageId(this.#requestId),
      ...MESSAGE_HEAD,
      model: this.#model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: this.#startUsage(),
    };
    return writtenEvent({ type: 'message_start', message });
  }

  #startUsage(): object {
    const usage = messageUsage(this.#usage, null);
    return this.#usage === null ? { ...usage, input_tokens: this.#inputEstimate } : usage;
  }

  #writeDelta(delta: JsonObject): string {
    let text = '';
    const reasoning = reasoningOf(delta);
    if (reasoning !== '') text += this.#continueThinking(reasoning);
    if (Array.isArray(delta['thinking_blocks'])) {
      for (const block of delta['thinking_blocks']) if (isObject(block)) text += this.#endThinking(block);
    }
    if (delta['extra_content'] !== undefined) {
      text += this.#carry({ isReasoning: false, message: delta['extra_content'] });
    }
    const { refusal } = delta;
    if (typeof refusal === 'string' && refusal !== '') this.#hasRefused = true;
    for (const said of [contentOf(delta['content']), refusal]) {
      if (typeof said === 'string' && said !== '') text += this.#continueText(said);
    }
    const parts = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isObject) : [];
    for (const [position, part] of parts.entries()) text += this.#continueCall(part, position);
    return text;
  }

  #continueThinking(thinking: string): string {
    return this.#begin('reasoning', NEW_THOUGHT) + this.#piece({ type: 'thinking_delta', thinking });
  }

  /** A thought signed by Anthropic, whose text has been streamed; or one that only the provider can read. */
  #endThinking({ index: _index, ...block }: JsonObject): string {
    if (block['type'] !== 'thinking') return this.#whole(block);
    const begun = this.#begin('reasoning', NEW_THOUGHT);
    const signed = this.#piece({ type: 'signature_delta', signature: block['signature'] });
    this.#open = 'signed thought';
    return begun + signed + this.#stop();
  }

  #continueText(text: string): string {
    return this.#begin('text', textBlock('')) + this.#piece({ type: 'text_delta', text });
  }

  #continueCall(part: JsonObject, position: number): string {
    const called = isObject(part['function']) ? part['function'] : {};
    const key = this.#keyOf(part, position);
    let text = '';
    if (!this.#calls.has(key)) {
      const id = typeof part['id'] === 'string' && part['id'] !== '' ? part['id'] : `toolu_${this.#calls.size}`;
      const extra = part['extra_content'];
      if (extra !== undefined) text += this.#carry({ isReasoning: false, calls: { [id]: extra } });
      text += this.#stop();
      this.#calls.set(key, this.#next);
      text += this.#start('tool', { ...CALL_HEAD, id, name: called['name'], input: {} });
    }
    const written = called['arguments'];
    const json = typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written);
    if (json === '') return text;
    const index = this.#calls.get(key);
    return (
      text +
      writtenEvent({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } })
    );
  }

  /** Mistral's calls arrive whole and without an index. */
  #keyOf({ index, id }: JsonObject, position: number): string {
    if (typeof index === 'number') return String(index);
    return typeof id === 'string' ? id : String(position);
  }

  /** Writes data that the provider needs back, as a separate thought. */
  #carry(carried: CarriedThoughts): string {
    return this.#whole({ type: 'thinking', thinking: '', signature: signatureOf(carried) });
  }

  /** Writes a whole thinking block. Clients read signatures from a delta only. */
  #whole(block: JsonObject): string {
    const { signature, ...rest } = block;
    const isSigned = typeof signature === 'string';
    let text = this.#stop();
    text += this.#start('signed thought', isSigned ? { ...rest, signature: '' } : rest);
    if (isSigned) text += this.#piece({ type: 'signature_delta', signature });
    return text + this.#stop();
  }

  /** Ends any block of another kind, and starts one of this kind unless it is open. */
  #begin(kind: 'text' | 'reasoning', block: JsonObject): string {
    return this.#open === kind ? '' : this.#stop() + this.#start(kind, block);
  }

  #start(open: OpenBlock, block: JsonObject): string {
    this.#open = open;
    return writtenEvent({ type: 'content_block_start', index: this.#next++, content_block: block });
  }

  #piece(delta: JsonObject): string {
    return writtenEvent({ type: 'content_block_delta', index: this.#next - 1, delta });
  }

  #stop(): string {
    const text = this.#stopText();
    this.#open = null;
    return text;
  }

  #stopText(): string {
    if (this.#open === null) return '';
    const end = { type: 'signature_delta', signature: REASONING_SIGNATURE };
    const signed = this.#open === 'reasoning' ? this.#piece(end) : '';
    return signed + writtenEvent({ type: 'content_block_stop', index: this.#next - 1 });
  }
}
