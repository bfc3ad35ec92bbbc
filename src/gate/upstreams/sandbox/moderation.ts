import { isObject } from '../../openai/json-object.ts';

// Judges texts by words alone, so that a client sees both answers.

/** Words that flag a text, by OpenAI's categories. */
const WORDS: Readonly<Record<string, RegExp>> = {
  harassment: /\b(?:idiot|stupid)\b/i,
  hate: /\bhate\b/i,
  'self-harm': /\bsuicide\b/i,
  sexual: /\bsex\b/i,
  violence: /\b(?:kill|murder|attack)\b/i,
};

const [LOW, HIGH] = [0.001, 0.98];

/** The texts of a moderation body; null if the sandbox can't judge it. */
export function readModerationTexts(bytes: Buffer): readonly string[] | null {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return null;
  }
  const input = isObject(body) ? body['input'] : null;
  const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
  const texts = inputs.map((each) => (isObject(each) ? (each['text'] ?? '') : each));
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

/** The answer in OpenAI's form: a result for each text. */
export function moderationAnswer(texts: readonly string[], model: string, requestId: string): Buffer {
  return Buffer.from(JSON.stringify({ id: `modr-${requestId}`, model, results: texts.map(resultOf) }));
}

function resultOf(text: string): object {
  const found = Object.entries(WORDS).map(([category, words]) => [category, words.test(text)] as const);
  return {
    flagged: found.some(([, isFlagged]) => isFlagged),
    categories: Object.fromEntries(found),
    category_scores: Object.fromEntries(found.map(([category, isFlagged]) => [category, isFlagged ? HIGH : LOW])),
    category_applied_input_types: Object.fromEntries(found.map(([category]) => [category, ['text']])),
  };
}
