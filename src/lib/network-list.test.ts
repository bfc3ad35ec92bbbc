import { expect, test } from 'vitest';
import { NetworkList } from './network-list.ts';

const list = new NetworkList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']);

test.each(['10.255.0.1', '::ffff:10.0.0.1', '::FFFF:a00:1', '192.0.2.7', '2001:db8:1::9', '2001:db8::1%eth0', '::1'])(
  'the address %s is in the list, however it is written',
  (address) => {
    expect(list.has(address)).toBe(true);
  },
);

test.each(['11.0.0.1', '192.0.2.8', '::ffff:192.0.2.8', '2001:db9::1', '::', '', 'unknown', '10.0.0.1, 8.8.8.8'])(
  'the address "%s" is not in the list',
  (address) => {
    expect(list.has(address)).toBe(false);
  },
);

test('a list of nothing has no address, and all of IPv4 is a part of all of IPv6, as mapped addresses are', () => {
  expect(new NetworkList([]).has('10.0.0.1')).toBe(false);
  expect(new NetworkList(['0.0.0.0/0']).has('8.8.8.8')).toBe(true);
  expect(new NetworkList(['0.0.0.0/0']).has('2001:db8::1')).toBe(false);
  expect(new NetworkList(['::/0']).has('8.8.8.8')).toBe(true);
});
