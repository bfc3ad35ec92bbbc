import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type OtlpReceiver,
  type ReceivedPoint,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../support/otlp-receiver.ts';
import { configText, Gateway, MARKER } from '../wire/gateway.ts';
import { answering, completion, finish, streaming, text, usageChunk } from '../wire/upstream-scripts.ts';

// What a collector of OpenTelemetry is told by each of the workers, and that it can't hold up a request.

const TOKEN = 'c0llector-t0ken';
const ANSWER = 'an answer that no trace repeats';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const PATIENCE = { timeout: 60_000, interval: 100 };

let receiver: OtlpReceiver;
let gateway: Gateway;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  gateway = await Gateway.start({
    server: '{ workers: 2 }',
    telemetry: `{ otlp: { endpoint: "${receiver.endpoint}", headers: { authorization: "Bearer ${TOKEN}" }, timeout: 500ms }, metrics: { push_every: 500ms }, request_log: true }`,
  });
});

afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

beforeEach(() => {
  receiver.mood = 'takes';
});

/** Sends a request, and resolves with the spans of its trace once it has all of these names. */
async function traceOf(
  names: readonly string[],
  ...[fields, options]: Parameters<Gateway['chat']>
): Promise<{ readonly response: Response; readonly spans: ReadonlyMap<string, readonly ReceivedSpan[]> }> {
  const response = await gateway.chat(fields, options);
  await response.text();
  const requestId = response.headers.get('x-request-id');
  const spans = await vi.waitFor(() => {
    const root = receiver.spans.find(({ attributes }) => attributes['faregate.request_id'] === requestId);
    const all = receiver.spans.filter(({ traceId }) => traceId === root?.traceId);
    expect(all.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    return all;
  }, PATIENCE);
  return { response, spans: Map.groupBy(spans, ({ name }) => name) };
}

const ROOT = 'POST /v1/chat/completions';

test('a stream is a tree of its request, its admission, its attempt and its settlement', async () => {
  gateway.script(streaming(text(ANSWER), finish(), usageChunk()));
  const { spans } = await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], { stream: true });
  const [root] = spans.get(ROOT) ?? [];
  const [attempt] = spans.get('chat gpt') ?? [];
  expect(root).toMatchObject({ kind: 2, status: { code: 0 } });
  expect(root?.parentSpanId).toBeUndefined();
  const { workspace, project, key } = gateway.account;
  expect(root?.attributes).toMatchObject({
    'http.route': '/v1/chat/completions',
    'http.response.status_code': 200,
    'gen_ai.request.model': 'chat',
    'gen_ai.request.stream': true,
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 0,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'faregate.workspace_id': workspace.id,
    'faregate.project_id': project.id,
    'faregate.key_id': key.id,
    'faregate.dialect': 'chat_completions',
    'faregate.provider': 'scripted',
    'faregate.upstream_model': 'gpt',
    'faregate.outcome': 'completed',
    'faregate.charge_usd': '0.000057',
    'faregate.charge_nano_usd': 57_000,
  });
  expect(attempt).toMatchObject({ kind: 3, status: { code: 0 } });
  expect(attempt?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'gpt',
    'gen_ai.response.finish_reasons': ['stop'],
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
  for (const name of ['admission', 'chat gpt', 'settlement']) {
    expect(spans.get(name)).toMatchObject([{ parentSpanId: root?.spanId }]);
  }
  expect(root?.resource).toMatchObject({
    'service.name': 'faregate',
    'faregate.gen_ai_conventions': expect.stringMatching(/development/),
  });
});

