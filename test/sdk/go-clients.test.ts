import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { framesOf } from '../support/event-frames.ts';
import { until } from '../support/eventually.ts';
import { Gateway } from '../wire/gateway.ts';
import { beginStream, DONE, event, finish, gradually, text, usageChunk } from '../wire/upstream-scripts.ts';

// Go's clients read a stream line by line, and take each blank line for the end of an event.

/** A program that has been compiled of test/sdk/go; `npm run clients:go` compiles it. */
const CLIENTS = process.env['FAREGATE_GO'];

let gateway: Gateway;
/** How long the upstream is silent, before its answer and within it. */
let silence: () => Promise<void>;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: '{ ping: 20ms }' });
  gateway.script(
    gradually(async (response) => {
      await silence();
      beginStream(response);
      response.write(event(text('hello ')));
      await silence();
      response.end([text('there'), finish(), usageChunk()].map(event).join('') + DONE);
    }),
  );
});

afterAll(() => gateway.program.dispose());

const ASKED = { model: 'chat', stream: true, max_tokens: 1_000 };
const MESSAGES = [{ role: 'user', content: 'hi' }];

test.each([
  { path: '/v1/chat/completions', fields: { messages: MESSAGES } },
  { path: '/v1/messages', fields: { messages: MESSAGES } },
  { path: '/v1/responses', fields: { input: 'hi', max_tokens: undefined } },
])('no event of a stream that is pinged is without data, nor is its charge: $path', async ({ path, fields }) => {
  let streamed = '';
  silence = async () => {
    const pings = (): number => streamed.split(/ping|response\.in_progress/).length;
    const before = pings();
    await until(() => pings() > before + 4);
  };
  const response = await gateway.post(path, JSON.stringify({ ...ASKED, ...fields }));
  for await (const bytes of response.body ?? []) streamed += Buffer.from(bytes).toString();
  const frames = framesOf(streamed).filter(({ name }) => name !== 'ping');
  expect(frames.length).toBeGreaterThan(2);
  if (path.endsWith('completions')) expect(streamed).toMatch(/^: ping\n/);
  expect(streamed).toMatch(/\n\n: faregate-charge 0\.\d+\n[^\n]+\n(?:[^\n]+\n)?\n$/);
});

interface Heard {
  readonly text: string;
  /** The JSON of `usage.cost`, for which all of them ask. */
  readonly cost: string;
  readonly error: string;
}

describe.runIf(CLIENTS !== undefined)("Go's clients", () => {
  let heard: Readonly<Record<string, Heard>>;

  beforeAll(async () => {
    silence = () => delay(100);
    const env = { FAREGATE_URL: gateway.url, FAREGATE_KEY: gateway.key, FAREGATE_MODEL: 'chat' };
    const { stdout } = await promisify(execFile)(CLIENTS ?? '', [], { env });
    heard = JSON.parse(stdout) as typeof heard;
  });

  test.each(['openai-go 1', 'openai-go 2', 'openai-go 3', 'openai-go 3, Responses', 'anthropic-sdk-go'])(
    'Go’s clients read a stream that is pinged to its end, and show its cost: %s',
    (client) => {
      expect(heard[client]).toEqual({ text: 'hello there', cost: '"0.000057"', error: '' });
    },
  );
});

test.runIf(CLIENTS === undefined)("Go's clients are not here: npm run clients:go gets them", () => {
  expect(CLIENTS).toBeUndefined();
});
