import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../domain/refusals.ts';
import { admit, type Admission } from './admit.ts';
import { fallbackFor, type FallbackModel, NO_FALLBACKS } from './fallback-models.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';
import { inputMaxOf } from './take-permit.ts';

/** What a project's limits refuse; its workspace's credit is not theirs to save. */
const BUDGETS_SPENT: readonly RefusalCode[] = [
  'PROJECT_BUDGET_EXCEEDED',
  'MEMBER_SPEND_LIMIT_EXCEEDED',
  'KEY_SPEND_LIMIT_EXCEEDED',
];

/**
 * The model that the project names for requests whose hold its limits don't cover, if such a request was refused and the model surely
 * can serve it; null if there is none. A caller's own list of models is all that may answer.
 */
export async function findCheaper(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  recalled: ParsedRequest,
  { code }: Refusal,
): Promise<FallbackModel | null> {
  const { modelWhenSpent: id = null } = principal;
  if (id === null || id === model.id || !BUDGETS_SPENT.includes(code)) return null;
  const { text, models } = recalled.request;
  if (text === null || models !== null || model.terms.kind !== 'chat') return null;
  const cheaper = await fallbackFor(gate, principal, recalled, id);
  return isRefusal(cheaper) || !surelyFits(cheaper) ? null : cheaper;
}

/** Whether input and output are within the context window by their bounds. Media of unknown size count as a whole window. */
function surelyFits({ model, parsed }: FallbackModel): boolean {
  const { text } = parsed.request;
  return inputMaxOf(model, parsed) + (text?.maxTokens ?? 0) < model.terms.contextWindow;
}

/** Holds the money of such a model in the place of the requested one; null if there is none, or not the money. */
export async function admitCheaper(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  recalled: ParsedRequest,
  refusal: Refusal,
): Promise<Admission | null> {
  const cheaper = await findCheaper(gate, principal, model, recalled, refusal);
  if (cheaper === null) return null;
  const admission = await admit(gate, principal, cheaper.model, cheaper.parsed, NO_FALLBACKS, {
    requested: model.id,
    refused: refusal,
  });
  return isRefusal(admission) ? null : admission;
}
