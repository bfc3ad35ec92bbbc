import type { ChatExtra } from './chat-extras.ts';
import { type Judgement, never } from './judged-fields.ts';

// Fields by which a request buys something else than its model's entry prices: another model, a fee beside the
// tokens, more tokens than the cap and the bound on the input allow for. Upstreams know many such fields, and which
// one reads which isn't known from a base URL, so all are refused.

const OTHER_MODEL = 'would change which model answers';
const FEE = 'would cost more than its tokens';
const CAP = 'would get around the cap on output; use max_tokens or max_completion_tokens';
const MORE_CHOICES = 'would change how many answers are generated; use n';
const INPUT = 'would add input that is not in the request';

export const CHAT_JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  models: never(OTHER_MODEL),
  fallbacks: never(OTHER_MODEL),
  route: never(OTHER_MODEL),
  provider: never(OTHER_MODEL),
  preset: never(OTHER_MODEL),
  // Carries further fields past every check made here.
  extra_body: never('would pass fields on unread; put them at the top level'),
  options: never('would pass fields on unread; put them at the top level'),

  plugins: never(FEE),
  web_search: never(FEE),
  search_parameters: never(FEE),
  inference_geo: never(FEE),

  max_output_tokens: never(CAP),
  max_new_tokens: never(CAP),
  max_gen_len: never(CAP),
  n_predict: never(CAP),
  num_predict: never(CAP),

  best_of: never(MORE_CHOICES),
  use_beam_search: never(MORE_CHOICES),
  n_cmpl: never(MORE_CHOICES),
  num_return_sequences: never(MORE_CHOICES),
  num_generations: never(MORE_CHOICES),

  transforms: never(INPUT),
  data_sources: never(INPUT),
  // A template may repeat what it is given, and media settings may raise the tokens of an image.
  chat_template: never(INPUT),
  mm_processor_kwargs: never(INPUT),
  media_io_kwargs: never(INPUT),

  service_tier: { values: ['auto', 'default'], reason: FEE },
  speed: { values: ['standard'], reason: FEE },
  enable_search: { values: [false], reason: FEE },
};

/** Fields that chat reads (chat-extras.ts), for APIs that don't. */
export const EXTRA_JUDGEMENTS: Readonly<Record<ChatExtra | 'modalities', Judgement>> = {
  web_search_options: never(FEE),
  prediction: never(FEE),
  audio: never(FEE),
  modalities: { values: [['text'], []], reason: FEE },
};
