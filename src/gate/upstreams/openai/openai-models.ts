import type { OpenAiProviderConfig } from '../../../config/config.ts';
import { isObject } from '../../openai/json-object.ts';
import type { ModelPage, ModelSource } from '../model-source.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

const VERSION = /\/v\d/;

/** Lists the models of a server that implements OpenAI's API. */
export function openAiModels({ baseUrl, apiKey }: OpenAiProviderConfig): ModelSource {
  const { origin, pathname, search } = new URL(baseUrl);
  const path = `${withoutTrailingSlashes(pathname)}/models`;
  return {
    origin,
    headers: {},
    credentials: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    list: `${path}${search}`,
    ...(VERSION.test(pathname) ? {} : { versionedList: `${path.replace(/models$/, 'v1/models')}${search}` }),
    readPage: readModelIds,
    one: (model) => `${path}/${encodeURIComponent(model)}${search}`,
  };
}

/** The ids of a list in OpenAI's form, which some servers send without the object around it. */
export function readModelIds(json: unknown): ModelPage | null {
  const data = isObject(json) ? json['data'] : json;
  if (!Array.isArray(data)) return null;
  const ids = (data as readonly unknown[]).filter(isObject).map(({ id }) => id);
  return { ids: ids.filter((id) => typeof id === 'string'), next: null };
}
