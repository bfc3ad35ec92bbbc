import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { LoopNotes, type Span } from '../support/loop-notes.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Stage, startStage } from './stage.ts';

// Schemas that are made to hurt are refused or bounded, and whoever else is served meanwhile doesn't notice.

const notes = new LoopNotes();
let stage: Stage;
let hostile: Tenant;
/** Hostile too, but none of those whose schemas are slow: these are kept apart. */
let large: Tenant;
let other: Tenant;

beforeAll(async () => {
  stage = await startStage('', notes.env);
  hostile = await stage.program.createTenant({ credit: '100' });
  large = await stage.program.createTenant({ credit: '100' });
  other = await stage.program.createTenant({ credit: '100' });
});

afterAll(async () => {
  // What the threads still have to judge would take a minute.
  await stage.program.signal('SIGKILL');
  await stage.program.dispose();
  notes.remove();
});

const PLAIN = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };

function request(schema: object | string): string {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return (
    '{"model":"native","messages":[{"role":"user","content":"x"}],' +
    `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${text}}}}`
  );
}

function post(tenant: Tenant, body: string | Buffer<ArrayBuffer>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${stage.program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body,
    ...(signal === undefined ? {} : { signal }),
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
  ['with a name that is half of a character', { dependentSchemas: { '\ud800': {} } }],
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

/** How long others ask meanwhile, and how often at least: of fewer waits, a tenth would be none. */
const MEASURED_MS = 5_000;
const WAITS_MIN = 12;

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
  const usual = await whileSent(
    ATTACKS.map(([, harmless]) => harmless),
    [200, 404],
  );
  const attacked = await whileSent(
    ATTACKS.map(([attack]) => attack),
    [400, 502],
  );
  expect(usual.statuses).toEqual(new Set([200, 404]));
  // Refused, answered in vain, or put off; what is only large may be taken.
  expect([200, 400, 502, 503]).toEqual(expect.arrayContaining([...attacked.statuses]));
  // The longest of all waits for the event loop, and so more than the 99th percentile of what others wait for it.
  expect(attacked.stretchMs).toBeLessThan(STRETCH_MS_MAX);
  expect(attacked.computedMs).toBeLessThan(2 * usual.computedMs + 100);
  // By the clock, as threads wait for one another: compared with others that were asked for at the same time.
  expect(attacked.bySchemaMs).toBeLessThan(8 * attacked.plainMs + 500);
}, 240_000);

interface Measured {
  /** What the senders were answered with. */
  readonly statuses: ReadonlySet<number>;
  /** How long others waited for their answers, but for a tenth of them: those that nobody judges, and those that a thread does. */
  readonly plainMs: number;
  readonly bySchemaMs: number;
  /** How long the gateway's event loop computed while others waited, but for a tenth of them; and at a stretch, at most. */
  readonly computedMs: number;
  readonly stretchMs: number;
}

/** Measures others while a workspace sends these, each over and over, and until it was answered with these statuses. */
async function whileSent(bodies: readonly string[], awaited: readonly number[]): Promise<Measured> {
  const statuses = new Set<number>();
  const over = new AbortController();
  const senders = bodies.map(async (body, at) => {
    // One after the other: sending 10 MB is work for this process too.
    await delay((at * EVERY_MS) / bodies.length);
    const tenant = at <= STALLING.length ? hostile : large;
    for await (const status of answersOf(tenant, Buffer.from(body), over.signal)) statuses.add(status);
  });
  const fromMs = Date.now();
  const untilMs = fromMs + MEASURED_MS;
  const [plain, bySchema] = await Promise.all([waitsFor(OTHERS.plain, untilMs), waitsFor(OTHERS.bySchema, untilMs)]);
  const { pid } = stage.program;
  const stretchMs = notes.longestStretchMs(pid, { fromMs, untilMs: Date.now() });
  await eventually(() => expect([...statuses]).toEqual(expect.arrayContaining([...awaited])), {
    timeout: 60_000,
  });
  // What still waits for a thread would take a minute.
  over.abort();
  await Promise.all(senders);
  return {
    statuses,
    plainMs: mostOf(plain.map(durationOf)),
    bySchemaMs: mostOf(bySchema.map(durationOf)),
    computedMs: mostOf(notes.computedMs(pid, plain)),
    stretchMs,
  };
}

/** The statuses of the answers to a request that is sent over and over. */
async function* answersOf(tenant: Tenant, body: Buffer<ArrayBuffer>, over: AbortSignal): AsyncGenerator<number> {
  try {
    for (;;) {
      const pause = delay(body.length > MEGABYTE ? LARGE_EVERY_MS : EVERY_MS);
      const response = await post(tenant, body, over);
      await response.arrayBuffer();
      yield response.status;
      await pause;
      over.throwIfAborted();
    }
  } catch (fault) {
    if (!over.aborted) throw fault;
  }
}

/** How long requests of another workspace wait, one after the other, until then and until there are enough of them. */
async function waitsFor(body: string, untilMs: number): Promise<Span[]> {
  const waits: Span[] = [];
  while (Date.now() < untilMs || waits.length < WAITS_MIN) {
    const fromMs = Date.now();
    const response = await post(other, body);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    waits.push({ fromMs, untilMs: Date.now() });
  }
  return waits;
}

function durationOf({ fromMs, untilMs }: Span): number {
  return untilMs - fromMs;
}

/** What nine of ten don't exceed. */
function mostOf(times: readonly number[]): number {
  return times.toSorted((one, another) => one - another)[Math.floor(times.length * 0.9)] ?? Infinity;
}
