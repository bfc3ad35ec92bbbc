import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('a recent map gives up what was used longest ago, not what was put in first', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
});

test('a recent map weighs its values, counts a replaced one once, and keeps none that is too heavy', () => {
  const map = new RecentMap<string, string>(10, (value) => value.length);
  map.set('a', 'xxxx');
  map.set('a', 'yyyyy');
  map.set('b', 'zzzzz');
  expect([map.get('a'), map.get('b')]).toEqual(['yyyyy', 'zzzzz']);
  map.set('c', 'c'.repeat(11));
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, undefined, undefined]);
  map.set('d', 'd'.repeat(10));
  expect(map.get('d')).toHaveLength(10);
});
