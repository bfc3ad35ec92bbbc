import type OpenAI from 'openai';

/** What a client makes of one choice. */
export interface UnderstoodChoice {
  text: string;
  reasoning: string;
  finish: string | null;
  readonly calls: { id: string; name: string; arguments: string }[];
  /** Thought signatures, those of calls and of texts, in the order in which they came. */
  readonly signatures: string[];
}

export interface Understood {
  readonly choices: ReadonlyMap<number, UnderstoodChoice>;
  readonly usage: OpenAI.CompletionUsage | null;
}

interface Signed {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & Signed & { readonly reasoning_content?: string };

/** Reads the chunks of a stream as a client does that follows OpenAI's rules to the letter. */
export function understand(payloads: readonly Buffer[]): Understood {
  const choices = new Map<number, UnderstoodChoice>();
  let usage: OpenAI.CompletionUsage | null = null;
  for (const payload of payloads) {
    const chunk = JSON.parse(payload.toString()) as OpenAI.ChatCompletionChunk;
    usage = chunk.usage ?? usage;
    for (const { index, delta, finish_reason: finish } of chunk.choices) {
      const choice = choices.get(index) ?? { text: '', reasoning: '', finish: null, calls: [], signatures: [] };
      if (choice.finish !== null) throw new Error('a choice goes on after its end');
      if (choices.has(index) === (delta.role !== undefined)) throw new Error('a role comes once, with the first delta');
      choices.set(index, choice);
      addDelta(choice, delta);
      choice.finish = finish;
    }
  }
  return { choices, usage };
}

function addDelta(choice: UnderstoodChoice, delta: Delta): void {
  choice.text += delta.content ?? '';
  choice.reasoning += delta.reasoning_content ?? '';
  for (const piece of delta.tool_calls ?? []) {
    const call = choice.calls[piece.index];
    if (call === undefined) {
      if (piece.index !== choice.calls.length) throw new Error('calls are numbered as they come');
      choice.calls.push({
        id: piece.id ?? '',
        name: piece.function?.name ?? '',
        arguments: piece.function?.arguments ?? '',
      });
    } else {
      call.arguments += piece.function?.arguments ?? '';
    }
    addSignature(choice, piece as Signed);
  }
  addSignature(choice, delta);
}

function addSignature(choice: UnderstoodChoice, { extra_content: extra }: Signed): void {
  if (extra !== undefined) choice.signatures.push(extra.google.thought_signature);
}
