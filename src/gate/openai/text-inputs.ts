import { fieldFault, type BodyFault } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';

// Inputs that are texts or arrays of tokens, one or several, for embeddings and legacy completions.

const INPUTS_MAX = 2_048;
/** Somewhat more than the structure of a million tokens. */
export const TEXTS_STRUCTURE_MAX = 10_000_000;

export const TOKEN_DIGITS_MAX = 10;

/** Reads the value of `param` in any of its four shapes, and adds the bytes or tokens of each input to `sizes`. */
export function readTextInputs(scan: JsonScan, param: string, sizes: number[]): BodyFault | null {
  return readInputs(scan, sizes) ? null : wrongInput(param);
}

function wrongInput(param: string): BodyFault {
  return fieldFault(
    param,
    `'${param}' must be a string, an array of token numbers, or an array of 1 to ${INPUTS_MAX} of either, none of them empty.`,
  );
}

function readInputs(scan: JsonScan, sizes: number[]): boolean {
  if (scan.kind() === 'string') return readText(scan, sizes);
  if (!scan.enterArray() || !scan.nextElement()) return false;
  const kind = scan.kind();
  if (kind === 'number') return readTokens(scan, sizes);
  do {
    if (scan.kind() !== kind || sizes.length === INPUTS_MAX) return false;
    if (kind === 'string') {
      if (!readText(scan, sizes)) return false;
    } else if (!scan.enterArray() || !scan.nextElement() || !readTokens(scan, sizes)) {
      return false;
    }
  } while (scan.nextElement());
  return true;
}

function readText(scan: JsonScan, sizes: number[]): boolean {
  const size = scan.decodedBytes();
  // The scan's own fault is more precise.
  if (scan.fault !== null) return true;
  sizes.push(size);
  return size > 0;
}

/** Counts the tokens of an array from its first element, where the scan is, to its end. */
function readTokens(scan: JsonScan, sizes: number[]): boolean {
  const tokens = scan.wholeNumbers(TOKEN_DIGITS_MAX);
  if (tokens === null) return false;
  sizes.push(tokens);
  return true;
}
