import { expect, test } from 'vitest';
import { expiryIn } from './access-token-create.tsx';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

test.each([
  ['7', '2026-11-27T11:00:00.000Z'],
  ['30', '2026-12-20T11:00:00.000Z'],
  ['90', '2027-02-18T11:00:00.000Z'],
  ['365', '2027-11-20T11:00:00.000Z'],
] as const)(
  'an access token for %s days ends an hour before, so that a fast clock asks for no more than allowed',
  (days, end) => {
    expect(expiryIn(days, NOW_MS)).toBe(end);
  },
);
