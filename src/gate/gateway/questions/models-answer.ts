import type { Model } from '../../../domain/model.ts';
import { tiersOf } from '../../../domain/tier-price.ts';

function modelObject(model: Model): object {
  const tiers = tiersOf(model.terms.price);
  return {
    id: model.id,
    object: 'model',
    created: Math.floor(model.createdAtMs / 1_000),
    owned_by: 'faregate',
    context_window: model.terms.contextWindow,
    ...(tiers.length > 0 && { service_tiers: ['standard', ...tiers] }),
    ...(model.terms.kind === 'chat' ? { max_output_tokens: model.terms.maxOutput } : {}),
  };
}

/** The answer of `GET /v1/models/{id}`: one model. */
export function modelAnswer(model: Model): Buffer {
  return Buffer.from(JSON.stringify(modelObject(model)));
}

/** The answer of `GET /v1/models`: the list. */
export function modelsAnswer(models: readonly Model[]): Buffer {
  return Buffer.from(JSON.stringify({ object: 'list', data: models.map(modelObject) }));
}
