import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

// A provider as operators know it: it refuses every key but its own, lists its models, and answers with a fixed usage.

export const PROVIDER_KEY = 'sk-of-the-operator';
/** Its price is in the list of prices that the program knows. */
export const KNOWN_MODEL = 'gpt-5-mini';
const MODELS = [KNOWN_MODEL, 'house-model'];
const USAGE = { prompt_tokens: 10, completion_tokens: 5 };

/** Starts the provider on a free port; its API is below `/v1`. The caller stops it. */
export async function startPricedProvider(): Promise<ScriptedUpstream> {
  return await startScriptedUpstream((response, { path, headers }) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (headers.authorization !== `Bearer ${PROVIDER_KEY}`) send(401, { error: { message: 'no such key' } });
    else if (path === '/v1/models') send(200, { data: MODELS.map((id) => ({ id })) });
    else {
      const message = { role: 'assistant', content: 'hello' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      send(200, { id: 'c', object: 'chat.completion', created: 1, model: KNOWN_MODEL, choices, usage: USAGE });
    }
  });
}
