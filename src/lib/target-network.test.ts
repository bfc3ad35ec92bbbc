import { expect, test } from 'vitest';
import { TargetNetwork, TargetRefused } from './target-network.ts';

const closed = new TargetNetwork([], () => Promise.reject(new Error('nothing is resolved')));
const loopback = new TargetNetwork(['127.0.0.0/8', '::1/128']);

test.each([
  'https://localhost/',
  'https://LOCALHOST.:8443/hook',
  'https://a.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://017700000001/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[0:0:0:0:0:ffff:7f00:1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::169.254.169.254]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
])('a webhook may not go to %s, which is no public address', (url) => {
  expect(() => closed.readUrl(url)).toThrow(TargetRefused);
});

test.each([
  'http://example.com/',
  'http://8.8.8.8/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://user:password@example.com/',
  'https://example.com/#fragment',
  'example.com',
  '',
  'http://localhost/',
  'http://127.0.0.1/',
])('a webhook may not go to %j, whatever its host resolves to', (url) => {
  expect(() => closed.readUrl(url)).toThrow(TargetRefused);
});

test.each([
  'https://8.8.8.8/',
  'https://[::ffff:808:808]/',
  'https://[2606:4700::1111]/',
  'https://example.com:8443/path?query=1',
])('a webhook may go to %s, which is public as far as the URL shows', (url) => {
  expect(closed.readUrl(url).href).toBe(url);
});

test('a webhook may go to this machine over http if the operator allows its network', async () => {
  for (const url of ['http://127.0.0.1:8080/', 'http://localhost:8080/', 'http://[::1]/', 'https://127.0.0.1/']) {
    expect(loopback.readUrl(url).href).toBe(url);
  }
  expect(await loopback.locate(new URL('http://localhost:8080/'))).toBe('127.0.0.1');
  expect(() => loopback.readUrl('ftp://127.0.0.1/')).toThrow('is not https');
  const other = new TargetNetwork(['10.1.0.0/16']);
  expect(other.readUrl('https://10.1.2.3/').href).toBe('https://10.1.2.3/');
  expect(() => other.readUrl('http://10.1.2.3/')).toThrow('is not https');
  expect(() => other.readUrl('https://10.2.2.3/')).toThrow(TargetRefused);
});

test.each([
  [['10.0.0.1']],
  [['8.8.8.8', '169.254.169.254']],
  [['::ffff:169.254.169.254']],
  [['::1', '2606:4700::1111']],
  [[]],
])('a webhook may not go to a name that resolves to %j', async (addresses) => {
  const network = new TargetNetwork([], () => Promise.resolve(addresses));
  await expect(network.locate(new URL('https://hook.example/'))).rejects.toThrow(TargetRefused);
});

test('a webhook goes to the public address that its name resolves to', async () => {
  const network = new TargetNetwork([], () => Promise.resolve(['2606:4700::1111', '8.8.8.8']));
  expect(await network.locate(new URL('https://hook.example/'))).toBe('8.8.8.8');
  expect(await new TargetNetwork([], () => Promise.resolve(['2606:4700::1111'])).locate(new URL('https://a.b/'))).toBe(
    '2606:4700::1111',
  );
});

test('a name that does not resolve is a refusal which names no server', async () => {
  await expect(closed.locate(new URL('https://hook.example/'))).rejects.toMatchObject({
    name: 'TargetRefused',
    message: 'has a host that does not resolve',
    cause: new Error('nothing is resolved'),
  });
});

test.each([
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['1fff:ffff::1', '2001::', '2001:1ff:ffff::1', '2001:200::1'],
  ['2001:db7:ffff::1', '2001:db8::', '2001:db8:ffff::1', '2001:db9::1'],
  ['2001:ffff::1', '2002::', '2002:ffff::1', '2003::1'],
  ['3ffe:ffff::1', '3fff::', '3fff:fff::1', '3fff:1000::1'],
])('a closed network ends where it ends: after %s comes %s, and after %s comes %s', (before, first, last, after) => {
  const mayGo = (address: string): boolean => {
    try {
      closed.readUrl(`https://${address.includes(':') ? `[${address}]` : address}/`);
      return true;
    } catch {
      return false;
    }
  };
  expect([first, last].map(mayGo)).toEqual([false, false]);
  // What is before 2000::/3 is closed as well.
  expect([before, after].map(mayGo)).toEqual([!before.startsWith('1fff'), true]);
});

test.each([
  ['no URL', 'is not a URL'],
  ['https://user@example.com/', 'has credentials in it'],
  ['https://:password@example.com/', 'has credentials in it'],
  ['https://example.com/#a', 'has a fragment'],
  ['http://example.com/', 'is not https'],
  [
    'http://localhost./',
    'leads to an address that is not public; the operator can allow its network by webhooks.allowed_networks',
  ],
])('the URL %s %s', (url, reason) => {
  expect(() => closed.readUrl(url)).toThrow(new TargetRefused(reason));
});

test('plain http goes to no name that resolves to another machine, nor to one of IPv6 alone that is this one', async () => {
  const resolved = (...addresses: string[]) =>
    new TargetNetwork(['127.0.0.0/8', '::1/128'], () => Promise.resolve(addresses));
  const plain = new URL('http://hook.example/');
  await expect(resolved('8.8.8.8').locate(plain)).rejects.toThrow(new TargetRefused('is not https'));
  expect(await resolved('::1').locate(plain)).toBe('::1');
  await expect(resolved().locate(plain)).rejects.toThrow(new TargetRefused('has a host that does not resolve'));
  expect(await resolved('::ffff:127.0.0.1', '127.0.0.2').locate(plain)).toBe('127.0.0.2');
});
