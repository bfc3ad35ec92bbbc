const MASK = '[masked]';

/**
 * The bytes without the provider's key, which some servers repeat when they refuse it. Keys of well-known forms are
 * masked elsewhere; this one may have any form.
 */
export function withoutSecret(bytes: Buffer, secret: string | null): Buffer {
  if (secret === null || secret === '' || !bytes.includes(secret)) return bytes;
  return Buffer.from(bytes.toString().replaceAll(secret, MASK));
}
