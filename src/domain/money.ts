import { assert } from '../lib/assert.ts';

// Amounts are whole nano-USD (1e-9 USD) in a bigint. No float ever holds money.

/** An amount of money in nano-USD; negative only if a correction takes it away. */
export type NanoUsd = bigint;

export const NANO_PER_USD = 1_000_000_000n;

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/;

/** Reads a decimal string of USD ("5", "0.000000001") exactly; null if it isn't one or has more than nine decimals. */
export function parseUsd(text: string): NanoUsd | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const amount = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -amount : amount;
}

/** Parses a decimal string of USD that is known to be valid. */
export function checkedUsd(text: string): NanoUsd {
  const amount = parseUsd(text);
  assert(amount !== null, 'an amount that was found to be a decimal is one');
  return amount;
}

/** Writes an amount as a decimal string of USD with at least two decimals: 5n → "0.000000005", 5 USD → "5.00". */
export function formatUsd(amount: NanoUsd): string {
  const magnitude = amount < 0n ? -amount : amount;
  const fraction = (magnitude % NANO_PER_USD)
    .toString()
    .padStart(9, '0')
    .replace(/0{1,7}$/, '');
  return `${amount < 0n ? '-' : ''}${magnitude / NANO_PER_USD}.${fraction}`;
}

/** The same for millionths of a nano-USD, the unit of tokens times rates before rounding. */
export function formatExactUsd(millionths: bigint): string {
  const fraction = (millionths % (NANO_PER_USD * 1_000_000n))
    .toString()
    .padStart(15, '0')
    .replace(/0{1,13}$/, '');
  return `${millionths / (NANO_PER_USD * 1_000_000n)}.${fraction}`;
}

/** The digits of a whole number in groups of three: 1204 → "1,204". */
export function groupDigits(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** An amount in JSON: an integer string for programs, a decimal for people. */
export type AmountFields<Name extends string, Value = string> = {
  [Field in `${Name}_nano_usd` | `${Name}_usd`]: Value;
};

/** The two JSON fields of an amount. */
export function amountFields<Name extends string>(name: Name, amount: NanoUsd): AmountFields<Name> {
  const fields = { [`${name}_nano_usd`]: amount.toString(), [`${name}_usd`]: formatUsd(amount) };
  return fields as AmountFields<Name>;
}

/** The same for an amount that may be missing, such as a limit: then both fields are null. */
export function optionalAmountFields<Name extends string>(
  name: Name,
  amount: NanoUsd | null,
): AmountFields<Name, string | null> {
  if (amount !== null) return amountFields(name, amount);
  return { [`${name}_nano_usd`]: null, [`${name}_usd`]: null } as AmountFields<Name, null>;
}
