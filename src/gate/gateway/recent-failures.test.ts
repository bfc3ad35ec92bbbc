import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GateStage } from '../../../test/support/gate-stage.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { RecentFailures } from './recent-failures.ts';

const body = (text: string): Buffer => Buffer.from(text);

test('a repeat is one of the same key with the same bytes, within a minute after the failure, and once for each', async () => {
  const clock = new ManualClock();
  const failures = new RecentFailures(clock);
  failures.add('key', body('hello'), 'failed');
  expect(failures.takeRepeated('other', body('hello'))).toBeNull();
  expect(failures.takeRepeated('key', body('hallo'))).toBeNull();
  expect(failures.takeRepeated('key', body('hello '))).toBeNull();
  expect(failures.takeRepeated('key', body('hello'))).toBe('failed');
  expect(failures.takeRepeated('key', body('hello'))).toBeNull();
  failures.add('key', body('hello'), 'refused');
  failures.add('key', body('hello'), 'interrupted');
  await clock.advance(59_999);
  expect(failures.takeRepeated('key', body('hello'))).toBe('refused');
  await clock.advance(1);
  expect(failures.takeRepeated('key', body('hello'))).toBeNull();
});

test('a long body that differs in any place that is looked at is no repeat, and its whole copy is one', () => {
  const sizes = fc.integer({ min: 16_300, max: 200_000 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 15 }), (size, span) => {
      const failures = new RecentFailures(new ManualClock());
      const long = Buffer.alloc(size, 'abcdefghij');
      failures.add('key', long, 'failed');
      const other = Buffer.from(long);
      const at = Math.floor((span * (size - 1_024)) / 15);
      other[at] = 0;
      expect(failures.takeRepeated('key', other)).toBeNull();
      expect(failures.takeRepeated('key', Buffer.from(long))).toBe('failed');
    }),
    { numRuns: 50 },
  );
});

test('however many requests fail, only the last ones are remembered', () => {
  const failures = new RecentFailures(new ManualClock());
  for (let index = 0; index < 10_001; index++) failures.add(`key ${index}`, body('a'), 'failed');
  expect(failures.takeRepeated('key 0', body('a'))).toBeNull();
  expect(failures.takeRepeated('key 1', body('a'))).toBe('failed');
  for (let index = 0; index < 65; index++) failures.add('key', body(String.fromCodePoint(1 + index)), 'failed');
  expect(failures.takeRepeated('key', body('\u{1}'))).toBeNull();
  expect(failures.takeRepeated('key', body('\u{2}'))).toBe('failed');
  expect(failures.takeRepeated('key', body('A'))).toBe('failed');
});

test('of keys whose requests fail, the one whose last failure is the oldest is forgotten first', () => {
  const failures = new RecentFailures(new ManualClock());
  for (let index = 0; index < 10_000; index++) failures.add(`key ${index}`, body('a'), 'failed');
  failures.add('key 0', body('b'), 'failed');
  failures.add('another', body('a'), 'failed');
  expect(failures.takeRepeated('key 1', body('a'))).toBeNull();
  expect(failures.takeRepeated('key 0', body('b'))).toBe('failed');
  expect(failures.takeRepeated('key 0', body('a'))).toBe('failed');
});

test('a failure that was repeated leaves its place to another one', () => {
  const failures = new RecentFailures(new ManualClock());
  for (let index = 0; index < 10_000; index++) failures.add(`key ${index}`, body('a'), 'failed');
  expect(failures.takeRepeated('key 5', body('a'))).toBe('failed');
  failures.add('another', body('a'), 'failed');
  expect(failures.takeRepeated('key 0', body('a'))).toBe('failed');
});

test('a request of a key that has failed with other bytes alone is no repeat, nor is one before any failure', () => {
  const failures = new RecentFailures(new ManualClock());
  expect(failures.takeRepeated('key', body(''))).toBeNull();
  failures.add('key', body('a'), 'failed');
  expect(failures.takeRepeated('key', body('b'))).toBeNull();
  expect(failures.takeRepeated('key', body('a'))).toBe('failed');
});

const BROKEN = { kind: 'broken', message: 'it broke off' } as const;

test('the receipt of a request that repeats one whose attempts failed says so, and that of another one does not', async () => {
  const stage = new GateStage();
  const answer = stage.attempt;
  stage.attempt = (sink) => sink.fault(BROKEN);
  await stage.send({ user: 'a' }).done;
  stage.attempt = answer;
  await stage.send({ user: 'b' }).done;
  await stage.send({ user: 'a' }).done;
  await stage.send({ user: 'a' }).done;
  expect(stage.closed.map(({ outcome, extras }) => [outcome, extras])).toEqual([
    ['failed', undefined],
    ['completed', undefined],
    ['completed', { retry: true }],
    ['completed', undefined],
  ]);
  expect(stage.retries).toEqual(['failed']);
});

test('the repeat of a refused request is counted, and marked if it gets an answer', async () => {
  const stage = new GateStage();
  const standing = { requests: null, tokens: null };
  stage.takePermit = () => ({ kind: 'exceeded', limit: 'requests', most: 1, retryAfterMs: 5, standing });
  await stage.send().done;
  await stage.send().done;
  stage.takePermit = () => null;
  await stage.send({}, { session: 'one' }).done;
  expect(stage.retries).toEqual(['refused', 'refused']);
  expect(stage.closed.map(({ extras }) => extras)).toEqual([{ session: 'one', retry: true }]);
});

test('a stream that broke off, and a call that its caller left, are repeated by what has the same body', async () => {
  const stage = new GateStage();
  const answer = stage.attempt;
  stage.attempt = (sink) => {
    sink.event(Buffer.from('{"choices":[{"index":0,"delta":{"content":"hi"}}]}'));
    sink.fault(BROKEN);
  };
  await stage.send({ stream: true }).done;
  stage.attempt = answer;
  await stage.send({ stream: true }).done;
  stage.attempt = () => undefined;
  const left = stage.send();
  await stage.clock.advance(0);
  left.caller.leave();
  stage.attempt = answer;
  const repeat = stage.send();
  await repeat.done;
  expect(stage.retries).toEqual(['interrupted', 'abandoned']);
  expect(stage.closed.map(({ extras }) => extras?.retry)).toContain(true);
  expect(repeat.caller.isOver).toBe(true);
});
