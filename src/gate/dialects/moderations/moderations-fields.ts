import { fieldTable } from '../../openai/known-fields.ts';
import { NO_MODELS, REFUSED_ANYWHERE } from '../../openai/server-fields.ts';

// The known fields of moderation requests, with a verdict for each.

export const MODERATIONS_FIELDS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['model', 'input'] },
  { verdict: 'passes', reason: 'says nothing about the answer', names: ['user', 'metadata'] },
  NO_MODELS,
  ...REFUSED_ANYWHERE,
);

/** The members of a part of the input. */
export const PART_MEMBERS = fieldTable(
  { verdict: 'priced', reason: 'what the hold goes by', names: ['text', 'image_url'] },
  { verdict: 'passes', reason: 'says which of both it is', names: ['type'] },
);

/** The members of an image. */
export const IMAGE_MEMBERS = fieldTable({
  verdict: 'passes',
  reason: 'the image, in the text or by its address',
  names: ['url'],
});
