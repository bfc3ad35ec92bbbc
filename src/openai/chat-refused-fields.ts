import { fieldFault, type BodyFault } from './body-fault.ts';

// Fields by which a request buys something else than its model's entry prices: another model, a fee beside the
// tokens, more tokens than the cap and the bound on the input allow for. Upstreams know many such fields, and which
// one reads which isn't known from a base URL, so all are refused. Null is no request for anything, and passes.

const OTHER_MODEL = 'would change which model answers';
const FEE = 'would cost more than its tokens';
const CAP = 'would get around the cap on output; use max_tokens or max_completion_tokens';
const MORE_CHOICES = 'would change how many answers are generated; use n';
const INPUT = 'would add input that is not in the request';

const REFUSED: Readonly<Record<string, string>> = {
  models: OTHER_MODEL,
  fallbacks: OTHER_MODEL,
  route: OTHER_MODEL,
  provider: OTHER_MODEL,
  preset: OTHER_MODEL,
  // Carries further fields past every check made here.
  extra_body: 'would pass fields on unread; put them at the top level',
  options: 'would pass fields on unread; put them at the top level',

  plugins: FEE,
  web_search: FEE,
  web_search_options: FEE,
  search_parameters: FEE,
  inference_geo: FEE,
  // Rejected predictions are billed as output, outside the cap.
  prediction: FEE,
  audio: FEE,

  max_output_tokens: CAP,
  max_new_tokens: CAP,
  max_gen_len: CAP,
  n_predict: CAP,
  num_predict: CAP,

  best_of: MORE_CHOICES,
  use_beam_search: MORE_CHOICES,
  n_cmpl: MORE_CHOICES,
  num_return_sequences: MORE_CHOICES,
  num_generations: MORE_CHOICES,

  transforms: INPUT,
  data_sources: INPUT,
  // A template may repeat what it is given, and media settings may raise the tokens of an image.
  chat_template: INPUT,
  mm_processor_kwargs: INPUT,
  media_io_kwargs: INPUT,
};

/** Fields that are refused unless they say one of these. */
const ALLOWED_VALUES: Readonly<Record<string, { readonly values: readonly unknown[]; readonly reason: string }>> = {
  service_tier: { values: ['auto', 'default'], reason: FEE },
  speed: { values: ['standard'], reason: FEE },
  enable_search: { values: [false], reason: FEE },
};

/** The names of all fields judged here. */
export const JUDGED_FIELDS: readonly string[] = [...Object.keys(REFUSED), ...Object.keys(ALLOWED_VALUES), 'modalities'];

/** The fault of a field that would buy something else; null if `value`, parsed, may pass. */
export function judgeField(name: string, value: unknown): BodyFault | null {
  if (value === null) return null;
  const restriction = Object.hasOwn(ALLOWED_VALUES, name) ? ALLOWED_VALUES[name] : undefined;
  if (restriction !== undefined) {
    if (restriction.values.includes(value)) return null;
    const allowed = restriction.values.map((each) => JSON.stringify(each)).join(' or ');
    return fieldFault(name, `'${name}' can only be ${allowed} here: anything else ${restriction.reason}.`);
  }
  if (name === 'modalities') {
    if (Array.isArray(value) && value.every((each) => each === 'text')) return null;
    return fieldFault(name, `'modalities' can only be ["text"] here: anything else ${FEE}.`);
  }
  return fieldFault(name, `'${name}' is not supported here: it ${REFUSED[name] ?? FEE}.`);
}
