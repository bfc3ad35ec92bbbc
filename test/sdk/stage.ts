import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';
import { answerByModel, REJECTIONS } from './scripted-models.ts';

// The started program between somebody else's client and two upstreams: a mock of another maker, which speaks the
// protocol, and a scripted one, which breaks it in the ways that a test needs.

/** Nano-USD a token: what the stage's chat models and its embedding models cost. */
const PRICE = { chatInput: 250n, chatOutput: 2_000n, embeddingInput: 20n };

/** The most output tokens of the stage's chat models. */
export const MAX_OUTPUT = 16_384;
export const BODY_BYTES_MAX = 4 * 1_048_576;
/** Less than one body may be, so that a large one finds the process overloaded. */
export const BUFFERED_BYTES_MAX = 1_048_576;

/** Where nothing listens: no process is given port 1 by chance. */
const NOWHERE = 'http://127.0.0.1:1/v1';

export interface Stage {
  readonly program: Program;
  readonly mock: MockUpstream;
  readonly scripted: ScriptedUpstream;
  /** What a client's base URL is set to. */
  readonly baseURL: string;
  /** A tenant with ample credit, no limits and all models. */
  readonly tenant: Tenant;
}

/** Models as the config file lists them: their public ids, and which provider knows them by which name. */
function config(mock: MockUpstream, scripted: ScriptedUpstream): string {
  const chat = (id: string, provider: string, upstreamModel: string): string =>
    `  - { id: "${id}", routes: [{ provider: ${provider}, model: "${upstreamModel}" }], ` +
    `price: { input: "0.25", output: "2.00" }, context_window: 128000, max_output: ${MAX_OUTPUT} }`;
  const embedding = (id: string, provider: string): string =>
    `  - { id: "${id}", kind: embedding, routes: [{ provider: ${provider}, model: "${id}" }], ` +
    `price: { input: "0.02" }, context_window: 8192 }`;
  return `
server: { body_max: ${BODY_BYTES_MAX / 1_048_576}MiB, buffered_max: ${BUFFERED_BYTES_MAX / 1_048_576}MiB }
timeouts: { upstream_first_byte: 1s }
providers:
  mock: { kind: openai, base_url: "${mock.baseUrl}" }
  scripted: { kind: openai, base_url: "${scripted.origin}/v1", accept_fields: [x_unknown, response_format.x_limit, stream_options.x_unknown] }
  endless: { kind: openai, base_url: "${scripted.origin}/v1", needs_cap: true, accept_fields: [x_unknown, response_format.x_limit, stream_options.x_unknown] }
  nowhere: { kind: openai, base_url: "${NOWHERE}" }
models:
${[
  chat('vendor/chat', 'mock', 'vendor/chat'),
  chat('renamed-chat', 'mock', 'upstream-chat'),
  chat('other-chat', 'mock', 'other-chat'),
  chat('error-401', 'mock', 'error-401'),
  chat('error-429', 'mock', 'error-429'),
  chat('error-500', 'mock', 'error-500'),
  chat('recorded', 'scripted', 'recorded'),
  chat('recorded-renamed', 'scripted', 'recorded/upstream name'),
  chat('recorded-endless', 'endless', 'recorded-endless'),
  ...Object.keys(REJECTIONS).map((id) => chat(id, 'scripted', id)),
  chat('silent', 'scripted', 'silent'),
  chat('torn', 'scripted', 'torn'),
  chat('erring', 'scripted', 'erring'),
  chat('unfinished', 'scripted', 'unfinished'),
  chat('unreachable', 'nowhere', 'unreachable'),
  embedding('embed', 'mock'),
  embedding('precise-embed', 'scripted'),
].join('\n')}
`;
}

/** Starts it all. The caller disposes of its program. */
export async function startStage(): Promise<Stage> {
  const [mock, scripted] = await Promise.all([startMockUpstream(), startScriptedUpstream(answerByModel)]);
  const program = await startProgram({ config: config(mock, scripted), beside: [mock, scripted] });
  return {
    program,
    mock,
    scripted,
    baseURL: `${program.url}/v1`,
    tenant: await program.createTenant(),
  };
}

interface ReportedUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens?: number;
}

/** What a receipt must say of an answer that reported this usage, its charge to the nano-USD. */
export function receiptFor(kind: 'chat' | 'embedding', usage: ReportedUsage): object {
  const input = BigInt(usage.prompt_tokens);
  const output = BigInt(usage.completion_tokens ?? 0);
  const charge = kind === 'chat' ? input * PRICE.chatInput + output * PRICE.chatOutput : input * PRICE.embeddingInput;
  return {
    outcome: 'completed',
    charge_nano_usd: String(charge),
    write_off_nano_usd: '0',
    usage: { certainty: 'exact', tokens: { input: Number(input), output: Number(output) } },
  };
}
