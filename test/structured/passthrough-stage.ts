import { expect } from 'vitest';
import type { Answer } from '../conformance/answers.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type Kind, KINDS } from '../dialects/matrix/kinds.ts';

// The started program before providers that speak the caller's API, and others that speak chat alone. What they say is
// set by a test, in words that all of them share, or as bytes.

/** What a provider says next: a text, an answer, or what it says byte for byte. */
export type Said = string | Answer | Bytes;

interface Bytes {
  readonly status: number;
  readonly body: string;
  /** What follows once it is known. */
  readonly rest?: Promise<string>;
}

export interface Speaker {
  readonly endpoint: 'responses' | 'messages';
  /** The model of a provider that speaks it; with the id of another behind `-then-`, its next route. */
  readonly model: string;
  readonly kind: string;
  /** The path at which a native request arrives. */
  readonly path: string;
  /** A body that asks for an answer by a schema; members behind the model, as they are written. */
  body(schema: string, more?: string): string;
}

export const RESPONSES: Speaker = {
  endpoint: 'responses',
  model: 'gpt',
  kind: 'openai',
  path: '/openai/v1/responses',
  body: (schema, more = '') =>
    `{ "model":"gpt", "input":[{"role":"user","content":"Who?"}],"store":false,${more}` +
    `"text":{ "format":{"type":"json_schema","name":"a","strict":true,"schema":${schema}}} }`,
};

export const MESSAGES: Speaker = {
  endpoint: 'messages',
  model: 'claude',
  kind: 'anthropic',
  path: '/anthropic/v1/messages',
  body: (schema, more = '') =>
    `{ "model":"claude", "messages":[{"role":"user","content":"Who?"}],"max_tokens":500,${more}` +
    `"output_config":{ "format":{"type":"json_schema","schema":${schema}}} }`,
};

/** Takes a number that no double holds, so that it must pass as it is written. */
export const SCHEMA =
  '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}';

export const GOOD = '{"n":12345678901234567890}';
export const BAD = '{"n":"secret"}';

/** A request costs its provider's count, in nano-USD: 1,000 for a token of input, 10,000 for one of output. */
export const USAGE = { input: 20, cached: 0, written: 0, output: 10, reasoning: 0 };
export const ANSWER_COST = 120_000n;

export const SAYS: Answer = { text: [GOOD], refusal: null, calls: [], finish: 'stop', usage: USAGE };

export const says = (...text: readonly string[]): Answer => ({ ...SAYS, text });

export interface Receipt {
  readonly outcome: string;
  readonly charge_nano_usd: string;
  readonly hold_nano_usd: string;
  readonly fees_nano_usd: string;
  readonly uses: object;
  readonly attempts: readonly { provider: string; fault: string | null; strategy: string; charged: object | null }[];
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface PassthroughStage {
  readonly program: Program;
  readonly upstream: ScriptedUpstream;
  /** What has been asked since something was said last. */
  readonly asked: readonly ReceivedRequest[];
  /** What is said to each next request; the last again to all later ones. */
  say(...said: readonly Said[]): void;
  readonly key: string;
  send(speaker: Speaker, body: string, more?: Sending): Promise<Response>;
  receiptOf(response: Response): Promise<Receipt>;
}

const PRICE = 'price: { input: "1", output: "10", fees: { web_search: "0.01" } }';
const MODELS: Readonly<Record<string, readonly string[]>> = {
  gpt: ['openai'],
  claude: ['anthropic'],
  'gpt-then-chat': ['openai', 'compatible'],
  'claude-then-chat': ['anthropic', 'compatible'],
  'chat-then-gpt': ['compatible', 'openai'],
  'chat-then-claude': ['compatible', 'anthropic'],
};

/** Starts it all, with a key of its own. The caller disposes of the program. */
export async function startPassthroughStage(settings = ''): Promise<PassthroughStage> {
  const asked: ReceivedRequest[] = [];
  let queue: readonly Said[] = [];
  const upstream = await startScriptedUpstream((response, request) => {
    asked.push(request);
    const said = queue[Math.min(asked.length, queue.length) - 1] ?? 'nothing was set';
    const kind = KINDS.find(({ name }) => request.path.startsWith(`/${name}/`));
    const { status, type, body, rest = Promise.resolve('') } = wireOf(kind, request, said);
    response.writeHead(status, { 'content-type': type }).write(body);
    rest.then((more) => response.end(more)).catch(() => response.destroy());
  });
  const models = Object.entries(MODELS).map(
    ([id, routes]) =>
      `  - { id: ${id}, routes: [${routes.map((name) => `{ provider: ${name}, model: theirs }`).join(', ')}], ` +
      `${PRICE}, tools: { web_search: { max_uses: 3, input_tokens: 500 } }, context_window: 200000, max_output: 4096 }`,
  );
  const sections = KINDS.map((kind) => {
    const section = kind.section(upstream.origin);
    // A kind whose requests are always translated takes no field that isn't known.
    const accepting = section.replace(/ \}$/, ', accept_fields: [of_next_year] }');
    return `  ${kind.name}: ${kind.name === 'gemini' ? section : accepting}`;
  });
  const config = ['routing: { results_min: 1000000 }', settings, 'providers:', ...sections, 'models:', ...models];
  const program = await startProgram({ config: config.join('\n'), beside: [upstream] });
  const { key } = await program.createTenant({ credit: '10' });
  return {
    program,
    upstream,
    asked,
    say(...said) {
      queue = said;
      asked.length = 0;
    },
    key,
    send: ({ endpoint }, body, { headers = {}, signal = null } = {}) =>
      fetch(`${program.url}/v1/${endpoint}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body,
        signal,
      }),
    async receiptOf(response) {
      const id = response.headers.get('x-request-id') ?? '';
      const find = (): Promise<Response> =>
        fetch(`${program.url}/v1/receipts/${id}`, { headers: { authorization: `Bearer ${key}` } });
      await expect.poll(async () => (await find()).status, { timeout: 20_000 }).toBe(200);
      return (await (await find()).json()) as Receipt;
    },
  };
}

/** How a provider says it in its own wire, plain or as a stream. */
export function wireOf(
  kind: Kind | undefined,
  request: ReceivedRequest,
  said: Said,
): Bytes & { readonly type: string } {
  if (kind === undefined) return { status: 404, type: 'text/plain', body: request.path };
  const type = kind.isStreamed(request) ? 'text/event-stream' : 'application/json';
  if (typeof said === 'object' && 'status' in said) {
    return { ...said, type: said.status === 200 ? type : 'application/json' };
  }
  const answer = typeof said === 'string' ? says(said) : said;
  const voice = kind.voiceFor(request);
  if (kind.isStreamed(request)) return { status: 200, type, body: voice.events(answer, 'theirs').join('') };
  return { status: 200, type, body: voice.plain(answer, 'theirs').body };
}
