import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal, type MoneyLevel, type Refusal } from '../../domain/refusals.ts';
import { admit, type Admission } from './admit.ts';
import { fallbackFor, type FallbackModel, NO_FALLBACKS } from './fallback-models.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';
import { inputMaxOf } from './take-permit.ts';

/** Whether what is left at a level is saved by a cheaper model. Of the workspace's credit it isn't: topping up is what helps there. */
const IS_SAVED: Readonly<Record<MoneyLevel, boolean>> = {
  workspace: false,
  project: true,
  member: true,
  key: true,
  end_user: true,
  session: true,
};

/**
 * The model that the project names for requests whose hold its limits don't cover, if such a request was refused and the model surely
 * can serve it; null if there is none. A caller's own list of models is all that may answer.
 */
export async function findCheaper(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  recalled: ParsedRequest,
  { shortage }: Refusal,
): Promise<FallbackModel | null> {
  const { modelWhenSpent: id = null } = principal;
  // The first level is the one that the refusal names. One for a maximum cost has none.
  const level = shortage?.levels[0]?.level;
  if (id === null || id === model.id || level === undefined || !IS_SAVED[level]) return null;
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
