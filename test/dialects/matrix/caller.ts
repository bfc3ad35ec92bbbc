import type { Said } from '../../conformance/answers.ts';
import type { Asked, Call, Part, Turn } from '../../conformance/asked.ts';

/** The APIs that callers speak. */
export type Endpoint = 'chat' | 'messages' | 'responses';

/** What a caller has understood of an answer. */
export interface Heard {
  readonly said: Said;
  /** The reasoning that it was shown. */
  readonly reasoning: string;
  /** The ids of the calls, in their order. */
  readonly callIds: readonly string[];
  /** What it sends back in the next turn: its API's form of what the model said, as it came. */
  readonly turn: readonly object[];
}

/** A program that speaks one of the APIs to the letter. Its readers throw where an answer isn't valid in that API. */
export interface Caller {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What a request of this API can't ask for. */
  readonly lacks: readonly string[];
  body(asked: Asked, model: string, stream: boolean): object;
  /** The next turn: the same conversation, what the model said, and a result for each of its calls. */
  next(asked: Asked, heard: Heard, model: string): object;
  readPlain(answer: unknown): Heard;
  readStream(text: string): Heard;
  /** What a stream said until it broke off, and the code with which it did. */
  readBroken(text: string): { readonly text: string; readonly code: string };
  readError(body: unknown): { readonly code: string; readonly message: string };
}

/** A conversation whose calls and results have ids: a result answers the earliest call of its tool that has none yet. */
export type IdentifiedTurn =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly (Call & { readonly id: string })[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string };

export function identified(turns: readonly Turn[]): readonly IdentifiedTurn[] {
  const open: { id: string; name: string }[] = [];
  let count = 0;
  return turns.map((turn) => {
    if (turn.role === 'user') return turn;
    if (turn.role === 'assistant') {
      const calls = turn.calls.map((call) => ({ ...call, id: `call_${count++}` }));
      open.push(...calls);
      return { ...turn, calls };
    }
    const [call] = open.splice(
      open.findIndex(({ name }) => name === turn.tool),
      1,
    );
    if (call === undefined) throw new Error('a result of a tool that was not called');
    return { role: 'tool', id: call.id, text: turn.text };
  });
}

/** The text of each tool's result. */
export const RESULT = 'clear';
