import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceSinkUpdate } from '../../src/control/admin/sinks/sink-contract.ts';
import { eventually, until } from '../support/eventually.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// What workspaces have delivered to files: what they have asked for, and nothing of others.

interface Line {
  readonly record: string;
  readonly request_id: string;
  readonly [field: string]: unknown;
}

let program: Program;
let folder: string;

const config = (path: string): string => `
sinks:
  archive: { kind: file, path: "${path}/archive", deliver_every: 50ms, rotate_at: 64KiB }
  small: { kind: file, path: "${path}/small", deliver_every: 50ms, queue_max: 64KiB }
providers: { sandbox: { kind: sandbox } }
models:
  - id: echo
    routes: [{ provider: sandbox, model: echo }]
    price: { input: "1", output: "2" }
    context_window: 1000000
    max_output: 16384
  - id: slow
    routes: [{ provider: sandbox, model: slow }]
    price: { input: "1", output: "2" }
    context_window: 1000000
    max_output: 16384
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faregate-sinks-'));
  program = await startProgram({ args: ['--workers', '2'], config: config(folder) });
});

afterAll(async () => {
  await program.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A workspace whose setting all workers know, as far as content or refusals are concerned. */
async function tenantWith(setting: WorkspaceSinkUpdate, sink = 'archive'): Promise<Tenant> {
  const tenant = await program.createTenant();
  await program.admin.updateSink(tenant.workspaceId, sink, setting);
  return tenant;
}

async function filesOf({ workspaceId }: Tenant, sink = 'archive'): Promise<readonly string[]> {
  const directory = join(folder, sink, workspaceId);
  return (await readdir(directory).catch(() => [])).map((name) => join(directory, name));
}

async function linesOf(tenant: Tenant, sink = 'archive'): Promise<readonly Line[]> {
  const texts = await Promise.all((await filesOf(tenant, sink)).map((path) => readFile(path, 'utf8')));
  return texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as Line);
}

async function linesOnce(tenant: Tenant, record: string, count: number): Promise<readonly Line[]> {
  let found: readonly Line[] = [];
  await eventually(async () => {
    found = (await linesOf(tenant)).filter((line) => line.record === record);
    expect(found).toHaveLength(count);
  });
  return found;
}

/** Asks, and resolves with the id of the request. */
async function ask({ key }: Tenant, content: string, more: object = {}): Promise<string> {
  const response = await program.chat(key, { model: 'echo', messages: [{ role: 'user', content }], ...more });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

/** The content of a request that is repeated until its worker knows what to deliver. */
async function deliveredContent(tenant: Tenant, content: string, more: object = {}): Promise<Line> {
  const ids: string[] = [];
  let line: Line | undefined;
  await until(async () => {
    ids.push(await ask(tenant, content, more));
    line = (await linesOf(tenant)).find(({ record, request_id: id }) => record === 'content' && ids.includes(id));
    return line !== undefined;
  });
  if (line === undefined) throw new Error('waited for it');
  return line;
}

test('prompts and answers of plain calls and of streams are delivered without what is to be redacted', async () => {
  const tenant = await tenantWith({ records: ['content'], redact: ['mail_addresses', 'keys'] });
  const content = `write to ada@example.com with ${tenant.key} today`;
  const left = 'write to [mail address] with [key] today';
  const plain = await deliveredContent(tenant, content);
  expect(plain).toMatchObject({
    workspace_id: tenant.workspaceId,
    key_id: tenant.keyId,
    dialect: 'chat_completions',
    outcome: 'completed',
    code: null,
    redacted: ['mail_addresses', 'keys'],
    prompt: { model: 'echo', messages: [{ role: 'user', content: left }] },
    answer: { choices: [{ message: { content: expect.stringContaining(left) } }] },
  });
  const streamed = await deliveredContent(tenant, content, { stream: true });
  expect(streamed).toMatchObject({
    streamed: true,
    answer: { parts: [{ type: 'text', text: expect.stringContaining(left) }], finish_reasons: ['stop'] },
  });
  expect(JSON.stringify(await linesOf(tenant))).not.toContain(tenant.key);
});

test('of a stream that its caller leaves, the answer until then is delivered', async () => {
  const tenant = await tenantWith({ records: ['content'] });
  await deliveredContent(tenant, 'heard');
  await until(async () => {
    const leaving = new AbortController();
    const body = { model: 'slow', stream: true, messages: [{ role: 'user', content: 'left' }] };
    const response = await program.chat(tenant.key, body, { signal: leaving.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    await reader?.read().catch(() => undefined);
    return (await linesOf(tenant)).some(({ outcome }) => outcome === 'abandoned');
  });
  const left = (await linesOf(tenant)).find(({ outcome }) => outcome === 'abandoned');
  expect(left).toMatchObject({
    model: 'slow',
    answer: { parts: [{ type: 'text', text: expect.stringMatching(/\w/) }] },
  });
});

test('files are for the program alone, and a workspace that has asked for nothing has none', async () => {
  const [tenant, silent] = [await tenantWith({ records: ['content'] }), await program.createTenant()];
  await ask(silent, 'unheard');
  await deliveredContent(tenant, 'heard');
  expect(await filesOf(silent)).toEqual([]);
  expect((await stat(join(folder, 'archive', tenant.workspaceId))).mode & 0o777).toBe(0o700);
  for (const path of await filesOf(tenant)) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('the first audit event that is delivered says that they were asked for, and refusals have their codes', async () => {
  const tenant = await tenantWith({ records: ['refusals', 'audit'] });
  expect(await linesOnce(tenant, 'audit', 1)).toMatchObject([{ action: 'sink.update', target_id: 'archive' }]);
  await program.admin.changeWorkspace(tenant.workspaceId, { name: '.. "odd" \\ name' });
  expect(await linesOnce(tenant, 'audit', 2)).toMatchObject([{}, { action: 'workspace.rename' }]);
  let refusal: Line | undefined;
  await until(async () => {
    await (await program.chat(tenant.key, { model: 'unheard-of', messages: [{ role: 'user', content: 'a' }] })).text();
    refusal = (await linesOf(tenant)).find(({ record }) => record === 'refusals');
    return refusal !== undefined;
  });
  expect(refusal).toMatchObject({ code: 'MODEL_NOT_FOUND', status: 404, model: 'unheard-of', key_id: tenant.keyId });
});

test('receipts from before they were asked for are not delivered, and each later one is, once', async () => {
  const tenant = await program.createTenant();
  await ask(tenant, 'before');
  await program.admin.updateSink(tenant.workspaceId, 'archive', { records: ['receipts'] });
  const ids = await Promise.all([1, 2, 3, 4, 5].map((at) => ask(tenant, `after ${at}`)));
  const lines = await linesOnce(tenant, 'receipts', 5);
  expect(lines.map((line) => line.request_id).toSorted()).toEqual(ids.toSorted());
  expect(lines[0]).toMatchObject({ model: 'echo', outcome: 'completed', charge_usd: expect.any(String) });
});

test('a sink that fails holds no request, and its workspace and the metrics learn what was lost', async () => {
  const tenant = await program.createTenant();
  const inTheWay = join(folder, 'small', tenant.workspaceId);
  await rm(join(folder, 'small'), { recursive: true, force: true });
  await writeFile(join(folder, 'small'), '');
  await program.admin.updateSink(tenant.workspaceId, 'small', { records: ['content'] });
  const text = 'x'.repeat(10_000);
  const lost = async (): Promise<number> => {
    const { data } = await program.admin.listSinks(tenant.workspaceId);
    return data.find(({ name }) => name === 'small')?.lost_records ?? 0;
  };
  await until(async () => {
    await ask(tenant, text);
    return (await lost()) > 0;
  });
  expect(await program.metrics()).toMatch(/faregate_sink_records_total\{sink="small",result="queue_full"\} [1-9]/);
  await rm(join(folder, 'small'));
  await eventually(async () => {
    const lines = await linesOf(tenant, 'small');
    expect(lines.find(({ record }) => record === 'lost')).toMatchObject({
      reasons: { queue_full: expect.any(Number) },
    });
    expect(lines.filter(({ record }) => record === 'content').length).toBeGreaterThan(0);
  });
  expect(inTheWay).toContain(tenant.workspaceId);
});

test('a workspace that ends its delivery has nothing more delivered, and owners alone decide', async () => {
  const tenant = await tenantWith({ records: ['content'] });
  await deliveredContent(tenant, 'heard');
  await program.admin.updateSink(tenant.workspaceId, 'archive', { records: [] });
  const { data } = await program.admin.listSinks(tenant.workspaceId);
  expect(data).toMatchObject([
    { name: 'archive', records: [], version: 2 },
    { name: 'small', version: 0 },
  ]);
  await expect(program.admin.updateSink(tenant.workspaceId, 'unknown', { records: [] })).rejects.toThrow(
    'The config file of this instance declares no such sink.',
  );
});
