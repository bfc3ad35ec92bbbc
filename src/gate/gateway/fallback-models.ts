import type { Model } from '../../domain/model.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import { chooseModel } from './choose-model.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';
import { refuseUnsayable } from './sent-request.ts';
import { sellTools } from './sell-tools.ts';

/** A model that may answer a request in the place of the requested one, and the request in the form for it. */
export interface FallbackModel {
  readonly model: Model;
  readonly parsed: ParsedRequest;
}

export const NO_FALLBACKS: readonly never[] = Object.freeze([]);

/**
 * The models that may answer if this one can't, in order: those that the request names, each of which must be callable, else
 * those of the configuration that are. Synchronous if there are none.
 */
export function findFallbacks(
  gate: GatewayDeps,
  principal: Principal,
  model: Model,
  recalled: ParsedRequest,
): MaybeAsync<readonly FallbackModel[] | Refusal> {
  const { models } = recalled.request;
  if (models === null && model.fallback === undefined) return NO_FALLBACKS;
  return findEach(gate, principal, model, recalled);
}

async function findEach(
  gate: GatewayDeps,
  principal: Principal,
  { id: requested, fallback = [] }: Model,
  recalled: ParsedRequest,
): Promise<readonly FallbackModel[] | Refusal> {
  const { models } = recalled.request;
  const found: FallbackModel[] = [];
  for (const id of new Set(models ?? fallback)) {
    if (id === requested) continue;
    const candidate = await fallbackFor(gate, principal, recalled, id);
    if (!isRefusal(candidate)) found.push(candidate);
    else if (models !== null) return { ...candidate, param: 'models' };
  }
  return found;
}

/** This model in the place of the requested one, and the request in the form for it; refused if it can't be called with it. */
export async function fallbackFor(
  gate: GatewayDeps,
  principal: Principal,
  recalled: ParsedRequest,
  id: string,
): Promise<FallbackModel | Refusal> {
  const model = chooseModel(gate, principal, recalled, id);
  if (isRefusal(model)) return model;
  const parsed = sellTools(gate, model, recalled);
  if (isRefusal(parsed)) return parsed;
  return (await refuseUnsayable(gate, model, parsed)) ?? { model, parsed };
}
