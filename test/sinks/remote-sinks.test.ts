import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/eventually.ts';
import { type Program, startProgram } from '../support/program.ts';
import { CREDENTIALS, type S3Store, startS3Store } from '../support/s3-store.ts';
import { type ReceivedRequest, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Sinks behind a network: an object store and a collector of logs, which may hang.

const TOKEN = 'c0llector-t0ken';
const REQUESTS = 40;

let store: S3Store;
let collector: ScriptedUpstream;
let hangs = false;
let program: Program;

beforeAll(async () => {
  store = await startS3Store();
  collector = await startScriptedUpstream((response) => {
    if (!hangs) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const { accessKeyId: id, secretAccessKey: secret } = CREDENTIALS;
  program = await startProgram({
    beside: [store, collector],
    env: { STORE_SECRET: secret },
    config: `
sinks:
  bucket: { kind: s3, endpoint: "${store.endpoint}", bucket: records, access_key_id: ${id}, secret_access_key: "\${STORE_SECRET}", deliver_every: 50ms }
  logs: { kind: otlp, endpoint: "${collector.origin}", headers: { authorization: "Bearer ${TOKEN}" }, deliver_every: 50ms, timeout: 1s, queue_max: 64KiB }
providers: { sandbox: { kind: sandbox } }
models:
  - { id: echo, routes: [{ provider: sandbox, model: echo }], price: { input: "1", output: "2" }, context_window: 32000000, max_output: 1024 }
`,
  });
});

afterAll(() => program.dispose());

async function ask({ key }: Tenant, content: string, signal?: AbortSignal): Promise<string> {
  const body = { model: 'echo', stream: signal !== undefined, messages: [{ role: 'user', content }] };
  const response = await program.chat(key, body, signal === undefined ? {} : { signal });
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

const stored = (): readonly string[] => [...store.objects.values()].flat();

interface LogsRequest {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly { readonly body: { readonly stringValue: string } }[];
    }[];
  }[];
}

const linesIn = ({ body }: ReceivedRequest): readonly string[] =>
  (JSON.parse(body.toString()) as LogsRequest).resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords.map((record) => record.body.stringValue)),
  );

async function using(sink: string): Promise<Tenant> {
  const tenant = await program.createTenant();
  await program.admin.updateSink(tenant.workspaceId, sink, { records: ['content', 'receipts'] });
  return tenant;
}

test('content and receipts come to an object store, signed, a body of megabytes as well', async () => {
  const tenant = await using('bucket');
  await until(async () => {
    await ask(tenant, 'hello');
    return stored().some((line) => line.includes('"record":"content"') && line.includes('hello'));
  });
  const id = await ask(tenant, 'large '.repeat(1_000_000));
  await until(() => stored().some((line) => line.includes('"record":"content"') && line.includes(id)));
  await until(() => stored().some((line) => line.includes('"record":"receipts"') && line.includes(id)));
  expect(store.faults).toEqual([]);
  for (const path of store.objects.keys()) expect(path.startsWith(`/records/${tenant.workspaceId}/`)).toBe(true);
});

test('records come to a collector as logs, and one that hangs holds no request', async () => {
  const tenant = await using('logs');
  await until(async () => {
    await ask(tenant, 'hello');
    return collector.requests.some(
      (request) => request.path === '/v1/logs' && linesIn(request).some((line) => line.includes('"record":"content"')),
    );
  });
  expect(collector.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  hangs = true;
  for (let at = 0; at < REQUESTS; at++) await ask(tenant, 'x'.repeat(2_000));
  await until(async () => {
    const { data } = await program.admin.listSinks(tenant.workspaceId);
    return (data.find(({ name }) => name === 'logs')?.lost_records ?? 0) > 0;
  });
  expect(await program.metrics()).toMatch(/faregate_sink_records_total\{sink="logs",result="queue_full"\} [1-9]/);
});
