import { afterAll, beforeAll, expect, test } from 'vitest';
import { chat, createTenant, type Tenant } from '../support/tenant.ts';
import { type Stage, startStage } from './stage.ts';

// Schemas that are made to hurt are refused or bounded, and whoever else is served meanwhile doesn't notice.

let stage: Stage;
let hostile: Tenant;
let other: Tenant;

beforeAll(async () => {
  stage = await startStage();
  hostile = await createTenant(stage.program, { credit: '100' });
  other = await createTenant(stage.program, { credit: '100' });
});

afterAll(() => stage.dispose());

const PLAIN = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };

function request(schema: object | string): string {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return (
    '{"model":"native","messages":[{"role":"user","content":"x"}],' +
    `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${text}}}}`
  );
}

async function ask(
  tenant: Tenant,
  schema: object | string,
): Promise<{ status: number; code?: string; param?: string }> {
  const response = await fetch(`${stage.program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: request(schema),
  });
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

test('patterns that take ages end with their own answers alone, while others are served as ever', async () => {
  stage.answer(({ response_format: format }) =>
    JSON.stringify(format ?? null).includes('pattern') ? STALLING_ANSWER : '{"a":1}',
  );
  const quiet = await timesOf(40);
  const attack = { isOver: false };
  const attacks = STALLING.map((pattern) => attackUntil(attack, pattern));
  const busy = await timesOf(40);
  attack.isOver = true;
  const statuses = (await Promise.all(attacks)).flat();
  expect(new Set(statuses)).toEqual(new Set([502]));
  // The validating threads have work for seconds; the requests of others stay far below one.
  expect(busy.plain.p95).toBeLessThan(quiet.plain.p95 + 250);
  expect(busy.structured.p95).toBeLessThan(quiet.structured.p95 + 500);
}, 60_000);

async function attackUntil(attack: { readonly isOver: boolean }, pattern: string): Promise<number[]> {
  const statuses: number[] = [];
  while (!attack.isOver) {
    const { status } = await ask(hostile, { type: 'object', properties: { a: { type: 'string', pattern } } });
    statuses.push(status);
  }
  return statuses;
}

interface Times {
  readonly plain: { readonly p95: number };
  readonly structured: { readonly p95: number };
}

/** How long requests of another workspace take, with a schema and without. */
async function timesOf(rounds: number): Promise<Times> {
  const [plain, structured]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    plain.push(
      await timed(() =>
        chat(stage.program, other.key, { model: 'native', messages: [{ role: 'user', content: 'x' }] }),
      ),
    );
    structured.push(await timed(() => ask(other, PLAIN)));
  }
  return { plain: { p95: p95(plain) }, structured: { p95: p95(structured) } };
}

async function timed(task: () => Promise<{ status: number }>): Promise<number> {
  const startedMs = performance.now();
  expect((await task()).status).toBe(200);
  return performance.now() - startedMs;
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, another) => one - another)[Math.floor(times.length * 0.95)] ?? Infinity;
}
