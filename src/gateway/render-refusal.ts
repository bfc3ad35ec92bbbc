import { formatUsd } from '../domain/money.ts';
import { type MoneyShortage, type Refusal, REFUSALS } from '../domain/refusals.ts';
import { renderErrorBody } from '../openai/error-body.ts';

/** A refusal as the body that OpenAI's clients understand: all four keys, and the details of a shortage. */
export function renderRefusal(refusal: Refusal): Buffer {
  const { code, message, param, shortage } = refusal;
  return renderErrorBody({
    code,
    type: REFUSALS[code].type,
    message,
    param,
    ...(shortage === undefined ? {} : { details: shortageDetails(shortage) }),
  });
}

function shortageDetails(shortage: MoneyShortage): Record<string, unknown> {
  return {
    transient: shortage.transient,
    needed_nano_usd: String(shortage.needed),
    needed_usd: formatUsd(shortage.needed),
    max_tokens_that_fit: shortage.maxTokensThatFit,
    fix: shortage.fix,
    levels: shortage.levels.map(({ level, code, limit, used, held, resetsAtMs }) => ({
      level,
      code,
      limit_nano_usd: String(limit),
      limit_usd: formatUsd(limit),
      used_nano_usd: String(used),
      used_usd: formatUsd(used),
      held_nano_usd: String(held),
      held_usd: formatUsd(held),
      resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
    })),
  };
}
