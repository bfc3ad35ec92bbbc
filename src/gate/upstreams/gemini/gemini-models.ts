import type { GeminiProviderConfig } from '../../../config/config.ts';
import { isObject } from '../../openai/json-object.ts';
import type { ModelSource } from '../model-source.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

const PAGE = 'pageSize=1000';

/** Lists the models of Google's Gemini API. */
export function geminiModels({ baseUrl, apiKey }: GeminiProviderConfig): ModelSource {
  const { origin, pathname } = new URL(baseUrl);
  const root = withoutTrailingSlashes(pathname);
  return {
    origin,
    headers: {},
    credentials: apiKey === null ? {} : { 'x-goog-api-key': apiKey },
    list: `${root}/models?${PAGE}`,
    readPage: (json) => {
      if (!isObject(json) || !Array.isArray(json['models'])) return null;
      const names = (json['models'] as readonly unknown[]).filter(isObject).map(({ name }) => name);
      const token = json['nextPageToken'];
      return {
        ids: names.filter((name) => typeof name === 'string'),
        next:
          typeof token === 'string' && token !== ''
            ? `${root}/models?${PAGE}&pageToken=${encodeURIComponent(token)}`
            : null,
      };
    },
    one: (model) => `${root}/${model.includes('/') ? model : `models/${model}`}`,
  };
}
