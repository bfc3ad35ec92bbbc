import { expect, test } from 'vitest';
import type { CatalogueModelJson } from '../../../src/control/admin/catalogue/model-contract.ts';
import type { PriceAdjustmentJson } from '../../../src/control/admin/catalogue/price-contract.ts';
import { affectedBy, percentOf, type Way } from './price-adjust.tsx';

test.each<[Way, string, string | null]>([
  ['discount', '12.5', '-12.5'],
  ['discount', ' 10 % ', '-10'],
  ['markup', '12.5', '12.5'],
  ['markup', '20%', '20'],
  ['list', '12.5', '0'],
  ['list', '', '0'],
  ['discount', '', null],
  ['markup', '  ', null],
  ['discount', '-5', null],
  ['markup', '-5', null],
  ['markup', '12.345', null],
  ['discount', 'ten', null],
])('a %s of "%s" is sent as %s', (way, typed, percent) => {
  expect(percentOf(way, typed)).toBe(percent);
});

test('a change for all models concerns those without a price of their own, and a change for one that alone', () => {
  const onSale = ['a', 'b', 'c'].map((id) => ({ id })) as unknown as readonly CatalogueModelJson[];
  const adjustments = [
    { model: 'a', ended_at: null },
    { model: 'b', ended_at: '2026-11-01T00:00:00Z' },
    { model: null, ended_at: null },
  ] as unknown as readonly PriceAdjustmentJson[];
  const ids = (model: string, known: typeof adjustments | undefined = adjustments) =>
    affectedBy(model, onSale, known)?.map(({ id }) => id);
  expect(ids('')).toEqual(['b', 'c']);
  expect(ids('a')).toEqual(['a']);
  expect(affectedBy('', onSale, undefined)).toBeUndefined();
  expect(affectedBy('', undefined, adjustments)).toBeUndefined();
});
