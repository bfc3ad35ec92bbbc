import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const PROXY = 'http://proxy.example:3128/';
const VENDOR = 'https://api.vendor.example/v1';

test.each<[string, string, Record<string, string>, string | null]>([
  ['HTTPS_PROXY is for https', VENDOR, { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other' }, PROXY],
  ['HTTP_PROXY is for http', 'http://api.vendor.example', { HTTPS_PROXY: 'http://other', HTTP_PROXY: PROXY }, PROXY],
  ['HTTPS_PROXY is not for http', 'http://api.vendor.example', { HTTPS_PROXY: PROXY }, null],
  ['lower case counts', VENDOR, { https_proxy: PROXY }, PROXY],
  ['lower case counts before upper case', VENDOR, { HTTPS_PROXY: 'http://other', https_proxy: PROXY }, PROXY],
  ['one that is empty counts as unset', VENDOR, { HTTPS_PROXY: PROXY, https_proxy: '' }, PROXY],
  ['without a scheme it is taken for http', VENDOR, { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
  ['none is set', VENDOR, {}, null],
  ['what runs on this machine is reached without it', 'http://127.0.0.1:11434/v1', { HTTP_PROXY: PROXY }, null],
  ['so it is by name', 'http://localhost:11434/v1', { HTTP_PROXY: PROXY }, null],
  ['and in IPv6', 'http://[::1]:11434/v1', { HTTP_PROXY: PROXY }, null],
])('the proxy of the environment: %s', (_what, address, env, expected) => {
  expect(environmentProxy(address, env)).toBe(expected);
});

test.each(['socks5://proxy:1080', 'http://', 'http://proxy/path', 'http://u%zz@proxy'])(
  'the proxy of the environment that can’t be one is a mistake of its variable, not repeated: %s',
  (value) => {
    const read = (): unknown => environmentProxy(VENDOR, { https_proxy: value });
    expect(read).toThrow(/^https_proxy: is not the address of a proxy; /);
    expect(read).not.toThrow(/socks|path|zz/);
  },
);

test('the proxy of the environment that can’t be one is no mistake where none is used', () => {
  const env = { HTTPS_PROXY: 'socks5://proxy:1080', NO_PROXY: 'vendor.example' };
  expect(environmentProxy(VENDOR, env)).toBeNull();
  expect(environmentProxy('http://localhost', env)).toBeNull();
});

test.each([
  ['*', VENDOR],
  ['api.vendor.example', VENDOR],
  ['vendor.example', VENDOR],
  ['.vendor.example', VENDOR],
  ['*.vendor.example', VENDOR],
  ['VENDOR.Example.', VENDOR],
  ['example', VENDOR],
  ['other, vendor.example', VENDOR],
  ['other vendor.example', VENDOR],
  ['vendor.example', 'https://api.vendor.example.:8443'],
  ['vendor.example:443', VENDOR],
  ['vendor.example:8443', 'https://vendor.example:8443/v1'],
  ['10.1.2.3', 'https://10.1.2.3/v1'],
  ['10.1.2.3:443', 'https://10.1.2.3/v1'],
  ['10.0.0.0/8', 'https://10.1.2.3:8443/v1'],
  ['fd00::/8', 'https://[fd00::17]/v1'],
  ['fd00:0::17', 'https://[fd00::17]/v1'],
  ['[fd00::17]:443', 'https://[fd00::17]/v1'],
])('NO_PROXY excepts: %s: %s', (exceptions, address) => {
  expect(environmentProxy(address, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBeNull();
  expect(environmentProxy(address, { HTTPS_PROXY: PROXY, no_proxy: exceptions })).toBeNull();
});

test.each([
  ['', VENDOR],
  [',', VENDOR],
  ['.', VENDOR],
  ['endor.example', VENDOR],
  ['v1.api.vendor.example', VENDOR],
  ['api.vendor.example.com', VENDOR],
  ['vendor.example:8443', VENDOR],
  ['api*', VENDOR],
  ['0.0.0.0/0', VENDOR],
  ['10.0.0.0/33', 'https://10.1.2.3/v1'],
  ['11.0.0.0/8', 'https://10.1.2.3/v1'],
  ['2.3', 'https://10.1.2.3/v1'],
  ['fd00::/8', 'https://10.1.2.3/v1'],
])('NO_PROXY does not except by %s: %s', (exceptions, address) => {
  expect(environmentProxy(address, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBe(PROXY);
});
