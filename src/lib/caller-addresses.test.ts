import { expect, test } from 'vitest';
import { CallerAddresses } from './caller-addresses.ts';

const PROXIES = ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7'];

test.each([
  ['a caller without a proxy, whatever it writes', '198.51.100.4', '203.0.113.9', '198.51.100.4'],
  ['a proxy that forwards for nobody', '10.0.0.2', undefined, '10.0.0.2'],
  ['one address', '10.0.0.2', '203.0.113.9', '203.0.113.9'],
  ['an address that the caller forged before its own', '10.0.0.2', '198.51.100.77, 203.0.113.9', '203.0.113.9'],
  ['the address of a proxy, forged before its own', '10.0.0.2', '10.0.0.9, 203.0.113.9', '203.0.113.9'],
  ['two proxies in a row', '10.0.0.2', '198.51.100.77, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
  ['a proxy that stands before the untrusted one', '10.0.0.2', '10.0.0.8,203.0.113.9,10.0.0.3', '203.0.113.9'],
  ['an address of IPv6, forged before its own', '2001:db8:1::5', '2001:db8:9::1, 2001:db8:2::7', '2001:db8:2::7'],
  ['IPv4 as IPv6 has it', '::ffff:10.0.0.2', '198.51.100.77, ::ffff:203.0.113.9', '203.0.113.9'],
  ['a name in place of an address', '10.0.0.2', '203.0.113.9, unknown', '10.0.0.2'],
  ['proxies alone', '10.0.0.2', '10.0.0.3, 10.0.0.4', '10.0.0.3'],
])('the address of a caller is the last that no trusted proxy has: %s', (_case, socket, forwarded, address) => {
  expect(new CallerAddresses(PROXIES).find(socket, forwarded)).toBe(address);
});

test('of a long list of forwarded addresses a bounded number is read', () => {
  const own = Array.from({ length: 5_000 }, () => '10.0.0.3');
  expect(new CallerAddresses(PROXIES).find('10.0.0.2', ['203.0.113.9', ...own].join(', '))).toBe('10.0.0.3');
});
