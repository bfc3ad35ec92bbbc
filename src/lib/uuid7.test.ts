import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AssertionFailure } from './assert.ts';
import { createIds, isUuid, uuid7Ms } from './uuid7.ts';

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const LAST_MS = 2 ** 48 - 1;

test('createIds makes lower-case UUIDs of version 7 that rise strictly as text, however the clock steps', () => {
  const clock = fc.array(fc.integer({ min: 0, max: LAST_MS - 1 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(clock, (readings) => {
      let step = 0;
      const nextId = createIds(() => readings[step] ?? 0);
      let previous = '';
      for (step = 0; step < readings.length; step++) {
        const id = nextId();
        expect(id).toMatch(SHAPE);
        expect(id > previous).toBe(true);
        previous = id;
      }
    }),
  );
});

test('createIds carries the clock, or the latest time seen where the clock has stepped back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LAST_MS }), fc.nat(), (latest, back) => {
      const readings = [latest, Math.max(0, latest - back)];
      const nextId = createIds(() => readings.shift() ?? 0);
      expect(uuid7Ms(nextId())).toBe(latest);
      expect(uuid7Ms(nextId())).toBe(latest);
    }),
  );
});

test('createIds drops fractions of a millisecond', () => {
  expect(uuid7Ms(createIds(() => 1_700_000_000_000.75)())).toBe(1_700_000_000_000);
});

test('createIds keeps a hundred thousand ids of one millisecond in order and in that millisecond', () => {
  const nextId = createIds(() => 1_700_000_000_000);
  const ids = Array.from({ length: 100_000 }, nextId);
  expect(ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? ''))).toBe(-1);
  expect(ids.findIndex((id) => !id.startsWith('018bcfe5-6800-7'))).toBe(-1);
});

test('createIds differs between two sources on the same clock', () => {
  const [one, other] = [createIds(() => 5), createIds(() => 5)];
  expect(one()).not.toBe(other());
});

test('createIds refuses a clock that a UUIDv7 cannot carry', () => {
  expect(() => createIds(() => LAST_MS + 1)()).toThrow(AssertionFailure);
  expect(() => createIds(() => Number.NaN)()).toThrow(AssertionFailure);
  expect(() => createIds(() => -1)()).toThrow(AssertionFailure);
});

test('isUuid takes canonical lower-case text only', () => {
  expect(isUuid('018bcfe5-6800-7abc-8def-0123456789ab')).toBe(true);
  expect(isUuid('018BCFE5-6800-7ABC-8DEF-0123456789AB')).toBe(false);
  expect(isUuid('018bcfe568007abc8def0123456789ab')).toBe(false);
  expect(isUuid('018bcfe5-6800-7abc-8def-0123456789ab\n')).toBe(false);
  expect(isUuid('')).toBe(false);
});

test('uuid7Ms asserts that the id is a UUIDv7', () => {
  expect(() => uuid7Ms('018bcfe5-6800-4abc-8def-0123456789ab')).toThrow(AssertionFailure);
  expect(() => uuid7Ms('not an id')).toThrow(AssertionFailure);
});
