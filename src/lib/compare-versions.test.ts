import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test('versions are ordered by their numbers, not by their digits', () => {
  expect(['0.10.0', '0.9.1', '1.0.0', '0.9.0'].toSorted(compareVersions)).toEqual([
    '0.9.0',
    '0.9.1',
    '0.10.0',
    '1.0.0',
  ]);
});

test('versions with the same numbers are equal, whatever follows them', () => {
  expect(compareVersions('0.3.0-dev', '0.3.0')).toBe(0);
});
