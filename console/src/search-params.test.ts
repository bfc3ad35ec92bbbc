import { expect, test } from 'vitest';
import { day, flag, month, oneOf, parseSearch, search, stringifySearch, text } from './search-params.ts';

const read = search({ search: text, archived: flag, tab: oneOf(['rules', 'webhooks']), month, day });

test('a page reads the parameters of its address that it knows, and drops all others', () => {
  const address = '?search=a+b%26c&archived=true&tab=webhooks&month=2026-12&day=2026-11-20&other=1';
  expect(read(parseSearch(address))).toEqual({
    search: 'a b&c',
    archived: 'true',
    tab: 'webhooks',
    month: '2026-12',
    day: '2026-11-20',
  });
});

test.each([
  ['a flag that is not "true"', { archived: '1' }],
  ['a word that is none of the choices', { tab: 'webhook' }],
  ['a name that every object has', { tab: 'constructor' }],
  ['a month that no year has', { month: '2026-13' }],
  ['a month of another millennium', { month: '1999-12' }],
  ['a month with more behind it', { month: '2026-120' }],
  ['a day that no month has', { day: '2026-11-31T' }],
  ['a day that is no date', { day: '2026-99-99' }],
  ['a value that is no text', { search: 5, archived: true }],
])('a page reads %s as if it were left out', (_, given) => {
  expect(read(given)).toEqual({});
});

test('what a page writes into its address is what it reads of it', () => {
  const values = { search: 'ä=&+ #?', tab: 'rules' };
  expect(read(parseSearch(stringifySearch(values)))).toEqual(values);
});
