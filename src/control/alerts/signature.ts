import { createHmac, randomBytes } from 'node:crypto';

export const SIGNATURE_HEADER = 'faregate-signature';
export const NOTICE_ID_HEADER = 'faregate-notice-id';

export const SECRET_PREFIX = 'fg_whsec_';
const SECRET_BYTES = 32;

/** A new secret of a webhook endpoint. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The value of the signature header: the time that it was made, and for each secret what it signs with. */
export function signatureOf(body: string, secrets: readonly string[], nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}
