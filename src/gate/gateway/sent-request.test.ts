import { expect, test, vi } from 'vitest';
import type { CompletionRequest } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import type { Model } from '../../domain/model.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ParsedRequest } from './read.ts';
import { preparedChatFor, preparedFor, refuseUnsayable } from './sent-request.ts';

const MODEL = { reasoning: false } as Model;
const send = () => {
  throw new Error('nothing is sent here');
};
const NATIVE = { natives: { responses: send, messages: send } } as unknown as Upstream;
const OTHER = {} as Upstream;

function requestOf(endpoint: 'responses' | 'messages', text: string): CompletionRequest {
  const turns = [{ role: 'user', content: text }];
  const body = endpoint === 'responses' ? { input: turns } : { messages: turns, max_tokens: 9 };
  const reading = DIALECTS[endpoint].read(Buffer.from(JSON.stringify({ model: 'm', ...body })), {});
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

const LARGE = 'x'.repeat(300_000);

test.each(['responses', 'messages'] as const)(
  'a large request of %s that goes from a provider of its API to another is translated in a thread, once',
  async (endpoint) => {
    const request = requestOf(endpoint, LARGE);
    const translating = vi.spyOn(request.chat!, 'toChat');
    expect(preparedFor(NATIVE, MODEL, request)).toMatchObject({ isChat: false });
    const sent = await preparedFor(OTHER, MODEL, request);
    expect(sent).toMatchObject({ isChat: true, leftOut: [] });
    expect(translating).not.toHaveBeenCalled();
    expect(preparedFor(OTHER, MODEL, request)).toMatchObject({ isChat: true });
  },
);

test.each(['responses', 'messages'] as const)(
  'a large request of %s that its provider is sent as it is, and then in chat, is translated in a thread',
  async (endpoint) => {
    const request = requestOf(endpoint, LARGE);
    const translating = vi.spyOn(request.chat!, 'toChat');
    expect(await preparedChatFor(NATIVE, MODEL, request)).toMatchObject({ isChat: true, leftOut: [] });
    expect(translating).not.toHaveBeenCalled();
  },
);

test('a large request is translated again for a provider that takes more of a chat, or for a model that reasons', async () => {
  const large = requestOf('messages', LARGE);
  const targets = [
    [OTHER, MODEL],
    [{ chatExtensions: 'openrouter' } as unknown as Upstream, MODEL],
    [OTHER, { reasoning: true } as Model],
  ] as const;
  for (const [upstream, model] of targets) {
    const prepared = preparedFor(upstream, model, large);
    expect(prepared).toBeInstanceOf(Promise);
    expect(await prepared).toMatchObject({ isChat: true });
    // Once for each of them.
    expect(preparedFor(upstream, model, large)).toMatchObject({ isChat: true });
  }
});

test('a small request is prepared for any provider without a promise', () => {
  const request = requestOf('responses', 'hi');
  expect(preparedFor(OTHER, MODEL, request)).toMatchObject({ isChat: true });
  expect(preparedFor(NATIVE, MODEL, request)).toMatchObject({ isChat: false });
});

/** A custom tool is called with a text. Chat has functions only, so the translation records which were custom. */
function requestWithTool(): CompletionRequest {
  const tools = [{ type: 'custom', name: 'patch' }];
  const reading = DIALECTS.responses.read(Buffer.from(JSON.stringify({ model: 'm', input: LARGE, tools })), {});
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

test('an answer to a request that was translated in a thread calls the tools by the caller’s kinds', async () => {
  const request = requestWithTool();
  await preparedFor(OTHER, MODEL, request);
  const call = { id: 'c1', type: 'function', function: { name: 'patch', arguments: '{"input":"a"}' } };
  const completion = Buffer.from(JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] }));
  const answer = JSON.parse(String(request.chat!.fromChat(completion, '0190'))) as { output: unknown[] };
  expect(answer.output).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: 'a' }]);
});

test('a large request that chat has no words for is refused with the thread’s reason, and leaves no notes', async () => {
  const request = DIALECTS.responses.read(
    Buffer.from(
      JSON.stringify({ model: 'm', input: [{ role: 'user', content: LARGE }, { type: 'item_of_tomorrow' }] }),
    ),
    {},
  );
  if (!request.ok) throw new Error(request.fault.message);
  const noting = vi.spyOn(request.request.chat!.notes!, 'read');
  const prepared = await preparedFor(OTHER, MODEL, request.request);
  expect(prepared).toMatchObject({ message: expect.any(String), param: 'input[1].type' });
  expect(noting).not.toHaveBeenCalled();
});

test('a request of a model none of whose providers is configured is not refused for its words', () => {
  const gate = { upstreams: { of: () => undefined } } as unknown as GatewayDeps;
  const model = { ...MODEL, routes: [{ provider: 'gone', upstreamModel: 'm' }] } as unknown as Model;
  for (const unknown of [[], [{ name: 'novel', where: 'novel' }]]) {
    const request = Object.assign(requestOf('responses', 'hi'), { unknown });
    const parsed = { request } as unknown as ParsedRequest;
    expect(refuseUnsayable(gate, model, parsed)).toBeNull();
  }
});
