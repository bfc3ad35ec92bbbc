import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DIALECTS } from './dialects.ts';
import { SchemaValidation, type UsableSchema } from './schema-validation.ts';
import { resultOfException } from './validation-messages.ts';

const faults: string[] = [];
const validation = new SchemaValidation(new SystemClock(), (where) => faults.push(where), {
  quickMs: 100,
  slowMs: 200,
});
afterAll(() => validation.stop());

let owners = 0;

/** An owner without any earlier jobs. */
function newOwner(): string {
  owners += 1;
  return `owner ${owners}`;
}

async function usable(schema: object, owner = newOwner()): Promise<UsableSchema> {
  const checked = await validation.check(owner, JSON.stringify(schema));
  if (typeof checked === 'string' || 'message' in checked) throw new Error(`not usable: ${JSON.stringify(checked)}`);
  return checked;
}

const PLAIN = { type: 'integer' };

/** Backtracks for ages on a long run of the letter a. */
const HOSTILE = { type: 'string', pattern: '^(a+)+$' };
const HOSTILE_TEXT = JSON.stringify(`${'a'.repeat(40)}!`);

test('a schema in threads of their own is checked once, and judges what conforms and what does not', async () => {
  const schema = await usable({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
  const owner = newOwner();
  expect(await validation.judge(owner, schema, '{"a":1}')).toEqual({ conforms: true, content: '{"a":1}' });
  expect(await validation.judge(owner, schema, '{"a":"x"}')).toEqual({
    conforms: false,
    failures: [{ pointer: '/a', keyword: 'type' }],
  });
  // The second time it is cached, and the result is synchronous.
  expect(validation.check(owner, schema.text)).toBe(schema);
});

test.each(['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const)(
  'a format is asserted in every version of JSON Schema, uuid and duration too: %s',
  async (dialect) => {
    const owner = newOwner();
    const formats = { uuid: '5d2b6b9c-9f63-4b7a-8c38-0b7e2f4c8f10', duration: 'P3DT4H', date: '2026-11-23' };
    for (const [format, value] of Object.entries(formats)) {
      const schema = await usable({ $schema: DIALECTS[dialect], type: 'string', format }, owner);
      const judged = async (said: string): Promise<unknown> => validation.judge(owner, schema, JSON.stringify(said));
      expect(await judged(value)).toMatchObject({ conforms: true });
      expect(await judged(`no ${format}`)).toEqual({ conforms: false, failures: [{ pointer: '', keyword: 'format' }] });
    }
  },
);

test('a schema in threads of their own names the place of what is wrong with it', async () => {
  const text = JSON.stringify({ type: 'object', properties: { a: { minimum: 'one' } } });
  expect(await validation.check(newOwner(), text)).toMatchObject({ pointer: '/properties/a/minimum' });
});

test('a schema in threads that the validator fails at is neither right nor wrong, and nothing is told of its words', async () => {
  // The validator looks for a dialect at every `$schema`, even in data.
  const data = { $schema: 'https://example.com/secret' };
  const schema = { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', default: data } } };
  expect(await validation.check(newOwner(), JSON.stringify(schema))).toBe('fault');
  expect(faults).toEqual([expect.stringMatching(/^Error at .*hyperjump/)]);
  expect(faults.join()).not.toContain('secret');
});

test('a schema in threads of their own that takes too long is given up, and its owner alone is held up by it', async () => {
  const hostile = newOwner();
  const schema = await usable(HOSTILE, hostile);
  const plain = await usable(PLAIN);
  const others = newOwner();
  // Its answers have been quick so far, so that some of the attacks are validated in one batch.
  const [quick] = Array.from({ length: 4 }, async () => validation.judge(hostile, schema, '"b"'));
  await quick;
  const beganMs = performance.now();
  const attacks = Array.from({ length: 12 }, async () => validation.judge(hostile, schema, HOSTILE_TEXT));
  const slowestMs = await slowestOf(200, () => validation.judge(others, plain, '7'));
  for (const judgement of await Promise.all(attacks)) {
    expect(judgement).toEqual({ conforms: false, failures: [{ pointer: '', keyword: 'deadline' }] });
  }
  // A delayed owner waits for all of them in sequence.
  expect(slowestMs / (performance.now() - beganMs)).toBeLessThan(1 / 2);
  // The threads that were ended have been replaced.
  expect(await validation.judge(others, plain, '7')).toEqual({ conforms: true, content: '7' });
});

test('a schema in threads of their own that needs too much memory ends its own thread alone', async () => {
  const doubling = {
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        { type: 'array', items: { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] } },
      ]),
    ),
    $ref: '#/$defs/d0',
  };
  const definitions = { ...doubling, $defs: { ...doubling.$defs, d40: false } };
  const schema = await usable(definitions);
  const nested = `${'['.repeat(40)}0${']'.repeat(40)}`;
  expect(await validation.judge(newOwner(), schema, nested)).toMatchObject({ conforms: false });
  const plain = await usable(PLAIN);
  expect(await validation.judge(newOwner(), plain, '7')).toEqual({ conforms: true, content: '7' });
});

