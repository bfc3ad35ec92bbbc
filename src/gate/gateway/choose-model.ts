import { type Model, MODEL_KIND_WORDS } from '../../domain/model.ts';
import { allowsModel } from '../../domain/policy.ts';
import type { Principal } from '../../domain/principal.ts';
import { demandedTier, type RequestedTier } from '../../domain/service-tier.ts';
import { tiersOf } from '../../domain/tier-price.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import { FIRST_DIALECT } from '../dialects/dialects.ts';
import { callersName } from './callers-words.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';

/** The most models that a refusal names. */
const NAMED_MAX = 5;

/** The refusal for a model that doesn't exist or that this caller may not call, in OpenAI's wording. */
export function unknownModel(id: string): Refusal {
  const message =
    `The model \`${id}\` does not exist or you do not have access to it. ` +
    'GET /v1/models lists the models that this key may call.';
  return refuse('MODEL_NOT_FOUND', message, { param: 'model' });
}

/** The model with this id at the caller's price, if it is on sale. */
export function findModel(gate: GatewayDeps, { workspaceId }: Principal, id: string): Model | Refusal {
  const model = gate.catalogue.find(id, workspaceId);
  if (model !== undefined) return model;
  return unknownModel(id);
}

/** The chat model with this id, if it is on sale and may be called. */
export function chooseChatModel(gate: GatewayDeps, principal: Principal, id: string): Model | Refusal {
  const model = findModel(gate, principal, id);
  if (isRefusal(model)) return model;
  if (!allowsModel(principal.policies, id)) return forbiddenModel(principal, id);
  return model.terms.kind === 'chat' ? model : otherKind(model);
}

/** The model with this id, by default the requested one, if it is on sale, suits the endpoint, may be called, and can answer in the requested form. */
export function chooseModel(
  gate: GatewayDeps,
  principal: Principal,
  parsed: ParsedRequest,
  id = parsed.request.model,
): Model | Refusal {
  const model = findModel(gate, principal, id);
  if (isRefusal(model)) return model;
  if (!allowsModel(principal.policies, id)) return forbiddenModel(principal, id);
  const { kind, maxOutput } = model.terms;
  const { dialect, text, audio, tier } = parsed.request;
  if (kind !== dialect.modelKind) return otherKind(model);
  const maxTokens = text?.maxTokens ?? null;
  if (maxTokens !== null && maxTokens > maxOutput) {
    const param = callersName(parsed, 'max_tokens');
    return refuse(
      'INVALID_REQUEST',
      `${param}: ${maxTokens} > ${maxOutput}, which is the most output tokens that "${id}" can generate.`,
      { param },
    );
  }
  if (audio !== null && !speaks(gate, model)) return silentModel(gate, principal, model);
  return tier === null ? model : (refuseUnsold(model, tier) ?? model);
}

/** The refusal of a request for a service tier that the model has no price for; null if it has one. */
function refuseUnsold({ id, terms: { price } }: Model, tier: RequestedTier): Refusal | null {
  const demanded = demandedTier(tier);
  const sold = tiersOf(price);
  if (demanded === null || sold.includes(demanded)) return null;
  const param = demanded === 'fast' ? 'speed' : 'service_tier';
  const others = sold.length === 0 ? 'It has no tier but the standard one' : `It is sold in ${sold.join(', ')}`;
  const message = `'${param}' names the tier "${demanded}", for which "${id}" has no price. ${others}; GET /v1/models lists the tiers of each model.`;
  return refuse('INVALID_REQUEST', message, { param });
}

/** Whether the model's audio output is for sale, and one of its providers supports it. */
function speaks({ upstreams }: GatewayDeps, { terms, routes }: Model): boolean {
  return terms.sellsAudio === true && routes.some((route) => upstreams.of(route)?.chatExtras?.includes('audio'));
}

function silentModel(gate: GatewayDeps, principal: Principal, { id, terms }: Model): Refusal {
  const reason =
    terms.sellsAudio === true
      ? 'none of its providers answers in audio'
      : 'it is not sold with audio, by a rate that its operator sets in price.audio_output and in every tier';
  const others = callableModels(gate, principal).filter((each) => speaks(gate, each));
  const named = others.slice(0, NAMED_MAX).map((each) => `"${each.id}"`);
  const remedy =
    named.length === 0
      ? 'No model that this key may call takes it; leave it out.'
      : `Leave it out, or call one that takes it: ${named.join(', ')}${others.length > NAMED_MAX ? ' …' : ''}.`;
  const message = `'modalities' asks "${id}" for audio, and ${reason}. ${remedy}`;
  return refuse('INVALID_REQUEST', message, { param: 'modalities' });
}

function forbiddenModel({ policies: [ofProject = null] }: Principal, id: string): Refusal {
  const which = allowsModel([ofProject], id) ? 'the models of the key' : 'the models of its project';
  const message = `This key does not have access to model \`${id}\`: ${which} do not include it. GET /v1/models lists the models it may call.`;
  return refuse('MODEL_NOT_ALLOWED', message, { param: 'model' });
}

function otherKind({ id, terms: { kind } }: Model): Refusal {
  const message = `"${id}" is ${MODEL_KIND_WORDS[kind]}; call it at ${FIRST_DIALECT[kind].path}.`;
  return refuse('INVALID_REQUEST', message, { param: 'model' });
}

/** The models that this caller may call, in the catalogue's order, at list prices. */
export function callableModels(gate: GatewayDeps, principal: Principal): readonly Model[] {
  return gate.catalogue.list().filter((model) => allowsModel(principal.policies, model.id));
}
