import { expect, test } from 'vitest';
import { deliveryHelp, deliveryStatus, lastAnswer } from './delivery-words.ts';

const webhook = (last_error: string | null, last_status: number | null = null) =>
  ({ channel: 'webhook', state: 'waiting', last_error, last_status }) as const;

test.each([
  [301, 'redirects are not followed'],
  [403, 'signature'],
  [404, 'Check the URL'],
  [410, 'gone for good'],
  [422, 'does not accept the body'],
  [503, 'The receiver failed'],
])('a webhook that was answered with %i says what to do about it', (status, help) => {
  expect(deliveryHelp(webhook(`it answered ${status}`, status))).toContain(help);
});

test.each([
  ['the connection failed (ECONNREFUSED)', 'Nothing listens'],
  ['the URL has a host that does not resolve', 'DNS'],
  ['the connection failed (CERT_HAS_EXPIRED)', 'certificate'],
  ['it took too long', '10 seconds'],
  [
    'the URL leads to an address that is not public; the operator can allow its network by webhooks.allowed_networks',
    'public addresses',
  ],
])('a webhook of which "%s" is known says what to do about it', (error, help) => {
  expect(deliveryHelp(webhook(error))).toContain(help);
});

test('a delivery says what its last attempt met with, and whether it is tried again', () => {
  expect(lastAnswer(webhook(null))).toBeNull();
  expect(lastAnswer(webhook('it took too long'))).toBe('It took too long.');
  expect(lastAnswer({ ...webhook(null, 204), state: 'sent' })).toBe('It answered 204.');
  expect(deliveryStatus(webhook(null)).word).toBe('waiting');
  expect(deliveryStatus(webhook('it took too long')).word).toBe('trying again');
  expect(deliveryStatus({ ...webhook('no'), state: 'given_up' }).word).toBe('given up');
  expect(deliveryHelp({ ...webhook('550 no such user'), channel: 'mail' })).toBeNull();
});
