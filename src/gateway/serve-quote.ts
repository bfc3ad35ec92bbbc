import type { Model } from '../domain/model.ts';
import type { Principal } from '../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import { readModelRequest } from '../openai/model-request.ts';
import { findSchema } from './answer-schema.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { chooseModel, ENDPOINT_OF, findModel } from './choose-model.ts';
import { decide, type Decision } from './decide.ts';
import type { Gate } from './gate.ts';
import { quoteAnswer } from './quote-answer.ts';
import type { MaybeAsync } from '../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../lib/own-turn.ts';
import { countRefused } from './take-permit.ts';
import { type ParsedRequest, interpret, receive } from './read.ts';

/**
 * Answers with what a request would hold and cost, or why it would be refused for money. Follows the request's path up
 * to its hold, which isn't placed, and takes no permit, so a quote costs nothing unless the body is refused.
 */
export async function serveQuote(gate: Gate, caller: Caller): Promise<void> {
  const principal = await authenticate(gate, caller);
  const turnAway = (refusal: Refusal): void => {
    gate.observer.refused(caller.requestId, isRefusal(principal) ? null : principal.keyId, refusal);
    caller.refuse(refusal);
  };
  if (isRefusal(principal)) return turnAway(principal);

  const body = await receive(caller);
  if (body === null) return;
  if (isRefusal(body)) return turnAway(await countRefused(gate, principal, body));
  if (body.length > LARGE_BYTES) await ownTurn();

  const asked = await interpretForModel(gate, caller, principal, body);
  if (isRefusal(asked)) return turnAway(await countRefused(gate, principal, asked));

  const schema = await findSchema(gate, principal, asked);
  if (isRefusal(schema)) return turnAway(await countRefused(gate, principal, schema));

  const model = chooseModel(gate, principal, asked);
  if (isRefusal(model)) return turnAway(model);

  const decision = await quoteOnly(gate, principal, model, asked);
  if ('refusal' in decision && decision.refusal.shortage === undefined) return turnAway(decision.refusal);
  caller.answer(quoteAnswer(gate, model, asked, decision), []);
}

/** Reads the body as the endpoint of its model would. */
async function interpretForModel(
  gate: Gate,
  caller: Caller,
  principal: Principal,
  body: Buffer,
): Promise<ParsedRequest | Refusal> {
  const reading = readModelRequest(body);
  if (!reading.ok) return refuse('INVALID_REQUEST', reading.fault.message, { param: reading.fault.param });
  const model = findModel(gate, principal, reading.request.model);
  if (isRefusal(model)) return model;
  if (body.length > LARGE_BYTES) await ownTurn();
  return interpret(caller, body, ENDPOINT_OF[model.terms.kind]);
}

/** Decides as `admit` does, and places nothing. */
function quoteOnly(gate: Gate, principal: Principal, model: Model, asked: ParsedRequest): MaybeAsync<Decision<true>> {
  const { purses } = gate;
  return decide(gate, principal, model, asked, {
    fromMemory: (quote) => (purses.fits(principal, quote.hold) ? true : null),
    now: async (quote) => ((await purses.drawProbe(principal, quote.hold)) ? true : null),
    wait: async (quote) => (await purses.probe(principal, quote.hold)) ?? { placed: true },
  });
}
