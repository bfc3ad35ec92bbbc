import { expect, test } from 'vitest';
import { isNetwork } from './network-range.ts';

test('networks are recognised by an address and the length of its prefix', () => {
  expect(['10.0.0.0/8', 'fd00::/8', '::1/128', '127.0.0.1/32', '0.0.0.0/0'].every(isNetwork)).toBe(true);
  expect(['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'example.com/8', ''].some(isNetwork)).toBe(false);
});
