const CODINGS = ['br', 'gzip', 'identity'] as const;

/** A content coding that pages are kept in. */
export type ContentCoding = (typeof CODINGS)[number];

/**
 * The best coding of those that a file is kept in, by the request's `Accept-Encoding`; of equals the smallest. Where the
 * client refuses them all, the file goes out as it is: it could do nothing with a refusal.
 */
export function acceptedCoding(header: string | undefined, kept: ReadonlySet<ContentCoding>): ContentCoding {
  const weights = new Map((header ?? '').split(',').map(weightOf));
  const weigh = (coding: ContentCoding): number =>
    weights.get(coding) ?? (coding === 'identity' ? (weights.get('*') ?? 1) * 1e-6 : (weights.get('*') ?? 0));
  let best: ContentCoding = 'identity';
  let bestWeight = 0;
  for (const coding of CODINGS) {
    const weight = kept.has(coding) ? weigh(coding) : 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return best;
}

/** A coding of the header with its weight between 0 and 1; what can't be read counts as not accepted. */
function weightOf(item: string): readonly [coding: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  const weight = /^[01](\.\d{0,3})?$/.test(given) ? Math.min(Number(given), 1) : 0;
  return [name === 'x-gzip' ? 'gzip' : name, weight];
}