test('a request that its second route answers has a span for each attempt, the first with its fault', async () => {
  gateway.script((response, request) =>
    request.path.startsWith('/spare/')
      ? answering(200, completion())(response, request)
      : answering(500, { error: { message: MARKER } })(response, request),
  );
  const names = [ROOT, 'admission', 'chat gpt', 'chat llama', 'settlement'];
  const { spans } = await traceOf(names, { model: 'spared' });
  expect(spans.get('chat gpt')).toMatchObject([
    { status: { code: 2 }, attributes: { 'error.type': 'failed', 'http.response.status_code': 500 } },
  ]);
  expect(spans.get('chat llama')).toMatchObject([
    { status: { code: 0 }, attributes: { 'faregate.provider': 'spare', 'gen_ai.usage.output_tokens': 5 } },
  ]);
  expect(spans.get(ROOT)).toMatchObject([{ attributes: { 'faregate.provider': 'spare' } }]);
});

test('a refusal has its code, and no attempt', async () => {
  const { response, spans } = await traceOf([ROOT], { model: 'unheard-of' });
  expect(response.status).toBe(404);
  expect(spans.get(ROOT)).toMatchObject([
    {
      status: { code: 0 },
      attributes: {
        'http.response.status_code': 404,
        'error.type': 'MODEL_NOT_FOUND',
        'faregate.code': 'MODEL_NOT_FOUND',
        'faregate.key_id': gateway.account.key.id,
        'gen_ai.request.model': 'unheard-of',
      },
    },
  ]);
});

test('a request that no route answers is an error', async () => {
  gateway.script(answering(500, {}));
  const { spans } = await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], {});
  expect(spans.get(ROOT)).toMatchObject([
    { status: { code: 2 }, attributes: { 'faregate.outcome': 'failed', 'faregate.code': 'MODEL_UNAVAILABLE' } },
  ]);
});

test("a caller's trace is gone on with, and its provider is sent the attempt as the parent", async () => {
  gateway.script(answering(200, completion()));
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' };
  const { spans } = await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], {}, { headers });
  const [attempt] = spans.get('chat gpt') ?? [];
  expect(spans.get(ROOT)).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT, traceState: 'vendor=1' }]);
  expect(gateway.upstream.requests.at(-1)?.headers).toMatchObject({
    traceparent: `00-${TRACE}-${attempt?.spanId}-01`,
    tracestate: 'vendor=1',
  });
});

test("a caller's trace that is not sampled is passed on as it is, and a malformed one is none", async () => {
  gateway.script(answering(200, completion()));
  const unsampled = `00-${'ab'.repeat(16)}-${PARENT}-00`;
  await (await gateway.chat({}, { headers: { traceparent: unsampled } })).text();
  expect(gateway.upstream.requests.at(-1)?.headers['traceparent']).toBe(unsampled);

  const headers = { traceparent: `00-${TRACE}-${PARENT}`, tracestate: 'vendor=1' };
  const { spans } = await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], {}, { headers });
  expect(spans.get(ROOT)?.[0]?.traceId).not.toBe(TRACE);
  expect(gateway.upstream.requests.at(-1)?.headers).not.toHaveProperty('tracestate');
  expect(receiver.spans.map(({ traceId }) => traceId)).not.toContain('ab'.repeat(16));
});

test('nothing secret and no text is exported, and exports carry the headers that are set', async () => {
  gateway.script(answering(200, completion(ANSWER)));
  await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], { user: MARKER });
  const all = receiver.text();
  for (const secret of [MARKER, ANSWER, gateway.key, 'sk-upstream', gateway.program.operatorToken, TOKEN]) {
    expect(all).not.toContain(secret);
  }
  expect(receiver.requests.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test('each request has one line in the log if that is set, without its text', async () => {
  gateway.script(answering(200, completion(ANSWER)));
  const response = await gateway.chat({ user: MARKER });
  await response.text();
  const refused = await gateway.chat({ model: 'unheard-of' });
  const requestIds = [response, refused].map(({ headers }) => headers.get('x-request-id'));
  const lines = (): readonly string[] =>
    gateway.program
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"event":"request"'));
  await vi.waitFor(() => {
    const fields = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    const found = requestIds.map((id) => fields.filter(({ requestId }) => requestId === id));
    const keyId = gateway.account.key.id;
    expect(found).toMatchObject([
      [{ keyId, provider: 'scripted', outputTokens: 5, chargeUsd: '0.000057', outcome: 'completed' }],
      [{ keyId, model: 'unheard-of', code: 'MODEL_NOT_FOUND' }],
    ]);
  }, PATIENCE);
  for (const secret of [MARKER, ANSWER, gateway.key]) expect(lines().join('\n')).not.toContain(secret);
});

test('a collector that hangs or refuses holds up no request, and lost spans are counted', async () => {
  gateway.script(answering(200, completion()));
  for (const mood of ['hangs', 'refuses'] as const) {
    receiver.mood = mood;
    const lost = await spansTotal('export_failed');
    const came = receiver.requests.length;
    await (await gateway.chat()).text();
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(came), PATIENCE);
    // An export is under way, or has failed; requests are answered.
    expect((await gateway.chat()).status).toBe(200);
    await vi.waitFor(async () => expect(await spansTotal('export_failed')).toBeGreaterThan(lost), PATIENCE);
  }
  receiver.mood = 'takes';
  await traceOf([ROOT, 'admission', 'chat gpt', 'settlement'], {});
  expect(await spansTotal('exported')).toBeGreaterThan(0);
});

