import type { Model } from '../../../domain/model.ts';
import { amountFields } from '../../../domain/money.ts';
import { possibleTier } from '../../../domain/tier-price.ts';
import { USE_CLASSES } from '../../../domain/uses.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { Decision } from '../decide.ts';
import type { FallbackModel } from '../fallback-models.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { outputMaxOf } from '../answers/output-max.ts';
import type { ParsedRequest } from '../read.ts';
import { refusalDetails } from '../../dialects/refusal-details.ts';
import { likelyRoute } from '../attempts/route-order.ts';

/** The least cost of any request: it is free if no route answers. */
const COST_MIN = 0n;

/** The answer of `POST /v1/quote`; for a refused request, with the hold that it would have needed. `requested`: the model that the caller named, if another one would answer. */
export function quoteAnswer(
  gate: GatewayDeps,
  { model, parsed }: FallbackModel,
  decision: Decision<true>,
  fallbacks: readonly FallbackModel[],
  requested: string | null = null,
): Buffer {
  const { quote } = decision;
  const refusal = 'refusal' in decision ? decision.refusal : null;
  const route = likelyRoute(gate, model);
  const answer = {
    object: 'quote',
    allowed: refusal === null,
    model: model.id,
    ...(requested !== null && { requested_model: requested }),
    route: route === null ? null : { provider: route.provider, model: route.upstreamModel },
    price_version_id: model.priceVersionId.toString(),
    price_version: model.priceVersion,
    ...tiersJson(model, parsed),
    ...(fallbacks.length > 0 && { fallback: fallbacks.map((each) => each.model.id) }),
    input_tokens_max: quote.inputTokensMax,
    output_tokens_max: outputMaxOf(parsed, quote),
    ...amountFields('cost_min', COST_MIN),
    ...amountFields('cost_max', quote.hold),
    ...amountFields('hold', quote.hold),
    fees: feesJson(model, parsed),
    ...amountFields('fees_max', quote.fees),
    shortened_to_tokens: quote.shortened ? quote.cap : null,
    refusal: refusal === null ? null : refusalJson(refusal),
  };
  return Buffer.from(JSON.stringify(answer));
}

/** The service tiers in which an answer to this request may be charged, if the model is sold in several. */
function tiersJson({ terms: { price } }: Model, { request }: ParsedRequest): object {
  if (price.serviceTiers === undefined) return {};
  const tier = possibleTier(price, request.tier);
  return { service_tiers: ['standard', ...(tier === null ? [] : [tier])] };
}

/** The possible charges in addition to tokens: each fee, and how often it may be due. */
function feesJson({ terms: { price } }: Model, parsed: ParsedRequest): readonly object[] {
  const { input, tools } = parsed.request;
  const most = { request: input.requestsMax, ...tools?.bound?.each };
  return USE_CLASSES.flatMap((useClass) => {
    const [fee, uses] = [price.fees?.[useClass], most[useClass] ?? 0];
    return fee === undefined || uses === 0 ? [] : [{ use: useClass, uses_max: uses, ...amountFields('fee', fee) }];
  });
}

function refusalJson(refusal: Refusal): object {
  return { code: refusal.code, message: refusal.message, ...refusalDetails(refusal) };
}
