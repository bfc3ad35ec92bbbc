import type { ModelJson } from '../../../src/control/admin/catalogue/model-contract.ts';
import { allowsModel, type ModelPolicy } from '../../../src/domain/policy.ts';
import type { CodeRequest } from './request-code.ts';

export type CallableModel = Pick<ModelJson, 'id' | 'kind'>;

/** The model to show a request with: one that is on sale and that all policies allow, rather for chats. */
export function modelToTry(models: readonly ModelJson[], policies: readonly ModelPolicy[] = []): CallableModel | null {
  const callable = models.filter(({ id, on_sale: isOnSale }) => isOnSale && allowsModel(policies, id));
  return callable.find(({ kind }) => kind === 'chat') ?? callable[0] ?? null;
}

/** The example request for each kind of model. */
const FIRST: Readonly<Record<CallableModel['kind'], Pick<CodeRequest, 'endpoint' | 'body'>>> = {
  chat: { endpoint: 'chat/completions', body: { messages: [{ role: 'user', content: 'Hello, Faregate' }] } },
  embedding: { endpoint: 'embeddings', body: { input: 'Hello, Faregate' } },
  rerank: { endpoint: 'rerank', body: { query: 'Who is greeted?', documents: ['Hello, Faregate', 'Good night'] } },
  moderation: { endpoint: 'moderations', body: { input: 'Hello, Faregate' } },
};

/** A first request to a model, at the address by which the console was reached. */
export function firstRequest({ id, kind }: CallableModel, apiKey: string | null): CodeRequest {
  const { endpoint, body } = FIRST[kind];
  return { origin: window.location.origin, apiKey, endpoint, body: { model: id, ...body } };
}
