import { isDone, SseDecoder } from '../../gate/openai/sse.ts';

// A stream as its caller was sent it, put together again, since what is to be redacted may be split over its events.

interface Json {
  readonly [name: string]: unknown;
}

/** What a model has written of one kind, in one place of its answer. */
interface Part {
  readonly choice: number;
  readonly type: string;
  text: string;
  name?: string;
  id?: string;
  /** In what else a block of Anthropic's API begins. */
  block?: Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The texts of a chunk of chat, by the types of their parts. */
const DELTA_TEXTS = {
  content: 'text',
  reasoning_content: 'reasoning',
  reasoning: 'reasoning',
  refusal: 'refusal',
} as const;

/** The texts of a delta of Anthropic's API, likewise. */
const BLOCK_TEXTS = ['text', 'partial_json', 'thinking'] as const;

/** Events of Responses that carry the next piece of a text. */
const RESPONSE_DELTA = /^response\.(\w+)\.delta$/;
const RESPONSE_ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

class StreamedAnswer {
  readonly #parts = new Map<string, Part>();
  readonly #finishReasons: string[] = [];
  /** The whole of a response, which its last event has. */
  #response: Json | null = null;

  add(event: Json): void {
    for (const choice of objectsIn(event['choices'])) this.#addChoice(choice);
    const { type } = event;
    if (typeof type !== 'string') return;
    if (type.startsWith('response.')) this.#addResponse(type, event);
    else this.#addBlock(type, event);
  }

  read(): object {
    if (this.#response !== null) return this.#response;
    return { parts: [...this.#parts.values()], finish_reasons: this.#finishReasons };
  }

  #part(choice: number, type: string, place: string | number): Part {
    const key = `${choice} ${type} ${place}`;
    const part = this.#parts.get(key) ?? { choice, type, text: '' };
    this.#parts.set(key, part);
    return part;
  }

  #addChoice(choice: Json): void {
    const index = numberIn(choice['index']);
    if (typeof choice['text'] === 'string') this.#part(index, 'text', 0).text += choice['text'];
    if (isObject(choice['delta'])) this.#addDelta(index, choice['delta']);
    this.#finished(choice['finish_reason']);
  }

  #addDelta(index: number, delta: Json): void {
    for (const [field, type] of Object.entries(DELTA_TEXTS)) {
      const text = textIn(delta[field]);
      if (text !== '') this.#part(index, type, 0).text += text;
    }
    for (const call of objectsIn(delta['tool_calls'])) {
      const part = this.#part(index, 'tool_call', numberIn(call['index']));
      const called = isObject(call['function']) ? call['function'] : {};
      part.text += textIn(called['arguments']);
      if (typeof call['id'] === 'string') part.id = call['id'];
      if (typeof called['name'] === 'string') part.name = called['name'];
    }
    const { audio } = delta;
    if (!isObject(audio)) return;
    this.#part(index, 'audio', 0).text += textIn(audio['data']);
    if (audio['transcript'] !== undefined) this.#part(index, 'transcript', 0).text += textIn(audio['transcript']);
  }

  #addBlock(type: string, event: Json): void {
    const { index, content_block: block, delta } = event;
    const part = (): Part => this.#part(0, 'block', numberIn(index));
    if (type === 'content_block_start' && isObject(block)) part().block = block;
    if (!isObject(delta)) return;
    if (type === 'message_delta') this.#finished(delta['stop_reason']);
    for (const field of BLOCK_TEXTS) {
      const text = textIn(delta[field]);
      if (text !== '') part().text += text;
    }
  }

  #addResponse(type: string, event: Json): void {
    const { response, item, output_index: output, content_index: content, delta } = event;
    if (RESPONSE_ENDS.has(type) && isObject(response)) this.#response = response;
    if (type === 'response.output_item.added' && isObject(item) && typeof item['name'] === 'string') {
      this.#part(0, 'function_call_arguments', `${numberIn(output)} 0`).name = item['name'];
    }
    const kind = RESPONSE_DELTA.exec(type)?.[1];
    if (kind !== undefined) this.#part(0, kind, `${numberIn(output)} ${numberIn(content)}`).text += textIn(delta);
  }

  #finished(reason: unknown): void {
    if (typeof reason === 'string') this.#finishReasons.push(reason);
  }
}

/** The answer that these events make, of any API. @throws SyntaxError if one is not JSON */
export function streamedAnswer(events: Buffer): object {
  const answer = new StreamedAnswer();
  const decoder = new SseDecoder(Number.POSITIVE_INFINITY);
  decoder.push(events, (payload) => {
    if (isDone(payload)) return;
    const event: unknown = JSON.parse(payload.toString());
    if (isObject(event)) answer.add(event);
  });
  return answer.read();
}
