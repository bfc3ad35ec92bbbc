import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReplayedStream } from './replayed-stream.ts';

test('a stream is replayed as fast as its listener takes it, in order, once, and then ends', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (takes) => {
      const payloads = takes.map((_, at) => Buffer.from(String(at)));
      const heard: string[] = [];
      let ends = 0;
      let isCalled = false;
      const stream = new ReplayedStream(payloads, null);
      stream.listen({
        event(payload) {
          heard.push(payload.toString());
          // A resume from within the listener changes nothing, and calls it no second time.
          expect(isCalled).toBe(false);
          isCalled = true;
          stream.resume();
          isCalled = false;
          return takes[heard.length - 1] ?? true;
        },
        over(done, fault) {
          expect([done, fault]).toEqual([true, null]);
          ends++;
        },
      });
      for (let asked = 0; asked <= takes.length; asked++) stream.resume();
      expect(heard).toEqual(payloads.map(String));
      expect(ends).toBe(1);
    }),
  );
});

test('a replay that is given up says nothing more', () => {
  const heard: Buffer[] = [];
  const stream = new ReplayedStream([Buffer.from('a'), Buffer.from('b')], null);
  stream.listen({
    event(payload) {
      heard.push(payload);
      stream.abort();
      return true;
    },
    over: () => expect.unreachable('it was given up'),
  });
  stream.resume();
  expect(heard.map(String)).toEqual(['a']);
});
