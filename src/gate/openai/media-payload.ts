import type { JsonScan } from './json-scan.ts';

// The payloads of media in a request, which the bytes of its text don't count.

export type MediaKind = 'images' | 'audios' | 'files';

export interface MediaPayload {
  readonly bytes: number;
  /** The kind of the data URL's content type; null for any other text. */
  readonly kind: MediaKind | null;
}

export const NO_PAYLOAD: MediaPayload = { bytes: 0, kind: null };

/**
 * Measures the string at this position, and skips any other value: a data URL counts whole; other text counts whole if
 * base64 is expected, and as zero if it is an ordinary URL.
 */
export function readMediaPayload(scan: JsonScan, holds: 'base64' | 'url'): MediaPayload {
  const start = scan.at;
  const isString = scan.kind() === 'string';
  scan.skip();
  if (!isString || scan.fault !== null) return NO_PAYLOAD;
  const bytes = scan.at - start - 2;
  const head = scan.bytes.toString('latin1', start + 1, Math.min(start + 33, scan.at - 1));
  const plain = head.replaceAll('\\/', '/').toLowerCase();
  if (!plain.startsWith('data:')) return holds === 'base64' ? { bytes, kind: null } : NO_PAYLOAD;
  const kind = plain.startsWith('data:image/') ? 'images' : plain.startsWith('data:audio/') ? 'audios' : 'files';
  return { bytes, kind };
}
