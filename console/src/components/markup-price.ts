import { parseUsd } from '../../../src/domain/money.ts';
import { adjustedRate, parsePercent } from '../../../src/domain/price-adjustment.ts';

/** The mark-up that was typed, in basis points; null if it is none. */
export function markupOf(typed: string): number | null {
  const text = typed.trim();
  const percent = text.endsWith('%') ? text.slice(0, -1).trim() : text;
  return percent.startsWith('-') ? null : parsePercent(percent);
}

/** A rate in a declaration, in nano-USD; null if it names none. */
export function rateIn(cost: unknown, tokenClass: 'input' | 'output'): bigint | null {
  if (typeof cost !== 'object' || cost === null) return null;
  const text: unknown = Object.getOwnPropertyDescriptor(cost, tokenClass)?.value;
  return typeof text === 'string' ? parseUsd(text) : null;
}

/** What callers pay for a rate at a mark-up, by the rule that the instance applies. */
export function priceAt(rate: bigint | null, markup: number | null): bigint | null {
  return rate === null || markup === null ? null : adjustedRate(rate, markup);
}
