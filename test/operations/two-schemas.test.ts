import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/program/database/pool.ts';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { cleanEnvironment, type Program, runCommandProcess, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startTransactionPooler } from './transaction-pooler.ts';

// Several instances in one database, each in a schema of its own, behind one pooler that lends any connection to any of them.

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
/** What each path of a provider answers. All are the same to pay for. */
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    usage: USAGE,
  },
  '/v1/completions': {
    id: 'c',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, text: 'Hello.', logprobs: null, finish_reason: 'stop' }],
    usage: USAGE,
  },
  '/v1/responses/compact': {
    id: 'r',
    object: 'response.compaction',
    created_at: 1,
    output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'e' }],
    usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
  },
  '/v1/embeddings': {
    object: 'list',
    model: 'm',
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  },
  '/v1/rerank': { results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 7 } },
};

const MESSAGES = [{ role: 'user', content: 'hi' }];
/** A request of each dialect, and what it costs in nano-USD. */
const REQUESTS: readonly [path: string, body: object, charge: bigint][] = [
  ['chat/completions', { model: 'chat', messages: MESSAGES, max_tokens: 9 }, 57_000n],
  ['completions', { model: 'chat', prompt: 'hi', max_tokens: 9 }, 57_000n],
  ['messages', { model: 'chat', messages: MESSAGES, max_tokens: 9 }, 57_000n],
  ['responses', { model: 'echo', input: 'hi', max_output_tokens: 9 }, 0n],
  ['responses/compact', { model: 'chat', input: 'hi' }, 57_000n],
  ['embeddings', { model: 'vector', input: 'The gate is open.' }, 7_000n],
  ['rerank', { model: 'rank', query: 'hi', documents: ['a'] }, 7_000n],
];
const SPENT = REQUESTS.reduce((sum, [, , charge]) => sum + charge, 0n);

let postgres: ExternalPostgres;
let upstream: ScriptedUpstream;
let url: string;
let direct: string;
const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { path }) => {
    const answer = ANSWERS[path];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  running.defer(() => upstream.stop());
  postgres = await startExternalPostgres();
  running.defer(() => postgres.stop());
  const database = await postgres.createDatabase();
  const pooler = await startTransactionPooler({
    targetPort: postgres.port,
    user: postgres.user,
    database,
    connections: 6,
  });
  running.defer(() => pooler.stop());
  url = databaseUrl(postgres, database, pooler.port);
  direct = databaseUrl(postgres, database, postgres.port);
});

const config = (schema: string): string => `
database: { schema: ${schema} }
providers:
  openai: { kind: openai, profile: openai, completions: true, base_url: "${upstream.origin}/v1", api_key: sk-0123456789 }
  sandbox: { kind: sandbox }
models:
  - { id: chat, routes: [{ provider: openai, model: m }], price: { input: "1", output: "10" }, context_window: 8192, max_output: 100 }
  - { id: echo, routes: [{ provider: sandbox, model: echo }], price: { input: "0", output: "0" }, context_window: 8192, max_output: 100 }
  - { id: vector, kind: embedding, routes: [{ provider: openai, model: m }], price: { input: "1" }, context_window: 8192 }
  - { id: rank, kind: rerank, routes: [{ provider: openai, model: m }], price: { input: "1" }, context_window: 8192 }
`;

async function start(schema: string): Promise<Program> {
  const program = await startProgram({ config: config(schema), args: ['--bootstrap'], env: { DATABASE_URL: url } });
  onTestFinished(() => program.dispose());
  return program;
}

/** Sends a request of each dialect; the charges, by their receipts. */
async function sendAll(program: Program, key: string): Promise<readonly bigint[]> {
  const charges: bigint[] = [];
  for (const [path, body] of REQUESTS) {
    const response = await fetch(`${program.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect({ path, status: response.status, text: await response.text() }).toMatchObject({ path, status: 200 });
    const receipt = await program.admin.showReceipt(response.headers.get('x-request-id') ?? '');
    charges.push(BigInt(receipt.charge_nano_usd));
  }
  return charges;
}

/** For three starts on an empty database, on a busy machine. */
const PATIENT = { timeout: 480_000 };

const names = async (program: Program): Promise<readonly string[]> => {
  const { data } = await program.json<{ data: { name: string }[] }>('workspace', 'list');
  return data.map(({ name }) => name);
};

test(
  'instances in two schemas behind one pooler serve, prove and restore their own, and none sees the other',
  PATIENT,
  async () => {
    const [east, west] = await Promise.all([start('east'), start('west')]);
    const [inEast, inWest] = [
      await east.createTenant({ credit: '1', project: { requests_per_minute: 600 } }),
      await west.createTenant({ credit: '2', project: { requests_per_minute: 600 } }),
    ];
    await east.admin.changeWorkspace(inEast.workspaceId, { name: 'eastern' });
    await west.admin.changeWorkspace(inWest.workspaceId, { name: 'western' });
    const charges = await Promise.all([
      sendAll(east, inEast.key),
      sendAll(west, inWest.key),
      sendAll(east, inEast.key),
    ]);
    for (const list of charges) expect(list).toEqual(REQUESTS.map(([, , charge]) => charge));

    // A key, a workspace, a change and a process of one are nothing to the other.
    expect((await west.chat(inEast.key, { model: 'chat', messages: MESSAGES })).status).toBe(401);
    expect(await names(east)).toContain('eastern');
    expect(await names(east)).not.toContain('western');
    expect(await names(west)).not.toContain('eastern');
    for (const program of [east, west]) {
      const { data: processes } = await program.admin.listProcesses();
      expect(processes).toHaveLength(1);
      expect(await program.admin.verifyLedger()).toMatchObject({ ok: true, differences: [] });
    }
    expect(await east.admin.showWorkspace(inEast.workspaceId)).toMatchObject({
      balance_nano_usd: String(1_000_000_000n - 2n * SPENT),
    });
    expect(await west.admin.showWorkspace(inWest.workspaceId)).toMatchObject({
      balance_nano_usd: String(2_000_000_000n - SPENT),
    });
    await expectNothingIn('public');

    // The backup of one is restored into a third, beside both.
    const root = await mkdtemp(join(tmpdir(), 'faregate-schemas-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const file = join(root, 'east.backup');
    expect(await east.cli('backup', file)).toMatchObject({ code: 0 });
    const env = { DATABASE_URL: url, FAREGATE_DATABASE_SCHEMA: 'third', FAREGATE_DATA: join(root, 'data') };
    expect(await runCommandProcess(['restore', file], cleanEnvironment(env), root)).toMatchObject({ code: 0 });
    const third = await startProgram({ config: config('third'), data: root, env: { DATABASE_URL: url } });
    onTestFinished(() => third.dispose());
    expect(await names(third)).toEqual(await names(east));
    expect(await sendAll(third, inEast.key)).toEqual(charges[0]);
    expect(await third.admin.verifyLedger()).toMatchObject({ ok: true, differences: [] });
    expect(await east.admin.showWorkspace(inEast.workspaceId)).toMatchObject({
      balance_nano_usd: String(1_000_000_000n - 2n * SPENT),
    });
  },
);

async function expectNothingIn(schema: string): Promise<void> {
  const database = openDatabase({ connection: { url: direct }, connectionsMax: 1, applicationName: 'test' });
  try {
    expect(
      await database.query('select relname from pg_class where relnamespace = $1::regnamespace', [schema]),
    ).toEqual([]);
  } finally {
    await database.close();
  }
}
