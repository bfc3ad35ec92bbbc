import { hash, randomInt } from 'node:crypto';

// The text of a redemption code: fifteen random symbols and a check symbol, such as 7K2M-QX4T-9HZD-3VWR. The alphabet is
// Crockford's base 32, in which no two symbols look alike: people type these from paper.

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 75 random bits: too many to guess, so a plain hash of a code can be stored. */
const RANDOM_SYMBOLS = 15;
const SYMBOLS = RANDOM_SYMBOLS + 1;
const GROUP = 4;
/** x⁵ + x² + 1, by which the 32 symbols are a field. */
const POLYNOMIAL = 0b100101;

/** A new random code. */
export function newCode(): string {
  const values = Array.from({ length: RANDOM_SYMBOLS }, () => randomInt(ALPHABET.length));
  return grouped([...values, checkOf(values)].map((value) => ALPHABET.charAt(value)).join(''));
}

/**
 * The code that somebody typed, in its canonical form; null if it can't be one. Case, spaces and dashes make no difference,
 * nor do O for 0, and I or L for 1. The check symbol finds every single wrong symbol and every swap of two neighbours.
 */
export function readCode(typed: string): string | null {
  const symbols = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (symbols.length !== SYMBOLS) return null;
  const values = Array.from(symbols, (symbol) => ALPHABET.indexOf(symbol));
  if (values.includes(-1) || checkOf(values.slice(0, -1)) !== values.at(-1)) return null;
  return grouped(symbols);
}

/** What is stored of a code. */
export function hashOfCode(code: string): Buffer {
  return hash('sha256', code, 'buffer');
}

/** The weighted sum of the symbols in the field of 32, each weight the double of the one before. */
function checkOf(values: readonly number[]): number {
  return values.reduce((sum, value) => double(sum ^ value), 0);
}

function double(value: number): number {
  const shifted = value << 1;
  return shifted >= ALPHABET.length ? shifted ^ POLYNOMIAL : shifted;
}

function grouped(symbols: string): string {
  return Array.from({ length: SYMBOLS / GROUP }, (_, group) => symbols.slice(group * GROUP, (group + 1) * GROUP)).join(
    '-',
  );
}
