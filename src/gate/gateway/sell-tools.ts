import type { Model, SoldTools } from '../../domain/model.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { invalidBody } from './invalid-body.ts';
import type { ParsedRequest } from './read.ts';
import { isSentAsItIs } from './sent-request.ts';

const NO_TOOLS: SoldTools = Object.freeze({});

/**
 * Decides which tools the provider may run: those with which the model is sold, if one of its routes takes the request as
 * it is. All others are left out; the refusal of a request that depends on one.
 */
export function sellTools(gate: GatewayDeps, model: Model, parsed: ParsedRequest): ParsedRequest | Refusal {
  const { tools, native } = parsed.request;
  if (tools === null) return parsed;
  // What a route doesn't read of chat, which has no native form, is refused by its name when the routes are looked at.
  const isOffered = native === null || isSentAsItIs(gate, model, parsed.request);
  const sold = isOffered ? (model.terms.tools ?? NO_TOOLS) : NO_TOOLS;
  const result = tools.sell(sold);
  if (result.ok) return { ...parsed, request: result.request };
  return invalidBody(result.fault);
}
