import type { Database } from '../src/program/database/pool.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { endWithUs } from './child-calls.ts';
import type { ProcessTree } from './process-cost.ts';

/** Faregate as a user runs it, on its embedded database. */
export interface Instance {
  readonly program: Program;
  readonly port: number;
  readonly database: Database;
  readonly gateway: ProcessTree;
  readonly postgres: ProcessTree;
  /** Proves that nothing was switched off and nothing lost: as many receipts as answers, and a clean ledger. */
  verify(answered: number): Promise<void>;
  stop(): Promise<void>;
}

const BEHAVIOURS = ['plain', 'people', 'stream', 'burst', 'silent'];
/** Those of upstreams that speak another API than chat. */
const MESSAGES = ['plain-messages', 'stream-messages', 'burst-messages'];
const RESPONSES = ['plain-responses', 'stream-responses', 'burst-responses'];
const CHAT_MODELS = [...BEHAVIOURS, ...MESSAGES, ...RESPONSES];
/** It is answered as `plain` is, and has a fee for each request. */
const WITH_FEE = 'plain-fee';

/** The models, each named for how the mock upstream answers it. */
export const MODELS: readonly string[] = [...CHAT_MODELS, WITH_FEE, 'embeddings'];
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'];

/** The config file: one model for each way in which the mock upstream answers, named for it. */
export function benchConfig(upstreamPort: number): string {
  const provider = (name: string, kind: string, path = ''): string =>
    `  ${name}: { kind: ${kind}, base_url: "http://127.0.0.1:${upstreamPort}/${name}${path}", api_key: upstream-key }`;
  const providers = [
    ...[...BEHAVIOURS, 'embeddings'].map((name) => provider(name, 'openai', '/v1')),
    ...MESSAGES.map((name) => provider(name, 'anthropic')),
    ...RESPONSES.map((name) => provider(name, 'openai, profile: openai', '/v1')),
  ];
  const routes = (name: string): string => `routes: [{ provider: ${name}, model: mock }]`;
  const chatModel = (name: string, upstream: string, fees = ''): string =>
    `  - { id: ${name}, ${routes(upstream)}, price: { input: "0.15", output: "0.60"${fees} }, context_window: 4000000, max_output: 32000, media: { image_tokens: 1445 } }`;
  const models = [
    ...CHAT_MODELS.map((name) => chatModel(name, name)),
    chatModel(WITH_FEE, 'plain', ', fees: { request: "0.0001" }'),
  ];
  const embeddings = `  - { id: embeddings, kind: embedding, ${routes('embeddings')}, price: { input: "0.02" }, context_window: 4000000 }`;
  return ['providers:', ...providers, 'models:', ...models, embeddings, ''].join('\n');
}

export interface InstanceOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** More lines of the config file. */
  readonly more?: string;
}

/** Starts it before the upstream. The caller stops it. */
export async function startInstance(upstreamPort: number, options: InstanceOptions = {}): Promise<Instance> {
  const { args = [], env = {}, more = '' } = options;
  const program = await startProgram({
    config: more + benchConfig(upstreamPort),
    args: ['--no-bootstrap', ...args],
    env: { FAREGATE_WARM_UP: '1500ms', ...env },
  });
  const letGo = endWithUs(program.pid);
  const [postmaster, database] = await Promise.all([program.postmasterPid(), program.openDatabase()]);
  return {
    program,
    port: Number(new URL(program.url).port),
    database,
    gateway: { root: program.pid, except: postmaster },
    postgres: { root: postmaster, except: null },
    verify: (answered) => verify(program, database, answered),
    async stop() {
      letGo();
      await program.dispose();
    },
  };
}

async function verify(program: Program, database: Database, answered: number): Promise<void> {
  for (const setting of DURABLE) {
    const [row] = await database.query<{ value: string }>('select current_setting($1) as value', [setting]);
    if (row?.value !== 'on') throw new Error(`${setting} is ${row?.value}`);
  }
  const [row] = await database.query<{ count: bigint }>('select count(*) as count from receipts');
  if (row?.count !== BigInt(answered)) throw new Error(`${row?.count} receipts for ${answered} answers`);
  const { code, stdout, stderr } = await program.cli('ledger', 'verify');
  if (code !== 0) throw new Error(`the ledger is not right: ${stdout}${stderr}`);
}
