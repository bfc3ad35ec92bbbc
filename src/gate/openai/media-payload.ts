import type { JsonScan } from './json-scan.ts';

// The payloads of media in a request, which the bytes of its text don't count.

export type MediaKind = 'images' | 'audios' | 'files';

export interface MediaPayload {
  readonly bytes: number;
  /** What a data URL says that it holds; null of any other text. */
  readonly kind: MediaKind | null;
}

export const NO_PAYLOAD: MediaPayload = { bytes: 0, kind: null };

/**
 * Measures the string here, and passes over any other value: a data URL as a whole; other text as a whole where base64
 * stands, or not at all where it is the URL of something elsewhere.
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
