import { amountFields } from '../../domain/money.ts';
import type { MoneyShortage, Refusal, RefusalCode } from '../../domain/refusals.ts';

/**
 * OpenAI's codes for refusals that some clients recognise only by the code: they search the whole body for it, and
 * misinterpret the refusal without it.
 */
const OPENAI_CODES: Partial<Record<RefusalCode, string>> = {
  MODEL_NOT_FOUND: 'model_not_found',
  MODEL_NOT_ALLOWED: 'model_not_found',
};

/** Details of a refusal beyond its message: figures of a shortage, places of schema failures, a provider's code. */
export function refusalDetails({ code, providerCode, details, shortage, output }: Refusal): {
  details?: Record<string, unknown>;
} {
  if (providerCode !== undefined) return { details: { code } };
  if (details !== undefined) return { details };
  const openAiCode = OPENAI_CODES[code];
  if (openAiCode !== undefined) return { details: { openai_code: openAiCode } };
  if (shortage !== undefined) return { details: shortageDetails(shortage) };
  if (output === undefined) return {};
  const failures = output.failures.map(({ pointer, keyword }) => ({ path: pointer, keyword }));
  return { details: { answers: output.answers, failures } };
}

function shortageDetails(shortage: MoneyShortage): Record<string, unknown> {
  return {
    transient: shortage.transient,
    ...amountFields('needed', shortage.needed),
    max_tokens_that_fit: shortage.maxTokensThatFit,
    fix: shortage.fix,
    levels: shortage.levels.map(({ level, code, limit, used, held, resetsAtMs }) => ({
      level,
      code,
      ...amountFields('limit', limit),
      ...amountFields('used', used),
      ...amountFields('held', held),
      resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
    })),
  };
}
