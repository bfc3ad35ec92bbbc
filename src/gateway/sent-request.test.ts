import { expect, test, vi } from 'vitest';
import type { CompletionRequest } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import type { Model } from '../domain/model.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { preparedChatFor, preparedFor } from './sent-request.ts';

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
    const translating = vi.spyOn(request, 'toChat');
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
    const translating = vi.spyOn(request, 'toChat');
    expect(await preparedChatFor(NATIVE, MODEL, request)).toMatchObject({ isChat: true, leftOut: [] });
    expect(translating).not.toHaveBeenCalled();
  },
);

test('a large request is translated again for a provider that takes more of a chat request, or for a model that reasons', async () => {
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
