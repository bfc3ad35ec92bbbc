import { expect, test } from 'vitest';
import { newWebhookSecret, signatureOf } from './signature.ts';

test('a signature has the whole second in which it was made, and is that of the second and the body', () => {
  // echo -n '1800000000.{"a":"é"}' | openssl dgst -sha256 -hmac one
  const signed = 't=1800000000,v1=2194a809856e204e73caa9a70b25dd5de565289202a4d15372538fdf958715b2';
  expect(signatureOf('{"a":"é"}', ['one'], 1_800_000_000_000)).toBe(signed);
  expect(signatureOf('{"a":"é"}', ['one'], 1_800_000_000_999)).toBe(signed);
});

test('a secret of an endpoint has a prefix by which scanners find it, and 256 random bits', () => {
  expect(newWebhookSecret()).toMatch(/^fg_whsec_[\w-]{43}$/);
  expect(newWebhookSecret()).not.toBe(newWebhookSecret());
});
