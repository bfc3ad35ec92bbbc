import type { AnthropicProviderConfig } from '../../../config/config.ts';
import { isObject } from '../../openai/json-object.ts';
import type { ModelSource } from '../model-source.ts';
import { readModelIds } from '../openai/openai-models.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

const PAGE = 'limit=1000';

/** Lists the models of Anthropic's API. Aliases aren't listed, but can be looked up one by one. */
export function anthropicModels({ baseUrl, apiKey, version }: AnthropicProviderConfig): ModelSource {
  const { origin, pathname } = new URL(baseUrl);
  const path = `${withoutTrailingSlashes(pathname).replace(/\/v1$/, '')}/v1/models`;
  return {
    origin,
    headers: { 'anthropic-version': version },
    credentials: apiKey === null ? {} : { 'x-api-key': apiKey },
    list: `${path}?${PAGE}`,
    readPage: (json) => {
      const page = readModelIds(json);
      const last = isObject(json) && json['has_more'] === true ? json['last_id'] : null;
      if (page === null || typeof last !== 'string') return page;
      return { ids: page.ids, next: `${path}?${PAGE}&after_id=${encodeURIComponent(last)}` };
    },
    one: (model) => `${path}/${encodeURIComponent(model)}`,
  };
}
