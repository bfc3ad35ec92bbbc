import type { Model } from '../../../domain/model.ts';

// Models as Anthropic's API lists them.

/** One model as `GET /v1/models/{id}` answers with it. */
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
