import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionsWithin, openFilesFor, openFilesMax } from './open-files.ts';

test('as many open files as so many connections need are enough for them, and one less is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 1_000_000 }), (connections) => {
      expect(connectionsWithin(openFilesFor(connections))).toBeGreaterThanOrEqual(connections);
      expect(connectionsWithin(openFilesFor(connections) - 1)).toBeLessThan(connections);
    }),
  );
});

test('however few files may be open, one connection is taken', () => {
  expect(connectionsWithin(64)).toBe(1);
  expect(connectionsWithin(Infinity)).toBe(Infinity);
});

test('the limit of this process is found', () => {
  expect(openFilesMax()).toBeGreaterThan(64);
});
