import type { Seen } from '../upgrade/load.ts';
import type { CountingProvider, ProviderFault } from '../upgrade/provider.ts';

// Two providers of each model, the first of which fails now and then. Which question it fails follows from its number.

const FAILING = '/failing/';

/** Which of so many questions a fault befalls. */
const EVERY = { error: 41, busy: 43, reset: 47, cut: 29 } as const;

function isOne(question: string, every: number): boolean {
  return Number(/\d+/.exec(question)?.[0] ?? 0) % every === 0;
}

/** The providers, and what is sold at them; each version has other prices. */
export function soakConfig({ origin }: Pick<CountingProvider, 'origin'>, version: number): string {
  const provider = (name: string): string =>
    `${name}: { kind: openai, base_url: "${origin}/${name}/v1", completions: true }`;
  const routes = 'routes: [{ provider: failing, model: m }, { provider: sound, model: m }], context_window: 8192';
  return `providers:
  ${provider('failing')}
  ${provider('sound')}
models:
  - { id: chat, ${routes}, max_output: 1000, price: { input: "0", output: "2.0${version}" } }
  - { id: embedding, kind: embedding, ${routes}, price: { input: "1.00" } }
  - { id: rerank, kind: rerank, ${routes}, price: { input: "0", fees: { request: "0.002" } } }
`;
}

/** Fails some of the questions to the first provider. */
export const breaks: ProviderFault = (response, { path, body }, question) => {
  if (!path.startsWith(FAILING)) return false;
  const isStream = body.includes('"stream":true');
  if (isStream && isOne(question, EVERY.cut)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { id: question, object: 'chat.completion.chunk', created: 1, model: 'm' };
    const choices = [{ index: 0, delta: { content: 'half an ans' }, finish_reason: null }];
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`, () => response.socket?.resetAndDestroy());
    return true;
  }
  const refused = isOne(question, EVERY.error) ? 500 : isOne(question, EVERY.busy) ? 429 : null;
  if (refused !== null) {
    response.writeHead(refused, { 'content-type': 'application/json', 'retry-after': '1' });
    response.end(JSON.stringify({ error: { message: 'no', type: 'server_error', param: null, code: null } }));
    return true;
  }
  if (!isOne(question, EVERY.reset)) return false;
  response.socket?.resetAndDestroy();
  return true;
};

/** Whether its stream was cut off by the provider after its first word. */
export function isCutStream({ dialect, question }: Seen): boolean {
  return dialect === 'stream' && isOne(question, EVERY.cut);
}
