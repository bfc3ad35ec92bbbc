import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printFigure } from '../support/figures.ts';
import { HeapSampler } from './heap-sampler.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SMALL_ANSWER, SMALL_USAGE, smallChatConfig } from '../support/small-chat.ts';

// What a request costs, counted by what doesn't vary: the bytes that the gateway allocates for it. A change that makes it a twentieth
// dearer must say so here.
// Three things that depend on the machine's pace are taken out. What the program does of itself is measured while no request comes.
// What the optimiser compiles allocates less, and when it does is its own affair: here it doesn't run. How many requests share a batch
// is a matter of luck: here one comes after the other.

/** Kilobytes allocated for a request. */
const ALLOWED = { plain: 112, 'stream of 100 chunks': 486, 'prompt of 100 KB': 128 } as const;
/** The program's V8 neither optimises nor inlines. NODE_OPTIONS takes no such flag, but a module that sets it. */
const UNOPTIMISED = `--import=data:text/javascript,${encodeURIComponent("import { setFlagsFromString } from 'node:v8'; for (const compiler of ['opt', 'maglev']) setFlagsFromString(`--no-${compiler}`);")}`;
/** Requests before the count: caches fill, and inline caches settle. */
const WARM_UP = 300;
/** As many as make 30 MB. */
const MEASURED = { plain: 300, 'stream of 100 chunks': 70, 'prompt of 100 KB': 250 } as const;
const KB = 1_024;
const IDLE_MS = 2_000;
const SHOWN = 12;

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
let sampler: HeapSampler;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { body }) => {
    const isStream = body.includes('"stream":true');
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? STREAM : SMALL_ANSWER);
  });
  program = await startProgram({
    beside: [upstream],
    args: ['--no-bootstrap'],
    config: smallChatConfig(upstream),
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:0 ${UNOPTIMISED}` },
  });
  key = (await program.createTenant({ credit: '1000' })).key;
  sampler = await HeapSampler.open(program);
});

afterAll(async () => {
  sampler.close();
  await program.dispose();
});

/** Kilobytes that a request allocates, by function, without what the program does of itself in that time. */
async function allocatedBy(body: object, times: number): Promise<ReadonlyMap<string, number>> {
  const idleSinceMs = performance.now();
  const idle = await sampler.during(() => delay(IDLE_MS));
  const idleMs = performance.now() - idleSinceMs;
  const sinceMs = performance.now();
  const asked = await sampler.during(() => ask(times, body));
  const share = (performance.now() - sinceMs) / idleMs;
  const names = new Set([...idle.keys(), ...asked.keys()]);
  const each = (name: string): number => ((asked.get(name) ?? 0) - (idle.get(name) ?? 0) * share) / times / KB;
  return new Map(Array.from(names, (name) => [name, each(name)]));
}

function sumOf(functions: ReadonlyMap<string, number>): number {
  return [...functions.values()].reduce((sum, kilobytes) => sum + kilobytes, 0);
}

async function ask(times: number, body: object): Promise<void> {
  for (let count = 0; count < times; count++) await askOnce(body);
}

async function askOnce(body: object): Promise<void> {
  const response = await program.chat(key, body);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

test.each([
  ['plain', 'hi', false],
  ['stream of 100 chunks', 'hi', true],
  ['prompt of 100 KB', 'word '.repeat(20 * KB), false],
] as const)(
  'a request allocates no more than it did: %s',
  async (name, content, stream) => {
    const body = { model: 'small-chat', max_tokens: 100, stream, messages: [{ role: 'user', content }] };
    await ask(WARM_UP, body);
    let functions = await allocatedBy(body, MEASURED[name]);
    // What the program does of itself now and then may fall into one count; it hardly falls into two.
    if (sumOf(functions) >= ALLOWED[name]) functions = await allocatedBy(body, MEASURED[name]);
    printFigure(name, sumOf(functions), 'KB allocated a request');
    const isMore = sumOf(functions) >= ALLOWED[name];
    const most = [...functions].toSorted(([, one], [, other]) => other - one).slice(0, isMore ? SHOWN : 0);
    expect(most.map(([where, kilobytes]) => `${kilobytes.toFixed(1)} KB by ${where}`)).toEqual([]);
  },
  240_000,
);
