import type { RequestedTier } from '../../../domain/service-tier.ts';
import { fieldFault, type BodyFault, type BodyResult } from '../../openai/body-fault.ts';
import type { InputSize } from '../../openai/chat-request.ts';
import type { EditedRequest } from '../../openai/chat-request-edit.ts';
import type { JsonObject } from '../../openai/json-edit.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { BodyReader, into, isFault, readFlag, readModel, readWhole, whole } from '../../openai/request-fields.ts';
import { readServiceTier } from '../../openai/service-tier.ts';
import { findStray, readStreamOptions } from '../../openai/stream-options.ts';
import { type UnknownField, UnknownFields } from '../../openai/unknown-fields.ts';
import { readTextInputs, TEXTS_STRUCTURE_MAX } from '../../openai/text-inputs.ts';
import { COMPLETIONS_FIELDS } from './completions-fields.ts';

// A legacy completion request, parsed from its bytes: the few fields that the gate needs, and their positions, so that
// the rest passes through untouched.

export interface CompletionsRequest extends EditedRequest {
  /** The texts that are generated: for each prompt, as many as the larger of `n` and `best_of`. */
  readonly choices: number;
  readonly tier: RequestedTier;
  readonly size: InputSize;
  /** Fields unknown to the gateway. */
  readonly unknown: readonly UnknownField[];
}

const MAX_CAP = 2 ** 31;
const CHOICES_MAX = 2_048;

interface Draft {
  model: string;
  stream: boolean;
  includeUsage: boolean;
  streamOptions: JsonObject | null;
  maxTokens: number | null;
  n: number;
  bestOf: number | null;
  echoes: boolean;
  tier: RequestedTier;
  readonly promptSizes: number[];
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof COMPLETIONS_FIELDS>>(TEXTS_STRUCTURE_MAX, COMPLETIONS_FIELDS, {
  model: into('model', readModel),
  prompt: (scan, draft) => readTextInputs(scan, 'prompt', draft.promptSizes),
  stream: into('stream', readFlag),
  stream_options: readStreamOptions,
  // Zero is allowed: with `echo` and `logprobs`, the tokens of the prompt itself are scored.
  max_tokens: into('maxTokens', whole(0, MAX_CAP)),
  n: (scan, draft) => {
    const n = readWhole(scan, 'n', 1, CHOICES_MAX);
    if (isFault(n)) return n;
    draft.n = n ?? 1;
    return null;
  },
  best_of: into('bestOf', whole(1, CHOICES_MAX)),
  echo: into('echoes', readFlag),
  service_tier: into('tier', readServiceTier),
});

/**
 * Reads a legacy completion request: checks the whole body as JSON; refuses ambiguous keys, fields that change what is
 * bought, and wrong values of the fields that the gate uses. Unknown fields are listed.
 */
export function readCompletionsRequest(body: Buffer): BodyResult<CompletionsRequest> {
  const draft: Draft = {
    model: '',
    stream: false,
    includeUsage: false,
    streamOptions: null,
    maxTokens: null,
    n: 1,
    bestOf: null,
    echoes: false,
    tier: null,
    promptSizes: [],
    unknown: new UnknownFields(),
  };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  const fault = findFault(draft) ?? findStray(draft);
  if (fault !== null) return { ok: false, fault };
  const { model, stream, includeUsage, streamOptions, maxTokens, tier, promptSizes } = draft;
  const prompts = promptSizes.length;
  // A token given as a number takes at least two bytes of the body.
  const size = { textBytes: body.length, messages: prompts, images: 0, audios: 0, files: 0, prompts };
  const choices = choicesOf(draft);
  const read = { body, model, stream, includeUsage, streamOptions, maxTokens, choices, tier, size };
  return { ok: true, request: { ...read, unknown: draft.unknown.list, layout } };
}

function choicesOf({ n, bestOf, promptSizes }: Draft): number {
  return promptSizes.length * Math.max(n, bestOf ?? 1);
}

function findFault(draft: Draft): BodyFault | null {
  const { model, stream, n, bestOf, echoes, promptSizes } = draft;
  if (model === '') return fieldFault('model', "'model' is missing: name the model that shall answer.");
  if (promptSizes.length === 0) return fieldFault('prompt', "'prompt' is missing: give a text.");
  if (bestOf !== null && bestOf < n) return fieldFault('best_of', "'best_of' must not be smaller than 'n'.");
  if (choicesOf(draft) > CHOICES_MAX) {
    return fieldFault('n', `The prompts ask for more than ${CHOICES_MAX} texts together; send several requests.`);
  }
  // Dropped texts don't appear in a stream, so the relay couldn't bound what is generated.
  if (stream && bestOf !== null && bestOf > n)
    return fieldFault('best_of', "'best_of' can't be above 'n' in a stream.");
  if (stream && echoes) return fieldFault('echo', "'echo' can't be streamed here; leave 'stream' out.");
  return null;
}
