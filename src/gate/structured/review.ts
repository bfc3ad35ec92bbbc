import type { Choice } from '../openai/chat-choices.ts';
import { ANSWER_TOOL, type RejectedAnswer } from './ask.ts';
import type { Judgement } from './conformance.ts';
import { withoutSpaceAround } from './readings.ts';
import type { Strategy } from './strategy.ts';

// Decides whether a whole answer is what its caller requested. A refusal, a call of the caller's own functions, and an
// answer that was cut off are passed on as the model gave them, as OpenAI does.

/** An answer that can be handed out, some of its choices with other contents; or why it can't. */
export type Review =
  | { readonly conforms: true; readonly contents: ReadonlyMap<number, string> }
  | ({ readonly conforms: false } & RejectedAnswer);

const CUT_OFF = ['length', 'content_filter'];

/** The failure of a text that isn't JSON, or not only JSON. */
const NO_JSON = [{ pointer: '', keyword: 'json' }];

/** Reviews all choices; `judge` validates the text of one of them. */
export async function reviewAnswer(
  choices: ReadonlyMap<number, Choice>,
  strategy: Strategy,
  judge: (text: string) => Promise<Judgement>,
): Promise<Review> {
  const contents = new Map<number, string>();
  for (const [index, choice] of choices) {
    const call = strategy === 'tool' ? choice.calls.find(({ name }) => name === ANSWER_TOOL) : undefined;
    if (choice.isRefusal || CUT_OFF.includes(choice.finishReason)) {
      if (call !== undefined) contents.set(index, call.arguments);
      continue;
    }
    if (call === undefined && choice.calls.length > 0) continue;
    // An answer together with calls of other functions was made without their results.
    const text = choice.calls.length > 1 ? '' : (call?.arguments ?? choice.content ?? '');
    const judgement = await judge(text);
    if (!judgement.conforms) return { conforms: false, text, failures: judgement.failures };
    const isAsItWas = call === undefined && !choice.isInParts && judgement.content === choice.content;
    if (!isAsItWas) contents.set(index, judgement.content);
  }
  if (choices.size > 0) return { conforms: true, contents };
  return { conforms: false, text: '', failures: NO_JSON };
}

/** Reviews an answer that is passed on unchanged or not at all: only white space may surround the JSON. */
export async function reviewAsItIs(
  choices: ReadonlyMap<number, Choice>,
  judge: (text: string) => Promise<Judgement>,
): Promise<Review> {
  const review = await reviewAnswer(choices, 'passthrough', judge);
  if (!review.conforms) return review;
  for (const [index, content] of review.contents) {
    const { content: text, isInParts } = choices.get(index) ?? { content: null, isInParts: false };
    const said = text ?? '';
    if (isInParts || withoutSpaceAround(said) !== content) return { conforms: false, text: said, failures: NO_JSON };
  }
  return { conforms: true, contents: NOTHING_REPLACED };
}

const NOTHING_REPLACED: ReadonlyMap<number, string> = new Map();
