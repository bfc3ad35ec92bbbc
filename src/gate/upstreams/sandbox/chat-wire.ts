import type { SandboxAnswer } from './answers.ts';
import { cutToTokens, tokensOf } from './tokens.ts';

// A sandbox answer in OpenAI's shapes: one completion object, or the chunks of a stream.

/** The common fields of all objects of one answer. */
export interface Envelope {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly promptTokens: number;
  readonly choices: number;
  /** The most output tokens of one choice. */
  readonly tokensMax: number;
}

/** One choice, cut to its cap; all choices of an answer are alike. */
interface Choice {
  readonly content: string | null;
  readonly call: { readonly id: string; readonly name: string; readonly arguments: string } | null;
  readonly tokens: number;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}

type SpokenAnswer = Exclude<SandboxAnswer, { kind: 'fault' }>;

function choiceOf(envelope: Envelope, answer: SpokenAnswer): Choice {
  if (answer.kind !== 'tool') {
    const { text, tokens, cut } = cutToTokens(answer.text, envelope.tokensMax);
    return { content: text, call: null, tokens, finishReason: cut ? 'length' : 'stop' };
  }
  const nameTokens = Math.min(tokensOf(Buffer.byteLength(answer.name)), envelope.tokensMax);
  const { text, tokens, cut } = cutToTokens(answer.arguments, envelope.tokensMax - nameTokens);
  return {
    content: null,
    call: { id: `call_${envelope.id.slice(-12)}`, name: answer.name, arguments: text },
    tokens: nameTokens + tokens,
    finishReason: cut ? 'length' : 'tool_calls',
  };
}

function usageOf(envelope: Envelope, choice: Choice): object {
  const completionTokens = choice.tokens * envelope.choices;
  return {
    prompt_tokens: envelope.promptTokens,
    completion_tokens: completionTokens,
    total_tokens: envelope.promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

/** The answer as the JSON of a plain call. */
export function completionOf(envelope: Envelope, answer: SpokenAnswer): Buffer {
  const choice = choiceOf(envelope, answer);
  const call = choice.call;
  const message = {
    role: 'assistant',
    content: choice.content,
    refusal: null,
    ...(call && {
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }],
    }),
  };
  const completion = {
    id: envelope.id,
    object: 'chat.completion',
    created: envelope.created,
    model: envelope.model,
    choices: Array.from({ length: envelope.choices }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage: usageOf(envelope, choice),
  };
  return Buffer.from(JSON.stringify(completion));
}

/** Words with the space before them, so that joining the pieces gives the text again. */
function piecesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/);
}

function deltasOf(choice: Choice): readonly object[] {
  const call = choice.call;
  if (call === null) {
    const pieces = piecesOf(choice.content ?? '').map((content) => ({ content }));
    return [{ role: 'assistant', content: '', refusal: null }, ...pieces];
  }
  const head = { index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  const pieces = piecesOf(call.arguments).map((piece) => ({
    tool_calls: [{ index: 0, function: { arguments: piece } }],
  }));
  return [{ role: 'assistant', content: null, tool_calls: [head] }, ...pieces];
}

/**
 * The answer as the payloads of a stream's data events, choices interleaved, usage in a chunk of its own at the end.
 */
export function* chunksOf(envelope: Envelope, answer: SpokenAnswer): Generator<Buffer, void> {
  const choice = choiceOf(envelope, answer);
  const common = { id: envelope.id, object: 'chat.completion.chunk', created: envelope.created, model: envelope.model };
  const chunk = (index: number, delta: object, finishReason: string | null): Buffer =>
    Buffer.from(
      JSON.stringify({
        ...common,
        choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
        usage: null,
      }),
    );
  const deltas = deltasOf(choice);
  const said = answer.kind === 'half' ? deltas.slice(0, Math.ceil(deltas.length / 2)) : deltas;
  for (const delta of said) {
    for (let index = 0; index < envelope.choices; index++) yield chunk(index, delta, null);
  }
  if (answer.kind === 'half') return;
  for (let index = 0; index < envelope.choices; index++) yield chunk(index, {}, choice.finishReason);
  yield Buffer.from(JSON.stringify({ ...common, choices: [], usage: usageOf(envelope, choice) }));
}

/** The number of payloads of `chunksOf`. */
export function chunkCountOf(envelope: Envelope, answer: SpokenAnswer): number {
  const deltas = deltasOf(choiceOf(envelope, answer)).length;
  return answer.kind === 'half' ? Math.ceil(deltas / 2) * envelope.choices : (deltas + 1) * envelope.choices + 1;
}
