import { expect, test } from 'vitest';
import { usageCommand } from './usage-command.ts';

const FROM = '2026-11-01T00:00:00.000Z';

test('the command of usage has the buckets and the comparison of the question', () => {
  const question = { group_by: 'key', bucket: 'hour', compare: 'true', from: FROM } as const;
  expect(usageCommand('w', question).join(' ')).toBe('usage w --by key --bucket hour --compare --since 2026-11-01');
});

test('usage by days without groups is the days of the command', () => {
  expect(usageCommand('w', { bucket: 'day', from: FROM }).join(' ')).toBe('usage w --by day --since 2026-11-01');
});
