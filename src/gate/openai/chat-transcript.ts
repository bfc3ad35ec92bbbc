import { type Choice, contentOf, type ToolCall } from './chat-choices.ts';
import { type ChunkFacts, inspectChunk } from './chat-chunk.ts';
import { isObject, type JsonObject } from './json-object.ts';

// A stream that is collected before it is passed on: the contents of its choices, and the same stream with other
// contents. Used for streams that are validated first; others pass unparsed.

/** The length of replaced content in one delta, in characters. */
const PIECE_LENGTH = 48;

interface Draft {
  readonly contents: string[];
  readonly calls: Map<number, { name: string; arguments: string }>;
  isInParts: boolean;
  isRefusal: boolean;
  finishReason: string;
}

/** The events of one stream, in their order. */
export class ChatTranscript {
  readonly #payloads: Buffer[] = [];
  readonly #drafts = new Map<number, Draft>();

  /** The facts of the next event. */
  inspect(payload: Buffer): ChunkFacts {
    return inspectChunk(payload);
  }

  /** Adds the payload of one event, an object of JSON. */
  add(payload: Buffer): void {
    this.#payloads.push(payload);
    for (const choice of choicesOf(parse(payload))) this.#addChoice(choice);
  }

  get payloads(): readonly Buffer[] {
    return this.#payloads;
  }

  /** The choices by their index. */
  choices(): ReadonlyMap<number, Choice> {
    const choices = new Map<number, Choice>();
    for (const [index, { contents, calls, isInParts, isRefusal, finishReason }] of this.#drafts) {
      const content = contents.length === 0 ? null : contents.join('');
      choices.set(index, { content, isInParts, calls: [...calls.values()], isRefusal, finishReason });
    }
    return choices;
  }

  /** The same stream, with the content of these choices replaced and their calls removed. */
  withContents(contents: ReadonlyMap<number, string>): Buffer[] {
    const begun = new Set<number>();
    return this.#payloads.flatMap((payload) => {
      const chunk = parse(payload);
      const choices = choicesOf(chunk);
      if (!choices.some((choice) => contents.has(indexOf(choice)))) return [payload];
      return rewritten(chunk, choices, contents, begun);
    });
  }

  #addChoice(choice: JsonObject): void {
    const index = indexOf(choice);
    const draft = this.#drafts.get(index) ?? newDraft();
    this.#drafts.set(index, draft);
    const { finish_reason: reason } = choice;
    if (typeof reason === 'string' && reason !== '') draft.finishReason = reason;
    const delta = isObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (!isObject(delta)) return;
    const content = contentOf(delta['content']);
    if (content !== null) draft.contents.push(content);
    if (Array.isArray(delta['content'])) draft.isInParts = true;
    if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '') draft.isRefusal = true;
    addCalls(draft.calls, delta);
  }
}

function newDraft(): Draft {
  return { contents: [], calls: new Map(), isInParts: false, isRefusal: false, finishReason: '' };
}

function addCalls(calls: Map<number, { name: string; arguments: string }>, delta: JsonObject): void {
  const { tool_calls: tools, function_call: call } = delta;
  const parts = Array.isArray(tools) ? tools.filter(isObject) : [];
  for (const [position, part] of parts.entries()) {
    addPart(calls, typeof part['index'] === 'number' ? part['index'] : position, part['function']);
  }
  if (isObject(call)) addPart(calls, 0, call);
}

function addPart(calls: Map<number, { name: string; arguments: string }>, index: number, part: unknown): void {
  if (!isObject(part)) return;
  const call: ToolCall = calls.get(index) ?? { name: '', arguments: '' };
  const name = typeof part['name'] === 'string' && call.name === '' ? part['name'] : call.name;
  const written = part['arguments'];
  const text = typeof written === 'string' ? written : written === undefined ? '' : JSON.stringify(written);
  calls.set(index, { name, arguments: call.arguments + text });
}

/** One chunk with the choices that keep their content, and replacements of the others. */
function rewritten(
  chunk: JsonObject,
  choices: readonly JsonObject[],
  contents: ReadonlyMap<number, string>,
  begun: Set<number>,
): Buffer[] {
  const events: Buffer[] = [];
  const put = (choice: JsonObject, more: JsonObject = {}): void => {
    events.push(Buffer.from(JSON.stringify({ ...chunk, ...more, choices: [choice] })));
  };
  for (const choice of choices) {
    const index = indexOf(choice);
    const content = contents.get(index);
    const isEnd = typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '';
    if (content === undefined) {
      put(choice, { usage: null });
      continue;
    }
    const plain = { index, logprobs: null, finish_reason: null };
    if (!begun.has(index)) {
      begun.add(index);
      put({ ...plain, delta: { role: 'assistant', content: '' } }, { usage: null });
      for (const piece of piecesOf(content)) put({ ...plain, delta: { content: piece } }, { usage: null });
    }
    const reason = choice['finish_reason'] === 'tool_calls' ? 'stop' : choice['finish_reason'];
    if (isEnd) put({ ...plain, delta: {}, finish_reason: reason });
  }
  return events;
}

function* piecesOf(content: string): Generator<string, void> {
  const characters = Array.from(content);
  for (let at = 0; at < characters.length; at += PIECE_LENGTH) {
    yield characters.slice(at, at + PIECE_LENGTH).join('');
  }
}

function choicesOf({ choices }: JsonObject): readonly JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isObject) : [];
}

function indexOf({ index }: JsonObject): number {
  return typeof index === 'number' ? index : 0;
}

function parse(payload: Buffer): JsonObject {
  return JSON.parse(payload.toString()) as JsonObject;
}
