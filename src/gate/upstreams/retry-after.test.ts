import { expect, test } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');

test.each([
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after': ' 7 ' }, 7_000],
  [{ 'retry-after': ['3', '9'] }, 3_000],
  [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
  [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
  [{ 'retry-after': '99999999' }, 300_000],
  [{ 'retry-after': '299.5' }, 299_500],
  [{ 'retry-after-ms': '3600000' }, 300_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 300_000],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': 'tomorrow' }, null],
  [{ 'retry-after': '' }, null],
  [{}, null],
])('an upstream that asks to be left alone by %j is left alone for %j ms', (headers, expected) => {
  expect(readRetryAfterMs(headers, NOW_MS)).toBe(expected);
});
