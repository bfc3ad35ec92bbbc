import { finishReasonOf } from '../../dialects/messages/finish-reason.ts';
import type { StreamOutlet } from '../answer-translator.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { refusalOf } from './refusal.ts';
import { thinkingOf, type IndexedThinking } from './thinking-blocks.ts';
import { chatTier, chatUsage, laterUsage, type ChatUsage } from './usage.ts';

// The events of a streamed message as chunks of a chat completion.

/** A content block that has begun and not ended. */
type OpenBlock =
  | { readonly kind: 'tool'; readonly call: number; readonly input: unknown; hasArguments: boolean }
  | { readonly kind: 'thinking'; readonly index: number; thinking: string; signature: string }
  | { readonly kind: 'other' };

/**
 * Translates one stream.
 * - nothing is passed before the first content block or stop reason, so that an error until then counts as one before
 *   the answer has begun.
 * - while blocks arrive, each piece is passed immediately; a thought is passed again, whole and signed, when it ends.
 * - the stop reason is withheld until the message stops, and then passed with the usage, whose last report it has.
 */
export class ChunkStream {
  readonly #created: number;
  readonly #blocks = new Map<unknown, OpenBlock>();
  #id: unknown = '';
  #model: unknown = '';
  #usage: JsonObject = {};
  #calls = 0;
  #hasBegun = false;
  #stop: { readonly reason: string; readonly details: unknown } | null = null;

  /** `created` is in seconds since the epoch. */
  constructor(created: number) {
    this.#created = created;
  }

  /** Usage as reported by now; null if there is none. */
  get usage(): ChatUsage | null {
    return chatUsage(this.#usage);
  }

  /** Whether `usage` includes all output; a message's start counts only the first tokens. */
  get countsOutput(): boolean {
    return this.#stop !== null;
  }

  /** Takes any event but errors. */
  take(event: JsonObject, outlet: StreamOutlet): void {
    switch (event['type']) {
      case 'message_start':
        return this.#startMessage(event['message'], outlet);
      case 'content_block_start':
        return this.#startBlock(event['index'], event['content_block'], outlet);
      case 'content_block_delta':
        return this.#extendBlock(event['index'], event['delta'], outlet);
      case 'content_block_stop':
        return this.#endBlock(event['index'], outlet);
      case 'message_delta':
        return this.#noteStop(event['delta'], event['usage']);
      case 'message_stop':
        if (this.#stop === null) return outlet.malformed('the message stopped without a reason');
        this.finish(outlet);
        return outlet.done();
      default:
        // Pings, and event types that may be added.
        return undefined;
    }
  }

  /** Passes the end of a message that has given its reason to stop; nothing for any other. */
  finish(outlet: StreamOutlet): void {
    if (this.#stop === null) return;
    for (const index of this.#blocks.keys()) this.#endBlock(index, outlet);
    const refusal = refusalOf(this.#stop.details);
    if (refusal !== null || !this.#hasBegun) this.#pass(refusal === null ? {} : { refusal }, outlet);
    this.#passChunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(this.#stop.reason) }] }, outlet);
    const { usage } = this;
    if (usage !== null) this.#passChunk({ choices: [], usage, ...chatTier(this.#usage) }, outlet);
    this.#stop = null;
  }

  /** A start may be repeated, but another message can't follow pieces of the first that have been passed. */
  #startMessage(message: unknown, outlet: StreamOutlet): void {
    if (!isObject(message)) return;
    if (this.#hasBegun && message['id'] !== this.#id) return outlet.malformed('another message began within one');
    this.#id = message['id'];
    this.#model = message['model'];
    this.#usage = laterUsage(this.#usage, message['usage']);
  }

  #startBlock(index: unknown, block: unknown, outlet: StreamOutlet): void {
    if (!isObject(block)) return;
    const thinking = thinkingOf(block, typeof index === 'number' ? index : 0);
    if (thinking !== null) return this.#startThinking(index, thinking, outlet);
    if (block['type'] === 'tool_use') {
      const call = this.#calls++;
      this.#blocks.set(index, { kind: 'tool', call, input: block['input'], hasArguments: false });
      const called = { name: block['name'], arguments: '' };
      return this.#pass({ tool_calls: [{ index: call, id: block['id'], type: 'function', function: called }] }, outlet);
    }
    this.#blocks.set(index, { kind: 'other' });
    if (block['type'] !== 'text') return undefined;
    return this.#pass({ content: typeof block['text'] === 'string' ? block['text'] : '' }, outlet);
  }

  #startThinking(index: unknown, block: IndexedThinking, outlet: StreamOutlet): void {
    if (block.type === 'redacted_thinking') return this.#pass({ thinking_blocks: [block] }, outlet);
    const { thinking, signature } = block;
    this.#blocks.set(index, { kind: 'thinking', index: block.index, thinking, signature });
    return this.#pass({ reasoning_content: thinking }, outlet);
  }

  #extendBlock(index: unknown, delta: unknown, outlet: StreamOutlet): void {
    if (!isObject(delta)) return;
    const block = this.#blocks.get(index);
    const { type, text, partial_json: json, thinking, signature } = delta;
    if (type === 'text_delta' && typeof text === 'string') {
      this.#pass({ content: text }, outlet);
    } else if (type === 'input_json_delta' && typeof json === 'string' && block?.kind === 'tool' && json !== '') {
      block.hasArguments = true;
      this.#pass({ tool_calls: [{ index: block.call, function: { arguments: json } }] }, outlet);
    } else if (type === 'thinking_delta' && typeof thinking === 'string') {
      if (block?.kind === 'thinking') block.thinking += thinking;
      this.#pass({ reasoning_content: thinking }, outlet);
    } else if (type === 'signature_delta' && typeof signature === 'string' && block?.kind === 'thinking') {
      block.signature += signature;
    }
  }

  #endBlock(index: unknown, outlet: StreamOutlet): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.kind === 'tool' && !block.hasArguments) {
      // Without any piece, the input is that of the block's start, which is usually empty.
      const whole = JSON.stringify(block.input ?? {});
      this.#pass({ tool_calls: [{ index: block.call, function: { arguments: whole } }] }, outlet);
    } else if (block?.kind === 'thinking') {
      const { thinking, signature } = block;
      this.#pass({ thinking_blocks: [{ index: block.index, type: 'thinking', thinking, signature }] }, outlet);
    }
  }

  #noteStop(delta: unknown, usage: unknown): void {
    this.#usage = laterUsage(this.#usage, usage);
    if (!isObject(delta) || typeof delta['stop_reason'] !== 'string') return;
    this.#stop = { reason: delta['stop_reason'], details: delta['stop_details'] };
  }

  #pass(delta: JsonObject, outlet: StreamOutlet): void {
    const role = this.#hasBegun ? {} : { role: 'assistant' };
    this.#hasBegun = true;
    this.#passChunk({ choices: [{ index: 0, delta: { ...role, ...delta }, finish_reason: null }] }, outlet);
  }

  #passChunk(rest: JsonObject, outlet: StreamOutlet): void {
    const common = { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#model };
    outlet.pass(Buffer.from(JSON.stringify({ ...common, ...rest })));
  }
}
