import { expect, test } from 'vitest';
import { eventsOf } from './event-stream.ts';

async function eventsIn(...parts: readonly Uint8Array<ArrayBuffer>[]): Promise<readonly string[]> {
  return await Array.fromAsync(eventsOf(new Response(new Blob([...parts]).stream())));
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

test('the data of each event is read, and comments are not', async () => {
  expect(await eventsIn(bytes(': ping\ndata: {"a":1}\n\ndata:b\n\n: charge\ndata: [DONE]\n\n'))).toEqual([
    '{"a":1}',
    'b',
    '[DONE]',
  ]);
});

test('an event that arrives in pieces, also within a character, is read as one', async () => {
  const whole = bytes('data: Zürich 🚆\n\ndata: b\r\n\r\n');
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await Array.fromAsync(eventsOf(new Response(stream)))).toEqual(['Zürich 🚆', 'b']);
});

test('an event that is cut off is none', async () => {
  expect(await eventsIn(bytes('data: a\n\ndata: b'))).toEqual(['a']);
});