async function spansTotal(result: string): Promise<number> {
  const line = new RegExp(`^faregate_spans_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(
    await gateway.program.metrics(),
  );
  return Number(line?.[1] ?? 0);
}

test('each worker pushes the metrics that a scrape adds up, under the same names and labels', async () => {
  gateway.script(answering(200, completion()));
  for (let sent = 0; sent < 3; sent++) await (await gateway.chat()).text();
  const completed = { outcome: 'completed', streamed: 'false' };
  await vi.waitFor(async () => {
    const latest = latestPoints('faregate_requests_total', completed);
    const [, scraped] =
      /^faregate_requests_total\{outcome="completed",streamed="false"\} (\d+)$/m.exec(
        await gateway.program.metrics(),
      ) ?? [];
    expect(latest.reduce((sum, { asDouble = 0 }) => sum + asDouble, 0)).toBe(Number(scraped));
    expect(latestPoints('faregate_connections', {})).toHaveLength(2);
    expect(latestPoints('faregate_request_duration_seconds', { streamed: 'false' }).map(({ kind }) => kind)).toContain(
      'histogram',
    );
  }, PATIENCE);
});

/** The latest point of each worker. */
function latestPoints(name: string, labels: object): ReceivedPoint[] {
  const points = receiver.points.filter(
    (point) =>
      point.name === name &&
      isDeepStrictEqual(point.attributes, labels) &&
      point.resource['service.name'] === 'faregate',
  );
  const byWorker = Map.groupBy(points, ({ resource }) => resource['service.instance.id']);
  return Array.from(byWorker.values()).flatMap((worker) => worker.slice(-1));
}

test('a reload changes what is traced, and a stop exports what waits, but never waits long for it', async () => {
  const traced = (more = ''): string => `{ otlp: { endpoint: "${receiver.endpoint}" }${more} }`;
  const one = await Gateway.start();
  try {
    one.script(answering(200, completion()));
    const isTraced = async (): Promise<boolean> => {
      await (await one.chat()).text();
      return 'traceparent' in (one.upstream.requests.at(-1)?.headers ?? {});
    };
    const file = join(dirname(one.program.data), 'faregate.yaml');
    const become = async (telemetry: string, expected: boolean): Promise<void> => {
      await writeFile(file, configText(one.upstream.origin, { telemetry }));
      await vi.waitFor(async () => expect(await isTraced()).toBe(expected), PATIENCE);
    };
    expect(await isTraced()).toBe(false);
    await become(traced(', service_name: another'), true);
    await become(traced(', service_name: another, traces: { sample_percent: 0 }'), false);
    await become(traced(', service_name: the-last'), true);
    await one.program.signal('SIGINT');
    const last = receiver.spans.filter(({ resource }) => resource['service.name'] === 'the-last');
    expect(last.map(({ name }) => name)).toContain('settlement');
  } finally {
    await one.stop();
  }
});
