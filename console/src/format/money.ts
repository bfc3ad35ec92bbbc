import { formatUsd, groupDigits, NANO_PER_USD, type NanoUsd } from '../../../src/domain/money.ts';

// Money as people read it. Amounts arrive as integer strings of nano-USD and stay whole numbers until they are text.

/** An amount as the API sends it, or as a page has added it up. */
export type Amount = string | bigint;

const DECIMALS_MIN = 2;
const DECIMALS_MAX = 9;
/** Of amounts below a cent, and of a few cents. */
const SIGNIFICANT_MIN = 2;

const nanoOf = (amount: Amount): NanoUsd => (typeof amount === 'bigint' ? amount : BigInt(amount));

/** How many decimals show cents, and two digits of an amount that has fewer. */
function decimalsShown(magnitude: NanoUsd): number {
  const wholeDigits = magnitude.toString().length - DECIMALS_MAX;
  return Math.min(DECIMALS_MAX, Math.max(DECIMALS_MIN, SIGNIFICANT_MIN - wholeDigits));
}

/** Rounds half away from zero to a number of decimals. */
function round(magnitude: NanoUsd, decimals: number): NanoUsd {
  const step = 10n ** BigInt(DECIMALS_MAX - decimals);
  return ((magnitude + step / 2n) / step) * step;
}

function write(amount: NanoUsd, magnitude: NanoUsd): string {
  const fraction = (magnitude % NANO_PER_USD)
    .toString()
    .padStart(DECIMALS_MAX, '0')
    .replace(/0{1,7}$/, '');
  return `${amount < 0n ? '−' : ''}$${groupDigits((magnitude / NANO_PER_USD).toString())}.${fraction}`;
}

/**
 * An amount for reading, in cents: 41271300000n → "$41.27". Of less, two digits: 4208000n → "$0.0042". What is left out is in
 * `formatMoneyExactly`, which is for prices, receipts and limits that somebody has set.
 */
export function formatMoney(amount: Amount): string {
  const nano = nanoOf(amount);
  const magnitude = nano < 0n ? -nano : nano;
  return write(nano, round(magnitude, decimalsShown(magnitude)));
}

/** An amount to the nano-dollar: "$1,234.567891234". */
export function formatMoneyExactly(amount: Amount): string {
  const nano = nanoOf(amount);
  return write(nano, nano < 0n ? -nano : nano);
}

/** An amount for machines, exact, without sign of currency or groups: "1234.567891234". */
export function moneyAsDecimal(amount: Amount): string {
  return formatUsd(nanoOf(amount));
}

/** How many decimals the amounts of a column need so that their points stand below each other. */
export function decimalsOf(amounts: readonly Amount[], format = formatMoney): number {
  return Math.max(DECIMALS_MIN, ...amounts.map((amount) => format(amount).split('.')[1]?.length ?? 0));
}

/** The amounts of an axis, all with as many decimals as one of them needs: "$0", "$1,200", or "$0.00", "$2.50", "$5.00". */
export function formatMoneyTicks(amounts: readonly Amount[]): readonly string[] {
  const shown = amounts.map(formatMoneyExactly);
  if (shown.every((text) => text.endsWith('.00'))) return shown.map((text) => text.slice(0, -'.00'.length));
  const decimals = decimalsOf(amounts, formatMoneyExactly);
  return shown.map((text) => text.padEnd(text.indexOf('.') + 1 + decimals, '0'));
}

/**
 * Exact amounts in USD, such as the lines of a bill, written so that their points stand below each other where all digits
 * are as wide and the text is right-aligned: "0.0010500" and "12.5" become "$0.00105" and "$12.50000". Amounts may be below a
 * nano-dollar, so they are decimals here.
 */
export function alignDecimals(decimals: readonly string[]): readonly string[] {
  const parts = decimals.map((decimal) => {
    const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
    return { sign: sign === '' ? '' : '−', whole: groupDigits(whole), fraction: fraction.replace(/0{1,15}$/, '') };
  });
  const longest = Math.max(DECIMALS_MIN, ...parts.map(({ fraction }) => fraction.length));
  return parts.map(({ sign, whole, fraction }) => `${sign}$${whole}.${fraction.padEnd(longest, '0')}`);
}
