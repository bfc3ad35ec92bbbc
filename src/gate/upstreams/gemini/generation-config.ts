import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import { thinkingConfigOf, type ModelTraits } from './model-traits.ts';
import { elementsAt, numberAt, objectAt, stringAt, textAt, unfit } from './unfit-request.ts';

// The settings of a request, which Gemini has in one object.

/** Fields whose numbers have the same meaning in both APIs. */
const NUMBERS: readonly (readonly [field: string, setting: string])[] = [
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
];

const SEED_MIN = -(2 ** 31);
const SEED_MAX = 2 ** 31 - 1;

/** The fields that `generationConfigOf` reads. */
export const CONFIG_FIELDS: readonly string[] = [
  ...NUMBERS.map(([field]) => field),
  'seed',
  'stop',
  'logprobs',
  'top_logprobs',
  'response_format',
  'reasoning_effort',
  'verbosity',
];

/** Facts about a request and its model. */
export interface ConfigContext {
  /** The most output tokens of one choice; null: no maximum is requested. */
  readonly maxTokens: number | null;
  readonly choices: number;
  readonly traits: ModelTraits;
}

/** The settings of a request; undefined if it has none. */
export function generationConfigOf(
  body: JsonView,
  { maxTokens, choices, traits }: ConfigContext,
): Writable | undefined {
  const settings: Record<string, Writable | undefined> = {
    maxOutputTokens: maxTokens ?? undefined,
    candidateCount: choices > 1 ? choices : undefined,
    seed: seedOf(body.get('seed')),
    stopSequences: stopsOf(body.get('stop')),
    ...logprobsOf(body),
    ...formatOf(body.get('response_format')),
    thinkingConfig: thinkingOf(body.get('reasoning_effort'), traits, maxTokens),
  };
  for (const [field, setting] of NUMBERS) {
    const value = body.get(field);
    settings[setting] = value && numberAt(value, field);
  }
  const verbosity = body.get('verbosity');
  if (verbosity !== undefined && verbosity.text() !== 'medium') {
    unfit('verbosity', "'verbosity' can only be medium: this model's provider has no such setting.");
  }
  return Object.values(settings).some((value) => value !== undefined) ? settings : undefined;
}

function seedOf(seed: JsonView | undefined): Writable | undefined {
  if (seed === undefined) return undefined;
  const value = numberAt(seed, 'seed').parsed() as number;
  if (Number.isInteger(value) && value >= SEED_MIN && value <= SEED_MAX) return value;
  return unfit('seed', `'seed' must be a whole number from ${SEED_MIN} to ${SEED_MAX} for this model's provider.`);
}

function stopsOf(stop: JsonView | undefined): Writable | undefined {
  if (stop === undefined) return undefined;
  if (stop.kind === 'string') return [stop];
  const stops = elementsAt(stop, 'stop').map((each, index) => stringAt(each, `stop[${index}]`));
  return stops.length === 0 ? undefined : stops;
}

function logprobsOf(body: JsonView): Record<string, Writable | undefined> {
  const top = body.get('top_logprobs');
  if (!(body.get('logprobs')?.isTrue() ?? false)) return {};
  return { responseLogprobs: true, logprobs: top && numberAt(top, 'top_logprobs') };
}

function formatOf(format: JsonView | undefined): Record<string, Writable | undefined> {
  if (format === undefined) return {};
  const type = textAt(format.get('type'), 'response_format.type');
  if (type === 'text') return {};
  if (type === 'json_object') return { responseMimeType: 'application/json' };
  if (type !== 'json_schema') {
    unfit('response_format.type', "'response_format.type' must be text, json_object or json_schema.");
  }
  const schema = format.get('json_schema')?.get('schema');
  return {
    responseMimeType: 'application/json',
    responseJsonSchema: objectAt(schema, 'response_format.json_schema.schema'),
  };
}

function thinkingOf(effort: JsonView | undefined, traits: ModelTraits, maxTokens: number | null): Writable | undefined {
  if (effort === undefined) return undefined;
  return (
    thinkingConfigOf(textAt(effort, 'reasoning_effort'), traits, maxTokens) ??
    unfit('reasoning_effort', "'reasoning_effort' must be none, minimal, low, medium, high, xhigh or max.")
  );
}
