import type { Model } from '../../../domain/model.ts';

// Models in the list format of Anthropic's API.

/** The answer of `GET /v1/models/{id}`: one model. */
export function messagesModel({ id, createdAtMs, terms }: Model): object {
  const limits = { max_input_tokens: terms.contextWindow, max_tokens: terms.maxOutput };
  return { type: 'model', id, display_name: id, created_at: new Date(createdAtMs).toISOString(), ...limits };
}

/** The list, in one page. */
export function messagesModels(models: readonly Model[]): object {
  const [first, last] = [models[0], models.at(-1)];
  const ends = { first_id: first?.id ?? null, last_id: last?.id ?? null };
  return { data: models.map(messagesModel), has_more: false, ...ends };
}
