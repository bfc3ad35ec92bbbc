import type { NativeCall } from './upstream.ts';

/** The unchanged body of a request in one piece, for an upstream that reads it. */
export function wholeBody({ request, upstreamModel, cap, reasoning }: NativeCall): Buffer {
  const pieces = request.body({ upstreamModel, cap, reasoning });
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
