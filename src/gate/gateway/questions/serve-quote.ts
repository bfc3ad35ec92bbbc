import type { Model } from '../../../domain/model.ts';
import type { Principal } from '../../../domain/principal.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { CompletionEndpoint } from '../../dialects/dialect.ts';
import { FIRST_DIALECT } from '../../dialects/dialects.ts';
import { type ModelRequest, readModelRequest } from '../../openai/model-request.ts';
import { findSchema } from '../by-schema/answer-schema.ts';
import { authenticate } from '../authenticate.ts';
import { findCheaper } from '../cheaper-model.ts';
import type { Caller } from '../caller.ts';
import { chooseModel, findModel } from '../choose-model.ts';
import { decide, type Decision, type HoldStrategy } from '../decide.ts';
import { type FallbackModel, findFallbacks } from '../fallback-models.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { quoteAnswer } from './quote-answer.ts';
import type { MaybeAsync } from '../../../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import { countRefused } from '../take-permit.ts';
import { type ParsedRequest, interpret, receive } from '../read.ts';
import { recall } from '../recall.ts';
import { rejectRequest } from '../reject-request.ts';
import { sellTools } from '../sell-tools.ts';
import { servedBy } from '../served.ts';
import { refuseUnsayable } from '../sent-request.ts';
import { invalidBody } from '../invalid-body.ts';

/**
 * Answers with what a request would hold and cost, or why it would be refused for money. Follows the request's path up
 * to its hold, which isn't placed, and takes no permit, so a quote is free unless the body is refused.
 */
export async function serveQuote(gate: GatewayDeps, caller: Caller): Promise<void> {
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return await endUnserved(gate, caller, { endpoint: 'quote', model: null, ...principal });
  const reject = (refusal: Refusal, model: string | null): void =>
    rejectRequest(gate, caller, { principal, endpoint: 'quote', model, refusal });

  const body = await receive(caller);
  if (body === null) return;
  if (isRefusal(body)) return reject(await countRefused(gate, principal, body), null);
  if (body.length > LARGE_BYTES) await ownTurn();

  const { modelId, parsed: received } = await interpretForModel(gate, caller, principal, body);
  const recalled = isRefusal(received) ? received : await recall(gate, caller, principal, received);
  if (isRefusal(recalled)) return reject(await countRefused(gate, principal, recalled), modelId);

  const schema = await findSchema(gate, principal, recalled);
  if (isRefusal(schema)) return reject(await countRefused(gate, principal, schema), modelId);

  const model = chooseModel(gate, principal, recalled);
  if (isRefusal(model)) return reject(model, modelId);

  const parsed = sellTools(gate, model, recalled);
  if (isRefusal(parsed)) return reject(await countRefused(gate, principal, parsed), modelId);

  const unsayable = await refuseUnsayable(gate, model, parsed);
  if (unsayable !== null) return reject(await countRefused(gate, principal, unsayable), modelId);

  const fallbacks = await findFallbacks(gate, principal, model, recalled);
  if (isRefusal(fallbacks)) return reject(await countRefused(gate, principal, fallbacks), modelId);

  const payer = servedBy(principal, caller, recalled.request);
  if (isRefusal(payer)) return reject(await countRefused(gate, principal, payer), modelId);

  const decision = await quoteOnly(gate, payer, { model, parsed }, fallbacks);
  if ('refusal' in decision) {
    if (decision.refusal.shortage === undefined) return reject(decision.refusal, modelId);
    const cheaper = await findCheaper(gate, payer, model, recalled, decision.refusal);
    const other = cheaper === null ? null : await quoteOnly(gate, payer, cheaper, []);
    if (cheaper !== null && other !== null && !('refusal' in other))
      return caller.answer(quoteAnswer(gate, cheaper, other, [], model.id), []);
  }
  caller.answer(quoteAnswer(gate, { model, parsed }, decision, fallbacks), []);
}

/** Reads the body as its model's endpoint would. `modelId`: the model that it names, null if it names none. */
async function interpretForModel(
  gate: GatewayDeps,
  caller: Caller,
  principal: Principal,
  body: Buffer,
): Promise<{ readonly modelId: string | null; readonly parsed: ParsedRequest | Refusal }> {
  const reading = readModelRequest(body);
  if (!reading.ok) {
    return { modelId: null, parsed: invalidBody(reading.fault) };
  }
  const { model: modelId } = reading.request;
  const model = findModel(gate, principal, modelId);
  if (isRefusal(model)) return { modelId, parsed: model };
  if (body.length > LARGE_BYTES) await ownTurn();
  return { modelId, parsed: interpret(caller, body, endpointFor(model, reading.request, caller)) };
}

/**
 * The endpoint for a body. A body with messages may be a chat or a message request; clients of the latter always send
 * an API version.
 */
function endpointFor(
  { terms }: Model,
  { hasMessages, hasInput, hasPrompt }: ModelRequest,
  { anthropicVersion }: Caller,
): CompletionEndpoint {
  if (terms.kind !== 'chat') return FIRST_DIALECT[terms.kind].endpoint;
  if (hasInput && !hasMessages) return 'responses';
  if (hasPrompt && !hasMessages) return 'completions';
  return anthropicVersion === undefined ? 'chat' : 'messages';
}

/** Decides like `admit`, but places no hold. */
function quoteOnly(
  gate: GatewayDeps,
  principal: Principal,
  { model, parsed }: FallbackModel,
  fallbacks: readonly FallbackModel[],
): MaybeAsync<Decision<true>> {
  return decide(gate, principal, model, parsed, PROBING, fallbacks);
}

const PROBING: HoldStrategy<true> = {
  fromMemory: ({ hold }, purses, principal) => (purses.fits(principal, hold) ? true : null),
  now: async ({ hold }, purses, principal) => ((await purses.drawProbe(principal, hold)) ? true : null),
  wait: async ({ hold }, purses, principal) => (await purses.probe(principal, hold)) ?? { placed: true },
};
