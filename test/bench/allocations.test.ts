import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printFigure } from '../support/figures.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SMALL_ANSWER, SMALL_USAGE, smallChatConfig } from '../support/small-chat.ts';
import { chat, createTenant } from '../support/tenant.ts';

// What a request costs, counted by what hardly varies: the bytes that the gateway allocates for it once its code is warm. A change that makes it a tenth dearer must say so here.

/** Kilobytes allocated for a request. */
const ALLOWED = { plain: 47, 'stream of 100 chunks': 196, 'prompt of 100 KB': 42 } as const;
const SLACK = 1.1;
/** Requests, that many at a time. The first of them compile the code that all share. */
const WARM_UP = { plain: 10_000, 'stream of 100 chunks': 2_400, 'prompt of 100 KB': 2_400 } as const;
const MEASURED = 1_600;
const AT_A_TIME = 16;
const IDLE_MS = 1_500;
const KB = 1_024;

function chunk(delta: object, finish: string | null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices, ...more })}\n\n`;
}

const STREAM = [
  ...Array.from({ length: 99 }, () => chunk({ content: 'word ' }, null)),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices: [], usage: SMALL_USAGE })}\n\n`,
  'data: [DONE]\n\n',
].join('');

let upstream: ScriptedUpstream;
let program: Program;
let key: string;

const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { body }) => {
    const isStream = body.includes('"stream":true');
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? STREAM : SMALL_ANSWER);
  });
  running.defer(() => upstream.stop());
  program = await startProgram({ args: ['--no-bootstrap'], config: smallChatConfig(upstream) });
  running.defer(() => program.dispose());
  key = (await createTenant(program, { credit: '1000' })).key;
});

/** Kilobytes that the program has allocated so far. */
async function allocated(): Promise<number> {
  const token = (await readFile(join(program.data, 'operator-token'), 'utf8')).trim();
  const response = await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const bytes = /^nodejs_heap_allocated_bytes_total (\S+)$/m.exec(await response.text())?.[1];
  return Number(bytes) / KB;
}

interface Allocated {
  readonly kilobytes: number;
  /** What of it a look at the count has allocated. */
  readonly looking: number;
  readonly ms: number;
}

async function allocatedDuring(work: () => Promise<unknown>): Promise<Allocated> {
  const earlier = await allocated();
  const before = await allocated();
  const beganMs = performance.now();
  await work();
  const ms = performance.now() - beganMs;
  return { kilobytes: (await allocated()) - before, looking: before - earlier, ms };
}

async function ask(times: number, body: object): Promise<void> {
  for (let count = 0; count < times; count += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, () => askOnce(body)));
  }
}

async function askOnce(body: object): Promise<void> {
  const response = await chat(program, key, body);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

test.each([
  ['plain', 'hi', false],
  ['stream of 100 chunks', 'hi', true],
  ['prompt of 100 KB', 'word '.repeat(20 * KB), false],
] as const)('%s: allocates no more than it did', async (name, content, stream) => {
  const body = { model: 'small-chat', max_tokens: 100, stream, messages: [{ role: 'user', content }] };
  await ask(WARM_UP[name], body);
  const idle = await allocatedDuring(() => sleep(IDLE_MS));
  const busy = await allocatedDuring(() => ask(MEASURED, body));
  // Looking at it allocates too, and so does what the program does of itself, by the second.
  const perMs = (idle.kilobytes - busy.looking) / idle.ms;
  const each = (busy.kilobytes - busy.looking - perMs * busy.ms) / MEASURED;
  printFigure(name, each, 'KB allocated a request');
  expect(each).toBeLessThan(ALLOWED[name] * SLACK);
});
