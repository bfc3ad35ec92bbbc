import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../test/support/test-certificate.ts';
import { loadConfig } from './load-config.ts';
import { printConfig } from './print-config.ts';

const { cert, key } = TEST_CERTIFICATE;

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-config-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const locked = privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' });
  const files = {
    'a.crt': cert,
    'a.key': key,
    'two.crt': `# Root\n${cert}\n# Other\n${cert}`,
    'spoilt.crt': `${cert}\n${cert.replace('MIIB', 'XIIB')}`,
    'cut.crt': `${cert}\n${cert.slice(0, 200)}`,
    'other.key': privateKey.export({ format: 'pem', type: 'pkcs8' }),
    'locked.key': locked,
    'empty.crt': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
});
afterEach(() => rmSync(cwd, { recursive: true }));

function load(tls: string) {
  writeFileSync(join(cwd, 'faregate.yaml'), `providers:\n  p:\n    kind: anthropic\n    tls: ${tls}\n`);
  return loadConfig({ flags: {}, env: {}, cwd });
}

const read = (tls: string) => load(tls).providers[0]?.tls;
const file = (name: string, text: string) => ({ path: join(cwd, name), text });

test('a provider’s certificates are read from files beside the config file', () => {
  expect(read('{ ca: a.crt }')).toEqual({ ca: file('a.crt', cert), cert: null, key: null });
  expect(read('{ cert: ./a.crt, key: a.key }')).toEqual({
    ca: null,
    cert: file('a.crt', cert),
    key: file('a.key', key),
  });
  expect(read('{ ca: two.crt }')?.ca?.path).toBe(join(cwd, 'two.crt'));
  expect(read('{}')).toBeNull();
});

test('a provider’s certificates are printed as paths, never as keys', () => {
  const printed = printConfig(load('{ ca: a.crt, cert: a.crt, key: a.key }'));
  expect(printed).toContain(`key: ${join(cwd, 'a.key')}`);
  expect(printed).not.toContain('PRIVATE');
});

test.each([
  ['{ ca: none }', '4:16: the file named by tls.ca cannot be read; name a readable file in PEM'],
  ['{ cert: none, key: a.key }', '4:18: the file named by tls.cert cannot be read; name a readable file in PEM'],
  ['{ cert: a.crt }', '4:18: tls.cert stands without tls.key; name both files, or neither'],
  ['{ key: a.key }', '4:17: tls.key stands without tls.cert; name both files, or neither'],
  ['{ ca: empty.crt }', '4:16: the file named by tls.ca holds no certificate in PEM; write one that begins with'],
  ['{ ca: a.key }', '4:16: the file named by tls.ca holds no certificate in PEM; write one that begins with'],
  ['{ ca: spoilt.crt }', '4:16: the file named by tls.ca holds no certificate in PEM; write one that begins with'],
  ['{ ca: cut.crt }', '4:16: the file named by tls.ca holds no certificate in PEM; write one that begins with'],
  ['{ cert: a.key, key: a.key }', '4:18: the file named by tls.cert holds no certificate in PEM; write one'],
  ['{ cert: a.crt, key: other.key }', '4:30: the file named by tls.key holds no key of the certificate in tls.cert'],
  ['{ cert: a.crt, key: locked.key }', '4:30: the file named by tls.key holds no key of the certificate in tls.cert'],
  ['{ cert: a.crt, key: a.crt }', '4:30: the file named by tls.key holds no key of the certificate in tls.cert'],
  ['{ ca: a.crt, cacert: a.crt }', '4:23: unknown key "cacert"; did you mean "cert"?'],
  ['a.crt', '4:10: providers.p.tls is a string; write a mapping such as { ca: /etc/ssl/company-ca.pem }'],
])('a provider’s certificates that can’t be used are one line that says where: %s', (tls, message) => {
  expect(() => load(tls)).toThrow(`faregate.yaml:${message}`);
});

const proxyOf = (proxy: string, env = {}) => {
  writeFileSync(join(cwd, 'faregate.yaml'), `providers:\n  p: { kind: gemini, proxy: ${proxy} }\n`);
  return loadConfig({ flags: {}, env, cwd });
};

test.each([
  ['"http://u:p4ssword@proxy.example:3128"', 'http://u:p4ssword@proxy.example:3128/'],
  ['proxy.example:3128', 'http://proxy.example:3128/'],
  ['none', null],
  ['false', null],
])('a provider’s proxy is what the file says before what the environment says: %s', (written, expected) => {
  const config = proxyOf(written, { HTTPS_PROXY: 'http://other.example' });
  expect(config.providers[0]?.proxy).toBe(expected);
  expect(printConfig(config)).not.toContain('p4ssword');
});

test('a provider’s proxy is the environment’s where the file says nothing', () => {
  writeFileSync(join(cwd, 'faregate.yaml'), 'providers:\n  p: { kind: gemini }\n  s: { kind: sandbox }\n');
  const { providers } = loadConfig({ flags: {}, env: { HTTPS_PROXY: 'http://other.example' }, cwd });
  expect(providers.map(({ proxy }) => proxy)).toEqual(['http://other.example/', null]);
});

test.each(['socks5://proxy', 'true', '"http://proxy/p4th"', '[1]'])(
  'a provider’s proxy that is none is a mistake: %s',
  (written) => {
    expect(() => proxyOf(written)).toThrow(
      /^faregate\.yaml:2:29: providers\.p\.proxy .*write an http or https address/,
    );
    expect(() => proxyOf(written)).not.toThrow(/p4th/);
  },
);
