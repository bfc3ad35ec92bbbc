import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdminClient, createAdminClient } from '../../src/admin/client.ts';
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

type ProjectSettings = Omit<Parameters<AdminClient['createProject']>[1], 'name'>;
type KeySettings = Parameters<AdminClient['createKey']>[1];

export interface Stage {
  readonly program: Program;
  readonly mock: MockUpstream;
  readonly scripted: ScriptedUpstream;
  readonly admin: AdminClient;
  /** What a client's base URL is set to. */
  readonly baseURL: string;
  /** A tenant with ample credit, no limits and all models. */
  readonly tenant: Tenant;
  createTenant(settings?: { credit?: string | null; project?: ProjectSettings; key?: KeySettings }): Promise<Tenant>;
  dispose(): Promise<void>;
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
  scripted: { kind: openai, base_url: "${scripted.origin}/v1" }
  endless: { kind: openai, base_url: "${scripted.origin}/v1", needs_cap: true }
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

/** Starts it all. The caller disposes of it. */
export async function startStage(): Promise<Stage> {
  const [mock, scripted] = await Promise.all([startMockUpstream(), startScriptedUpstream(answerByModel)]);
  const program = await startProgram({ config: config(mock, scripted) });
  const token = (await readFile(join(program.data, 'operator-token'), 'utf8')).trim();
  const admin = createAdminClient({ url: program.url, token });
  const createTenant: Stage['createTenant'] = (settings = {}) => makeTenant(admin, settings);
  return {
    program,
    mock,
    scripted,
    admin,
    baseURL: `${program.url}/v1`,
    tenant: await createTenant(),
    createTenant,
    async dispose() {
      await program.dispose();
      await Promise.all([mock.stop(), scripted.stop()]);
    },
  };
}

let made = 0;

async function makeTenant(
  admin: AdminClient,
  { credit = '1000', project = {}, key = {} }: Parameters<Stage['createTenant']>[0] & object,
): Promise<Tenant> {
  const workspace = await admin.createWorkspace({ name: `tenant ${++made}` });
  if (credit !== null) await admin.grantCredit(workspace.id, { amount_usd: credit, reason: 'test' });
  const { id: projectId } = await admin.createProject(workspace.id, { name: 'project', ...project });
  const created = await admin.createKey(projectId, key);
  return { workspaceId: workspace.id, projectId, keyId: created.id, key: created.key };
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
