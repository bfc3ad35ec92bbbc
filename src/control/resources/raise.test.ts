import { expect, test } from 'vitest';
import type { Period } from '../../domain/window.ts';
import { changedRaise, limitWith, NOT_RAISED, raiseAt, writtenRaise } from './raise.ts';
import type { Raise } from './raise-settings.ts';

const USD = 1_000_000_000n;
const NOW_MS = Date.UTC(2027, 10, 17, 12);
const DECEMBER = new Date(Date.UTC(2027, 11, 1));
const LATER = new Date(NOW_MS + 3_600_000);

const raised = (raisedLimit = 100n * USD, raisedUntil = LATER): Raise => ({ raisedLimit, raisedUntil });

function change(
  given: Partial<Raise>,
  {
    former = NOT_RAISED,
    ...limit
  }: { former?: Raise; limit?: bigint | null; isChanged?: boolean; period?: Period } = {},
) {
  return changedRaise(former, given, {
    limit: 50n * USD,
    isChanged: false,
    period: 'month',
    nowMs: NOW_MS,
    ...limit,
  });
}

test('a raise without an end holds until the end of the period that runs now', () => {
  expect(change({ raisedLimit: 100n * USD })).toEqual({ raisedLimit: 100n * USD, raisedUntil: DECEMBER });
  expect(change({ raisedLimit: 100n * USD, raisedUntil: null }, { period: 'day' })).toMatchObject({
    raisedUntil: new Date(Date.UTC(2027, 10, 18)),
  });
  expect(change({ raisedLimit: 100n * USD }, { period: 'never' })).toMatchObject({ param: 'raised_until' });
  expect(change({ raisedLimit: 100n * USD, raisedUntil: LATER }, { period: 'never' })).toEqual(raised());
});

test('what a change leaves out of a raise stays, and either part alone changes it', () => {
  expect(change({}, { former: raised() })).toEqual(raised());
  expect(change({ raisedLimit: 70n * USD }, { former: raised() })).toEqual(raised(70n * USD));
  expect(change({ raisedUntil: null }, { former: raised() })).toEqual(raised(100n * USD, DECEMBER));
  expect(change({ raisedLimit: null }, { former: raised() })).toEqual(NOT_RAISED);
  expect(change({ raisedUntil: null })).toEqual(NOT_RAISED);
});

test('a changed limit ends its raise, unless the same change raises it again', () => {
  expect(change({}, { former: raised(), isChanged: true })).toEqual(NOT_RAISED);
  expect(change({ raisedLimit: 60n * USD }, { former: raised(), isChanged: true })).toEqual(
    raised(60n * USD, DECEMBER),
  );
  expect(change({ raisedUntil: LATER }, { former: raised(), isChanged: true })).toMatchObject({
    param: 'raised_until',
  });
});

test.each<[string, Partial<Raise>, bigint | null, string]>([
  ['there is no limit', { raisedLimit: 100n * USD }, null, 'raised_limit_usd'],
  ['it is not above the limit', { raisedLimit: 50n * USD }, 50n * USD, 'raised_limit_usd'],
  ['it has an end alone', { raisedUntil: LATER }, 50n * USD, 'raised_until'],
  ['it has an end beside no amount', { raisedLimit: null, raisedUntil: LATER }, 50n * USD, 'raised_until'],
  ['it is over', { raisedLimit: 100n * USD, raisedUntil: new Date(NOW_MS) }, 50n * USD, 'raised_until'],
])('a raise is refused if %s, and the field is named', (_why, given, limit, param) => {
  expect(change(given, { limit })).toMatchObject({ code: 'INVALID_REQUEST', param });
});

test('a raise counts until its end, and never lowers a limit', () => {
  expect(raiseAt(raised(), LATER.getTime() - 1)).toEqual(raised());
  expect(raiseAt(raised(), LATER.getTime())).toEqual(NOT_RAISED);
  expect(limitWith(50n * USD, raised())).toBe(100n * USD);
  expect(limitWith(200n * USD, raised())).toBe(200n * USD);
  expect([limitWith(null, raised()), limitWith(5n, NOT_RAISED)]).toEqual([null, 5n]);
});

test('a raise that stays as it was is not written', () => {
  expect(writtenRaise(raised(), raised(100n * USD, new Date(LATER)))).toEqual({});
  expect(writtenRaise(NOT_RAISED, raised())).toEqual(raised());
  expect(writtenRaise(raised(), NOT_RAISED)).toEqual(NOT_RAISED);
});
