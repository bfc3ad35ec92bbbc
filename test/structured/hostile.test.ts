import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { type Stage, startStage } from './stage.ts';

// Schemas that are made to hurt are refused or bounded, and whoever else is served meanwhile doesn't notice.

const directory = mkdtempSync(join(tmpdir(), 'faregate-probe-'));
const probe = join(directory, 'stretches');
let stage: Stage;
let hostile: Tenant;
/** Hostile too, but none of those whose schemas are slow: these are kept apart. */
let large: Tenant;
let other: Tenant;

beforeAll(async () => {
  stage = await startStage('', {
    LOOP_PROBE: probe,
    NODE_OPTIONS: `--import=${new URL('../support/loop-probe.ts', import.meta.url).href}`,
  });
  hostile = await stage.program.createTenant({ credit: '100' });
  large = await stage.program.createTenant({ credit: '100' });
  other = await stage.program.createTenant({ credit: '100' });
});

afterAll(async () => {
  await stage.program.dispose();
  rmSync(directory, { recursive: true });
});

const PLAIN = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };

function request(schema: object | string): string {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return (
    '{"model":"native","messages":[{"role":"user","content":"x"}],' +
    `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${text}}}}`
  );
}

function post(tenant: Tenant, body: string | Buffer<ArrayBuffer>): Promise<Response> {
  return fetch(`${stage.program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body,
  });
}

async function ask(
  tenant: Tenant,
  schema: object | string,
): Promise<{ status: number; code?: string; param?: string }> {
  const response = await post(tenant, request(schema));
  const { error } = (await response.json()) as { error?: { code: string; param: string } };
  return { status: response.status, ...error };
}

const nested = (depth: number): string => `${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`;

/** Each definition refers twice to the next, so that the last is applied 2^depth times. */
const doubling = (depth: number): object => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: depth }, (_, level) => {
      const next = { $ref: `#/$defs/d${Math.min(level + 1, depth - 1)}` };
      return [`d${level}`, level === depth - 1 ? { type: 'string' } : { anyOf: [next, next] }];
    }),
  ),
});

test.each<[string, object | string]>([
  ['nested 100 deep', nested(100)],
  ['nested 200,000 deep', nested(200_000)],
  ['of 10 MB', { description: 'x'.repeat(10 * 1_024 * 1_024) }],
  ['of 100,000 enumerated values', { enum: Array.from({ length: 100_000 }, (_, at) => at) }],
  ['with a pattern of 100,000 characters', { pattern: 'a'.repeat(100_000) }],
  ['that applies itself without end', { allOf: [{ $ref: '#' }] }],
  ['that applies billions of schemas to one value', doubling(40)],
  ['that would load a vocabulary', { $vocabulary: { 'https://example.com/v': true } }],
  ['that would read a file', { $ref: 'file:///etc/passwd' }],
])('a schema %s is refused, and nothing is asked', async (_what, schema) => {
  stage.answer(() => '{"a":1}');
  expect(await ask(hostile, schema)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect(stage.asked).toHaveLength(0);
});

/** Patterns over which a text of one letter keeps a matcher busy for ages. */
const STALLING = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '^(a*)*$', '^([a-z]+)*$'];
const STALLING_ANSWER = JSON.stringify({ a: `${'a'.repeat(40)}!` });

/** Lists within lists, of which each level is looked at twice as often as the one around it. */
function doublingLists(depth: number): object {
  const level = (at: number): object => ({
    type: 'array',
    items: { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
  });
  const $defs = Object.fromEntries(Array.from({ length: depth + 1 }, (_, at) => [`d${at}`, at < depth && level(at)]));
  return { $ref: '#/$defs/d0', $defs };
}

const LISTS = 24;
const LISTS_ANSWER = `${'['.repeat(LISTS)}0${']'.repeat(LISTS)}`;

const MEGABYTE = 1_024 * 1_024;

/** As large as a schema may be. */
const LARGEST = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`name ${at}`, { type: 'integer' }]));

/** What attackers send over and over, and what anybody else sends that is as long. */
const ATTACKS: readonly (readonly [attack: string, harmless: string])[] = [
  ...STALLING.map(
    (pattern) =>
      [
        request({ type: 'object', properties: { a: { type: 'string', pattern } } }),
        request({ type: 'object', properties: { a: { type: 'integer' }, b: { pattern: '^a' } } }),
      ] as const,
  ),
  [request(doublingLists(LISTS)), request({ ...PLAIN, description: 'x'.repeat(2_000) })],
  [request({ type: 'object', properties: LARGEST }), padded(128 * 1_024)],
  ...[
    `{"enum":[${'1,'.repeat(5 * MEGABYTE)}1]}`,
    `{"description":"${'x'.repeat(10 * MEGABYTE)}"}`,
    nested(1_000_000),
  ].map((schema) => [request(schema), padded(schema.length)] as const),
];

/** A request without a schema that is refused, but only once all of it has been read. */
function padded(bytes: number): string {
  return `{"model":"absent","messages":[{"role":"user","content":"${'x'.repeat(bytes)}"}]}`;
}

