import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { type Bytes, destroyOnFault } from './long-answers.ts';

/** A body whose parts a test gives one by one, behind the connection of a client. */
function answering() {
  const faults: unknown[] = [];
  const outgoing = { destroyed: false, setTimeout: () => undefined, destroy: () => void (outgoing.destroyed = true) };
  const asked: PromiseWithResolvers<string | null>[] = [];
  const source = { cancelled: false };
  const body: Bytes = new ReadableStream(
    {
      async pull(controller) {
        const part = Promise.withResolvers<string | null>();
        asked.push(part);
        const text = await part.promise;
        if (source.cancelled) return;
        if (text === null) controller.close();
        else controller.enqueue(new TextEncoder().encode(text));
      },
      cancel: () => void (source.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  const context = { env: { outgoing } as unknown as HttpBindings } as unknown as Context;
  const answer = destroyOnFault(context, body, (fault) => void faults.push(fault));
  const part = (): PromiseWithResolvers<string | null> => {
    const next = asked.shift();
    if (next === undefined) throw new Error('nothing was asked for');
    return next;
  };
  return { reader: answer.getReader(), outgoing, faults, source, part };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test('a long answer that fails midway destroys the connection and is reported', async () => {
  const { reader, outgoing, faults, part } = answering();
  const first = reader.read();
  await turn();
  part().resolve('rows');
  expect((await first).done).toBe(false);
  const second = reader.read();
  await turn();
  const fault = new Error('the database is away');
  part().reject(fault);
  await second;
  expect({ faults, destroyed: outgoing.destroyed }).toEqual({ faults: [fault], destroyed: true });
});

test.each<[string, (part: PromiseWithResolvers<string | null>) => void]>([
  ['arrives', (part) => part.resolve('rows')],
  ['ends', (part) => part.resolve(null)],
  ['fails', (part) => part.reject(new Error('its statement was cancelled'))],
])('a client that leaves a long answer ends it, and what then %s is no fault', async (_what, happen) => {
  const { reader, faults, source, part } = answering();
  const reading = reader.read();
  await turn();
  const asked = part();
  await reader.cancel();
  happen(asked);
  await reading;
  await turn();
  expect({ faults, cancelled: source.cancelled }).toEqual({ faults: [], cancelled: true });
});

test('a long answer whose connection broke before it failed is no fault either', async () => {
  const { reader, outgoing, faults, part } = answering();
  const reading = reader.read();
  await turn();
  outgoing.destroyed = true;
  part().reject(new Error('its statement was cancelled'));
  await reading;
  expect(faults).toEqual([]);
});
