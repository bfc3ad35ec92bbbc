import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printFigure } from '../support/figures.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SMALL_ANSWER, SMALL_USAGE, smallChatConfig } from '../support/small-chat.ts';

// What a request costs, counted by what doesn't vary: the bytes that the gateway allocates for it. A change that makes it a tenth dearer must say so here.
// Three things that depend on the machine's pace are taken out. What the program does of itself is measured while nobody asks. What the optimiser compiles allocates less, and when it does is its own affair: here it doesn't run. How many requests share a batch is a matter of luck: here one comes after the other.

/** Kilobytes allocated for a request. */
const ALLOWED = { plain: 93, 'stream of 100 chunks': 470, 'prompt of 100 KB': 104 } as const;
const SLACK = 1.1;
/** The program's V8 neither optimises nor inlines. NODE_OPTIONS takes no such flag, but a module that sets it. */
const UNOPTIMISED = `--import=data:text/javascript,${encodeURIComponent("import { setFlagsFromString } from 'node:v8'; for (const compiler of ['opt', 'maglev']) setFlagsFromString(`--no-${compiler}`);")}`;
/** Requests before the count: caches fill, and inline caches settle. */
const WARM_UP = 300;
/** V8 counts what is free in its young space with each look at the count, some megabytes: so many requests that they don't matter. */
const MEASURED = { plain: 1_100, 'stream of 100 chunks': 400, 'prompt of 100 KB': 1_000 } as const;
const KB = 1_024;
const IDLE_MS = 2_000;
const TRIES_MAX = 4;

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
    env: { NODE_OPTIONS: UNOPTIMISED },
  });
  key = (await program.createTenant({ credit: '1000' })).key;
});

afterAll(() => program.dispose());

/** Kilobytes that the program has allocated so far. */
async function allocated(): Promise<number> {
  const bytes = /^nodejs_heap_allocated_bytes_total (\S+)$/m.exec(await program.metrics())?.[1];
  return Number(bytes) / KB;
}

/** Kilobytes that the program allocates while this runs, and how long it takes. */
async function allocatedWhile(work: () => Promise<unknown>): Promise<{ kilobytes: number; ms: number }> {
  const [before, startedMs] = [await allocated(), performance.now()];
  await work();
  return { kilobytes: (await allocated()) - before, ms: performance.now() - startedMs };
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
    const measure = async (): Promise<number> => {
      const idle = await allocatedWhile(() => delay(IDLE_MS));
      const asked = await allocatedWhile(() => ask(MEASURED[name], body));
      return (asked.kilobytes - (idle.kilobytes / idle.ms) * asked.ms) / MEASURED[name];
    };
    const allowed = ALLOWED[name] * SLACK;
    // What else happens on a busy machine only adds to the figure, so the least of a few is the request's own.
    let each = await measure();
    for (let tries = 1; tries < TRIES_MAX && each >= allowed; tries += 1) each = Math.min(each, await measure());
    printFigure(name, each, 'KB allocated a request');
    expect(each).toBeLessThan(allowed);
  },
  240_000,
);
