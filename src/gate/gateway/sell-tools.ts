import type { Model, SoldTools } from '../../domain/model.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { invalidBody } from './invalid-body.ts';
import type { ParsedRequest } from './read.ts';
import { isSentAsItIs } from './sent-request.ts';

const NO_TOOLS: SoldTools = Object.freeze({});

/**
 * Decides which tools the provider may run: those sold with the model, if one of its routes accepts the unchanged
 * request. All others are left out. Returns the refusal of a request that depends on one of them.
 */
export function sellTools(gate: GatewayDeps, model: Model, parsed: ParsedRequest): ParsedRequest | Refusal {
  const { tools, native } = parsed.request;
  if (tools === null) return parsed;
  // A chat request has no native form; tools that a route doesn't support are refused by name when routes are checked.
  const isOffered = native === null || isSentAsItIs(gate, model, parsed.request);
  const sold = isOffered ? (model.terms.tools ?? NO_TOOLS) : NO_TOOLS;
  const result = tools.sell(sold);
  if (result.ok) return { ...parsed, request: result.request };
  return invalidBody(result.fault);
}
