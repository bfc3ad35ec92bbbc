import type { Model } from '../../../domain/model.ts';

function modelObject(model: Model): object {
  return {
    id: model.id,
    object: 'model',
    created: Math.floor(model.createdAtMs / 1_000),
    owned_by: 'faregate',
    context_window: model.terms.contextWindow,
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
