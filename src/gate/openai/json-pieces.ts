import { isUtf8 } from 'node:buffer';
import { ownTurn } from '../../lib/own-turn.ts';
import * as grammar from './json-grammar.ts';
import type { PassedValues } from './json-scan.ts';
import { beginDocument } from './json-string-end.ts';

/** The structure that is skipped in one piece: ten milliseconds of numbers, up to thirty of short strings. */
const PIECE_STRUCTURE = 4_000_000;

/**
 * Checks a large document in turns of the event loop, so that a scan afterwards can skip its large values. Returns
 * their ends; null if it isn't JSON, or has more structure than this.
 */
export async function passInPieces(bytes: Buffer, structureMax = Infinity): Promise<PassedValues | null> {
  if (!isUtf8(bytes)) return null;
  const skip = grammar.beginSkip(bytes);
  for (let left = structureMax; left > 0; left -= PIECE_STRUCTURE) {
    await ownTurn();
    beginDocument();
    skip.structureLeft = Math.min(PIECE_STRUCTURE, left);
    const end = grammar.goOn(bytes, skip);
    if (end >= 0) return grammar.skipSpace(bytes, end) === bytes.length ? skip.passed : null;
    if (end !== grammar.TOO_MUCH) return null;
  }
  return null;
}