/** How often each attacker asks at most; and with 10 MB, so that the test itself has time for others. */
const EVERY_MS = 500;
const LARGE_EVERY_MS = 2_000;

/** What others ask: without a schema, and by one. */
const OTHERS = {
  plain: '{"model":"native","messages":[{"role":"user","content":"x"}]}',
  bySchema: request(PLAIN),
};

/** How long others ask meanwhile. */
const MEASURED_MS = 5_000;

/** How long the event loop may compute at a stretch: reading 10 MB takes a third of it. */
const STRETCH_MS_MAX = 75;

test('a caller that sends hostile schemas holds nobody up more than others who send as much', async () => {
  stage.answer(({ response_format: format }) => {
    const text = JSON.stringify(format ?? null);
    if (text.includes('$defs')) return LISTS_ANSWER;
    return STALLING.some((pattern) => text.includes(JSON.stringify(pattern))) ? STALLING_ANSWER : '{"a":1}';
  });
  // What is only slow the first time is none of this.
  for (const body of Object.values(OTHERS)) expect((await post(other, body)).status).toBe(200);
  const usual = await whileSent(ATTACKS.map(([, harmless]) => harmless));
  const attacked = await whileSent(ATTACKS.map(([attack]) => attack));
  expect(usual.statuses).toEqual(new Set([200, 404]));
  // Refused, answered in vain, or put off; what is only large may be taken.
  expect([200, 400, 502, 503]).toEqual(expect.arrayContaining([...attacked.statuses]));
  expect([...attacked.statuses]).toEqual(expect.arrayContaining([400, 502]));
  // The longest of all waits for the event loop, and so more than the 99th percentile of what others wait for it: by its own
  // processor time, which other programs on the machine can't add to.
  expect(attacked.stretchMs).toBeLessThan(STRETCH_MS_MAX);
  // By the clock, which they can, the machine's own mishaps left out.
  expect(attacked.p90Ms).toBeLessThan(2 * usual.p90Ms + 100);
  // Threads are few, and replacing one takes its time.
  expect(attacked.bySchemaP90Ms).toBeLessThan(2 * usual.bySchemaP90Ms + 500);
}, 120_000);

interface Measured {
  /** What the senders were answered with. */
  readonly statuses: ReadonlySet<number>;
  /** How long others waited for their answers: those that nobody judges, and those that a thread does. */
  readonly p90Ms: number;
  readonly bySchemaP90Ms: number;
  /** How long the gateway's event loop computed at a stretch, at most. */
  readonly stretchMs: number;
}

/** Measures others while a workspace sends these, each over and over. */
async function whileSent(bodies: readonly string[]): Promise<Measured> {
  const sending = { isOver: false };
  const senders = bodies.map(async (body, at) => {
    // One after the other: sending 10 MB is work for this process too.
    await delay((at * EVERY_MS) / bodies.length);
    return sendUntil(sending, at <= STALLING.length ? hostile : large, Buffer.from(body));
  });
  const fromMs = Date.now();
  const times = await timesOfOthers();
  const untilMs = Date.now();
  sending.isOver = true;
  return {
    statuses: new Set((await Promise.all(senders)).flat()),
    p90Ms: quantile(times.plain, 0.9),
    bySchemaP90Ms: quantile(times.bySchema, 0.9),
    stretchMs: longestStretch(fromMs, untilMs),
  };
}

async function sendUntil(
  sending: { readonly isOver: boolean },
  tenant: Tenant,
  body: Buffer<ArrayBuffer>,
): Promise<number[]> {
  const statuses: number[] = [];
  while (!sending.isOver) {
    const pause = delay(body.length > MEGABYTE ? LARGE_EVERY_MS : EVERY_MS);
    const response = await post(tenant, body);
    await response.arrayBuffer();
    statuses.push(response.status);
    await pause;
  }
  return statuses;
}

/** How long requests of another workspace take, of each kind one after the other. */
async function timesOfOthers(): Promise<Record<keyof typeof OTHERS, readonly number[]>> {
  const untilMs = performance.now() + MEASURED_MS;
  const [plain, bySchema] = await Promise.all([timesOf(OTHERS.plain, untilMs), timesOf(OTHERS.bySchema, untilMs)]);
  return { plain, bySchema };
}

async function timesOf(body: string, untilMs: number): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < untilMs) {
    const sinceMs = performance.now();
    const response = await post(other, body);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    times.push(performance.now() - sinceMs);
  }
  return times;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((one, another) => one - another)[Math.floor(times.length * share)] ?? Infinity;
}

function longestStretch(fromMs: number, untilMs: number): number {
  const lines = readFileSync(probe, 'utf8').trim().split('\n');
  const noted = lines.map((line) => JSON.parse(line) as { pid: number; atMs: number; ms: number });
  const meant = noted.filter(({ pid, atMs }) => pid === stage.program.pid && atMs >= fromMs && atMs <= untilMs);
  return Math.max(0, ...meant.map(({ ms }) => ms));
}