// Far beyond its bound in one step, a thread would end the process, and this test with it.
test.each([
  ['of more text than models write', `"${'x'.repeat(2 ** 20)}"`],
  ['of far more', `[${'[],'.repeat(10_000_000)}1]`],
  ['of more values than models write', `[${'{},'.repeat(300_000)}1]`],
  ['of as many values that is no JSON in the end', `[${'{},'.repeat(300_000)}?]`],
])('a schema in threads of their own lets no thread parse an answer %s', async (_what, text) => {
  const schema = await usable({ not: { const: 1 } });
  expect(await validation.judge(newOwner(), schema, text)).toEqual({
    conforms: false,
    failures: [{ pointer: '', keyword: 'size' }],
  });
});

test('a schema in threads of their own judges an answer of a million characters', async () => {
  const schema = await usable({ items: { type: 'string' }, not: { const: 1 } });
  const text = JSON.stringify(Array.from({ length: 100 }, () => 'x'.repeat(10_000)));
  expect(await validation.judge(newOwner(), schema, text)).toEqual({ conforms: true, content: text });
});

test('recursion that has no room left is a limit, and no fault of the validator', () => {
  const endless = (): number => endless() + 1;
  let thrown: unknown;
  try {
    endless();
  } catch (error) {
    thrown = error;
  }
  expect(resultOfException(thrown)).toEqual({ kind: 'too_deep' });
});

test('the threads of a process that has judged by a schema end when they are idle, but for one', async () => {
  const started: { readonly worker: Worker; readonly ready: Promise<unknown>; readonly end: Promise<unknown> }[] = [];
  const note = (worker: Worker): void =>
    void started.push({ worker, ready: once(worker, 'message'), end: once(worker, 'exit') });
  process.on('worker', note);
  const clock = new ManualClock();
  const quietly = new SchemaValidation(clock, () => {});
  try {
    const schema = await quietly.check('owner', JSON.stringify(PLAIN));
    if (typeof schema === 'string' || 'message' in schema) throw new Error('the schema was refused');
    await Promise.all(started.map(({ ready }) => ready));
    await clock.advance(3_600_000);
    await Promise.race(started.map(({ end }) => end));
    await clock.advance(3_600_000);
    const living = started.filter(({ worker }) => worker.threadId !== -1);
    expect([started.length, living.length]).toEqual([2, 1]);
    expect(await quietly.judge('owner', schema, '7')).toEqual({ conforms: true, content: '7' });
    expect(started).toHaveLength(2);
  } finally {
    process.off('worker', note);
    await quietly.stop();
  }
});

async function slowestOf(times: number, task: () => unknown): Promise<number> {
  let slowestMs = 0;
  for (let done = 0; done < times; done++) {
    const startedMs = performance.now();
    await task();
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  return slowestMs;
}
