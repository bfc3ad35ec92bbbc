import type { NanoUsd } from '../../domain/money.ts';
import type { Principal } from '../../domain/principal.ts';
import { leastHold } from '../../domain/quote.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { CompletionEndpoint } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import type { Caller } from './caller.ts';
import { callableModels } from './choose-model.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { emptyRefusal } from './money-refusal.ts';
import { isUnreadable } from './read.ts';
import { rateRefusal } from './take-permit.ts';

/** Smaller bodies are always read: that costs no more than checking whether they would be refused. */
const SMALL_BYTES = 65_536;

/** Whether a request is checked by its head before its body, which is large or of unknown length, is read. */
export function isJudgedAtHead({ bodyBytes }: Caller): boolean {
  return bodyBytes === null || bodyBytes > SMALL_BYTES;
}

/**
 * The refusal of a request that no body could avoid: the project has no request or token left, or a purse can't cover
 * the cheapest request to any model that this caller may call. Null if the body may matter.
 */
export async function refuseAtHead(
  gate: GatewayDeps,
  caller: Caller,
  principal: Principal,
  endpoint: CompletionEndpoint,
): Promise<Refusal | null> {
  if (isUnreadable(caller)) return null;
  const refusal = (await rateRefusal(gate, principal)) ?? (await moneyRefusal(gate, principal, endpoint));
  return refusal !== null && (await mayRepeat(gate, caller, principal)) ? null : refusal;
}

async function moneyRefusal(
  gate: GatewayDeps,
  principal: Principal,
  endpoint: CompletionEndpoint,
): Promise<Refusal | null> {
  const least = leastOfAll(gate, principal, endpoint);
  const failure = least === 0n ? null : await gate.purses.lacks(principal, least);
  return failure === null ? null : emptyRefusal(least, failure);
}

/** Whether a request may be a repeat, which gets the stored answer even if money or rate are used up by now. */
async function mayRepeat(
  { idempotency }: GatewayDeps,
  { idempotencyKey }: Caller,
  { workspaceId, keyId }: Principal,
): Promise<boolean> {
  if (idempotencyKey === undefined) return false;
  try {
    return await idempotency.isClaimed({ workspaceId, keyId, idempotencyKey });
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) return true;
    throw fault;
  }
}

/** The least hold of any request to this endpoint, at this caller's prices; zero if it may call no model. */
function leastOfAll(gate: GatewayDeps, principal: Principal, endpoint: CompletionEndpoint): NanoUsd {
  const { modelKind: kind } = DIALECTS[endpoint];
  let least: NanoUsd | null = null;
  for (const { id } of callableModels(gate, principal)) {
    const terms = gate.catalogue.find(id, principal.workspaceId)?.terms;
    if (terms?.kind !== kind) continue;
    const hold = leastHold(terms);
    if (least === null || hold < least) least = hold;
  }
  return least ?? 0n;
}
