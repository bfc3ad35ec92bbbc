import type { AdminClient } from '../../src/admin/client.ts';
import { adminOf } from '../support/admin.ts';
import { type MockUpstream, type MockUsage, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// A started program that sells a few models of different prices, and what its callers may ask it about money.

/** Nano-USD a token: what `chat` and `embed` cost. */
export const PRICE = { input: 250n, output: 2_000n, embedding: 20n };

/** The most output tokens of the chat models. */
export const MAX_OUTPUT = 16_384;

export interface Shop {
  readonly program: Program;
  readonly upstream: MockUpstream;
  readonly admin: AdminClient;
  /** What the next answers are said to have used. */
  usage: MockUsage;
  createTenant(settings?: { credit?: string; rpm?: number; budget?: string }): Promise<Tenant>;
  post(path: string, key: string | null, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, key: string | null): Promise<Response>;
  dispose(): Promise<void>;
}

/** Starts the program and its upstream; `more` is added to its surroundings. The caller disposes of it. */
export async function openShop(more: { args?: string[]; env?: Record<string, string> } = {}): Promise<Shop> {
  const upstream = await startMockUpstream({ usage: () => shop.usage });
  const program = await startProgram({ ...more, config: config(upstream) });
  const admin = await adminOf(program);
  const authorization = (key: string | null): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key}` };
  const shop: Shop = {
    program,
    upstream,
    admin,
    usage: { prompt_tokens: 10, completion_tokens: 10 },
    createTenant: (settings = {}) => createTenant(admin, settings),
    post: (path, key, body, headers = {}) =>
      fetch(`${program.url}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization(key), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, key) => fetch(`${program.url}/v1/${path}`, { headers: authorization(key) }),
    async dispose() {
      await program.dispose();
      await upstream.stop();
    },
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

let made = 0;

async function createTenant(
  admin: AdminClient,
  { credit = '100', rpm, budget }: Parameters<Shop['createTenant']>[0] & object,
): Promise<Tenant> {
  const workspace = await admin.createWorkspace({ name: `tenant ${++made}` });
  if (credit !== '0') await admin.grantCredit(workspace.id, { amount_usd: credit, reason: 'test' });
  const project = await admin.createProject(workspace.id, {
    name: 'project',
    ...(rpm === undefined ? {} : { requests_per_minute: rpm }),
    ...(budget === undefined ? {} : { budget_usd: budget, budget_period: 'day' }),
  });
  const key = await admin.createKey(project.id, {});
  return { workspaceId: workspace.id, projectId: project.id, keyId: key.id, key: key.key };
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
