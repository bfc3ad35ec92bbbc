import { InvalidArgumentError } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as values from './option-values.ts';

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 2, 17, 14, 25, 30) }));
afterEach(() => vi.useRealTimers());

type Parse = (text: string) => unknown;
const { countOrNone, countAboveZero, countUpTo, hoursUpTo, httpStatus, usd, usdOrNone, signedUsd, percent } = values;
const { instant, instantOrNone, modelList, modelsOrNone, timeSince, wholeTimeSince } = values;

test.each<[string, Parse, string, unknown]>([
  ['count or none', countOrNone, '1', 1],
  ['count or none', countOrNone, '999999999999', 999_999_999_999],
  ['count or none', countOrNone, 'none', 'none'],
  ['count above zero', countAboveZero, '1', 1],
  ['count up to 50', countUpTo(50), '1', 1],
  ['count up to 50', countUpTo(50), '50', 50],
  ['number of hours up to 720', hoursUpTo(720), '0', 0],
  ['number of hours up to 720', hoursUpTo(720), '720', 720],
  ['status', httpStatus, '200', '200'],
  ['status', httpStatus, '2xx', '2xx'],
  ['status', httpStatus, '402', '402'],
  ['status', httpStatus, '4xx', '4xx'],
  ['status', httpStatus, '503', '503'],
  ['status', httpStatus, '5xx', '5xx'],
  ['amount', usd, '0', '0'],
  ['amount', usd, '999999999.999999999', '999999999.999999999'],
  ['amount or none', usdOrNone, '5', '5'],
  ['amount or none', usdOrNone, 'none', 'none'],
  ['signed amount', signedUsd, '5.25', '5.25'],
  ['signed amount', signedUsd, '-5.25', '-5.25'],
  ['percentage', percent, '10%', '10'],
  ['percentage', percent, '12.55', '12.55'],
  ['percentage', percent, '0', '0'],
  ['list of models', modelList, ' a, b ,,', ['a', 'b']],
  ['list of models or none', modelsOrNone, 'a/*,b', ['a/*', 'b']],
  ['list of models or none', modelsOrNone, 'none', 'none'],
  ['instant', instant, '2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['instant', instant, '2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['instant', instant, '2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ['instant', instant, '2027-01-31T12:00+02:00', '2027-01-31T10:00:00.000Z'],
  ['instant', instant, '2027-01-31T23:59:59.5Z', '2027-01-31T23:59:59.500Z'],
  ['instant or none', instantOrNone, 'none', 'none'],
  ['instant or none', instantOrNone, '2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['time before now', timeSince, '30m', '2026-03-17T13:55:30.000Z'],
  ['time before now', timeSince, '12h', '2026-03-17T02:25:30.000Z'],
  ['time before now', timeSince, '7d', '2026-03-10T14:25:30.000Z'],
  ['time before now', timeSince, '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['whole time before now', wholeTimeSince, '90m', '2026-03-17T12:00:00.000Z'],
  ['whole time before now', wholeTimeSince, '12h', '2026-03-17T02:00:00.000Z'],
  ['whole time before now', wholeTimeSince, '7d', '2026-03-10T00:00:00.000Z'],
  ['whole time before now', wholeTimeSince, '2026-03-01T10:30:00Z', '2026-03-01T10:30:00.000Z'],
])('an option that is a %s is read as what people mean', (_, parse, text, value) => {
  expect(parse(text)).toEqual(value);
});

test.each<[string, Parse, readonly string[]]>([
  ['count or none', countOrNone, ['0', '-1', '1.5', 'x', '', '1000000000000', 'None']],
  ['count above zero', countAboveZero, ['0', 'none', '1e3']],
  ['count up to 50', countUpTo(50), ['0', '51']],
  ['number of hours up to 720', hoursUpTo(720), ['721', '-1', '1.5', '1000']],
  ['status', httpStatus, ['100', '201', '302', '3xx', '600', '40', '4xxx', 'x']],
  ['amount', usd, ['-1', '1.', '.5', '1,5', '1000000000', '0.0000000001', '1e3', '$5']],
  ['amount or none', usdOrNone, ['-1', 'None']],
  ['signed amount', signedUsd, ['--1', '-', '+1']],
  ['percentage', percent, ['-1', '1000', '1.255', '10%%', '%']],
  ['list of models', modelList, ['', ' , ']],
  ['list of models or none', modelsOrNone, ['', ',']],
  ['instant', instant, ['2027-02-30', '2027-13-01', '2027-1-1', '2027-01-31T24:00Z', '2027-01-31T12:00', 'tomorrow']],
  ['instant or none', instantOrNone, ['never', '2027-02-30']],
  ['time before now', timeSince, ['12', '12s', '1w', '-1h', '100000d', '2027-02-30']],
  ['whole time before now', wholeTimeSince, ['12s', '2027-02-30']],
])('no other text is a %s', (_, parse, texts) => {
  for (const text of texts) expect(() => parse(text)).toThrow(InvalidArgumentError);
});

test('each note is added to those before it, and none alone removes all', () => {
  const { notesOrNone } = values;
  expect(notesOrNone('none')).toEqual({});
  expect(notesOrNone('team=search')).toEqual({ team: 'search' });
  expect(notesOrNone('a=b=c', { team: 'search' })).toEqual({ team: 'search', a: 'b=c' });
  expect(notesOrNone('team=', { team: 'search' })).toEqual({ team: '' });
  expect(notesOrNone(`${'n'.repeat(40)}=${'v'.repeat(200)}`)).toEqual({ ['n'.repeat(40)]: 'v'.repeat(200) });
  for (const wrong of ['team', '=search', `${'n'.repeat(41)}=v`, `n=${'v'.repeat(201)}`]) {
    expect(() => notesOrNone(wrong)).toThrow(InvalidArgumentError);
  }
  expect(() => notesOrNone('none', { team: 'search' })).toThrow(InvalidArgumentError);
});

test('none stands for a limit that is removed, and an option that is left out changes nothing', () => {
  expect(values.nullForNone('none')).toBeNull();
  expect(values.nullForNone(undefined)).toBeUndefined();
  expect(values.nullForNone('5')).toBe('5');
});
