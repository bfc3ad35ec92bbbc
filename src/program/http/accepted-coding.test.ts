import { expect, test } from 'vitest';
import { acceptedCoding, type ContentCoding } from './accepted-coding.ts';

const ALL: ReadonlySet<ContentCoding> = new Set(['br', 'gzip', 'identity'] as const);

test.each<[string | undefined, ContentCoding]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['identity, br;q=0.5', 'identity'],
  ['br;q=0', 'identity'],
  ['br;q=2', 'identity'],
  ['br;q=nonsense, gzip', 'gzip'],
  ['deflate', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
  ['identity;q=0, br;q=0, gzip;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0.0001', 'identity'],
  ['gzip;q=0.5, *;q=0.7', 'br'],
  ['br ; q=0.2 , gzip ; level=9 ; q=0.3', 'gzip'],
])('Accept-Encoding %j is answered in the best coding that it accepts', (header, coding) => {
  expect(acceptedCoding(header, ALL)).toBe(coding);
});

test('a file goes out as it is where it is kept in no other coding', () => {
  expect(acceptedCoding('br, gzip', new Set(['identity'] as const))).toBe('identity');
  expect(acceptedCoding('br, gzip', new Set(['gzip', 'identity'] as const))).toBe('gzip');
});
