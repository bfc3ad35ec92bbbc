import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

// A provider that answers every kind of request with a usage that is known beforehand, and remembers what it has answered in
// full: the other side of what receipts charge.

/** What one answer is charged, in nano-USD, by the kind of its model. */
export const CHARGES = { chat: 600_000n, embedding: 2_000n, rerank: 2_000_000n } as const;

export type ModelKind = keyof typeof CHARGES;

const OUTPUT_TOKENS = 300;
/** No more than the question holds. */
const EMBEDDED_TOKENS = 2;
const ANSWER_MS = 40;
const CHUNKS = 5;

/** The prices that follow from `CHARGES`. */
export function pricedConfig({ origin }: Pick<ScriptedUpstream, 'origin'>, timeouts: string): string {
  const route = 'routes: [{ provider: mock, model: m }], context_window: 8192';
  return `timeouts: { ${timeouts} }
providers:
  mock: { kind: openai, base_url: "${origin}/v1", completions: true }
models:
  - { id: chat, ${route}, max_output: 1000, price: { input: "0", output: "2.00" } }
  - { id: embedding, kind: embedding, ${route}, price: { input: "1.00" } }
  - { id: rerank, kind: rerank, ${route}, price: { input: "0", fees: { request: "0.002" } } }
`;
}

/** Names a question, in the text that is asked. */
const QUESTION = /question-\d+/g;

export interface CountingProvider extends ScriptedUpstream {
  /** How often each question was answered in full. */
  readonly answered: ReadonlyMap<string, number>;
}

/** Fails instead of an answer, if it likes; says whether it did. */
export type ProviderFault = (response: ServerResponse, request: ReceivedRequest, question: string) => boolean;

/** Starts the provider, on this machine alone unless another address is named. The caller stops it. */
export async function startCountingProvider({
  fails = () => false,
  host,
}: { readonly fails?: ProviderFault; readonly host?: string } = {}): Promise<CountingProvider> {
  const answered = new Map<string, number>();
  const upstream = await startScriptedUpstream((response, request) => {
    // An earlier answer of the conversation stands before the question.
    const question = request.body.toString().match(QUESTION)?.at(-1) ?? 'none';
    if (fails(response, request, question)) return;
    response.once('finish', () => answered.set(question, (answered.get(question) ?? 0) + 1));
    setTimeout(() => answer(response, request, question), ANSWER_MS);
  }, host);
  return { ...upstream, answered };
}

function answer(response: ServerResponse, { path, body }: ReceivedRequest, question: string): void {
  const asked = JSON.parse(body.toString()) as { readonly stream?: boolean };
  if (path.endsWith('/chat/completions') && asked.stream === true) return void stream(response, question);
  const found = Object.entries(ANSWERS).find(([end]) => path.endsWith(end))?.[1](question);
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? { error: { message: `nothing is at ${path}` } }));
}

const USAGE = { prompt_tokens: 10, completion_tokens: OUTPUT_TOKENS, total_tokens: 10 + OUTPUT_TOKENS };

const ANSWERS: Readonly<Record<string, (question: string) => object>> = {
  '/chat/completions': (question) => ({
    id: question,
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `an answer to ${question}` } }],
    usage: USAGE,
  }),
  '/completions': (question) => ({
    id: question,
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', text: `an answer to ${question}`, logprobs: null }],
    usage: USAGE,
  }),
  '/embeddings': () => ({
    object: 'list',
    model: 'm',
    data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }],
    usage: { prompt_tokens: EMBEDDED_TOKENS, total_tokens: EMBEDDED_TOKENS },
  }),
  '/rerank': (question) => ({
    id: question,
    results: [{ index: 0, relevance_score: 0.9 }],
    meta: { billed_units: { search_units: 1 } },
  }),
};

async function stream(response: ServerResponse, question: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (part: object): void => {
    const chunk = { id: question, object: 'chat.completion.chunk', created: 1, model: 'm', ...part };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (let sent = 0; sent < CHUNKS; sent += 1) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content: 'a word ' }, finish_reason: null }] });
    await new Promise((resolve) => void setTimeout(resolve, ANSWER_MS / CHUNKS));
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
}
