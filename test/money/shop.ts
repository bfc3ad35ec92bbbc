import { type MockUpstream, type MockUsage, startMockUpstream } from '../support/aimock.ts';
import { type Program, type ProgramOptions, startProgram } from '../support/program.ts';

// A started program that sells a few models of different prices, and what its callers may ask it about money.

/** Nano-USD a token: what `chat` and `embed` cost. */
export const PRICE = { input: 250n, output: 2_000n, embedding: 20n };

/** The most output tokens of the chat models. */
export const MAX_OUTPUT = 16_384;

export interface Shop {
  readonly program: Program;
  readonly upstream: MockUpstream;
  /** What the next answers are said to have used. */
  usage: MockUsage;
  post(path: string, key: string | null, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, key: string | null): Promise<Response>;
}

/** Starts the program and its upstream; `more` is added to its surroundings. The caller disposes of it. */
export async function openShop(more: Omit<ProgramOptions, 'config'> = {}): Promise<Shop> {
  const upstream = await startMockUpstream({ usage: () => shop.usage });
  const program = await startProgram({ ...more, config: config(upstream), beside: [...(more.beside ?? []), upstream] });
  const authorization = (key: string | null): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key}` };
  const shop: Shop = {
    program,
    upstream,
    usage: { prompt_tokens: 10, completion_tokens: 10 },
    post: (path, key, body, headers = {}) =>
      fetch(`${program.url}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization(key), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, key) => fetch(`${program.url}/v1/${path}`, { headers: authorization(key) }),
  };
  return shop;
}

function config(upstream: MockUpstream): string {
  const chat = (id: string, input: string, output: string): string =>
    `  - { id: ${id}, routes: [{ provider: mock, model: upstream-chat }], price: { input: "${input}", output: "${output}" }, ` +
    `context_window: 128000, max_output: ${MAX_OUTPUT} }`;
  return `
providers:
  mock: { kind: openai, base_url: "${upstream.baseUrl}" }
models:
${chat('chat', '0.25', '2.00')}
${chat('free', '0', '0')}
  - { id: embed, kind: embedding, routes: [{ provider: mock, model: upstream-embed }], price: { input: "0.02" }, context_window: 8192 }
`;
}

/** A receipt as its key reads it; amounts in nano-USD. */
export interface OwnReceipt {
  readonly hold: bigint;
  readonly charge: bigint;
  readonly writeOff: bigint;
  readonly shortenedTo: number | null;
}

/** The receipt of what was answered, read by its key. */
export async function receiptOf(shop: Shop, key: string, answered: Response): Promise<OwnReceipt> {
  const response = await shop.get(`receipts/${answered.headers.get('x-request-id')}`, key);
  const json = (await response.json()) as Record<string, string> & { shortened_to_tokens: number | null };
  return {
    hold: BigInt(json['hold_nano_usd'] ?? ''),
    charge: BigInt(json['charge_nano_usd'] ?? ''),
    writeOff: BigInt(json['write_off_nano_usd'] ?? ''),
    shortenedTo: json.shortened_to_tokens,
  };
}
