import { expect, test } from 'vitest';
import { auditFilterOf } from './audit-search.ts';

const NOTHING = { action: undefined, target: undefined, user: undefined, from: undefined, to: undefined };

test.each([
  ['everything without a filter', {}, {}],
  ['one kind of change', { action: 'key.create' }, { action: 'key.create' }],
  ['changes of one thing', { target: 'a-project' }, { target: 'a-project' }],
  ['changes by one user', { user: 'a-user' }, { user: 'a-user' }],
  ['all from the start of the first day on', { from: '2026-11-03' }, { from: '2026-11-03T00:00:00.000Z' }],
  ['all up to the end of the last day', { to: '2026-11-30' }, { to: '2026-12-01T00:00:00.000Z' }],
  [
    'one day, if it is the first and the last',
    { from: '2026-11-03', to: '2026-11-03' },
    { from: '2026-11-03T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' },
  ],
])('the audit log shows %s', (_, search, filter) => {
  expect(auditFilterOf(search)).toEqual({ ...NOTHING, ...filter });
});
