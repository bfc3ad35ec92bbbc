import { amountFields } from '../domain/money.ts';
import { type MoneyShortage, type Refusal, REFUSALS } from '../domain/refusals.ts';
import { renderErrorBody } from '../openai/error-body.ts';

/** A refusal as the body that OpenAI's clients understand: all four keys, and the details of a shortage. */
export function renderRefusal(refusal: Refusal): Buffer {
  const { code, message, param } = refusal;
  return renderErrorBody({
    code,
    type: REFUSALS[code].type,
    message,
    param,
    ...refusalDetails(refusal),
  });
}

/** What a refusal says beyond its message: the figures of a shortage, or where an answer doesn't conform. */
export function refusalDetails({ shortage, output }: Refusal): { details?: Record<string, unknown> } {
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
