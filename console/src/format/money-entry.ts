import { type NanoUsd, parseUsd } from '../../../src/domain/money.ts';

/** A typed amount: money, or a text that says what would be valid. */
export type MoneyEntry =
  | { readonly ok: true; readonly nano: NanoUsd; readonly usd: string }
  | { readonly ok: false; readonly problem: string };

const PLAIN = /^\d{1,9}(?:\.\d{0,9})?$|^\.\d{1,9}$/;
const GROUPED = /^\d{1,3}(?:,\d{3}){1,2}(?:\.\d{0,9})?$/;

const problem = (words: string): MoneyEntry => ({ ok: false, problem: words });

function whatWouldBeRight(text: string): string {
  if (text === '') return 'Enter an amount in dollars, such as 5 or 5.00.';
  if (/^[-−]/.test(text)) return 'Enter an amount above zero, such as 5.00.';
  if (/^\d+,\d{1,2}$/.test(text)) return `Write cents after a point: ${text.replace(',', '.')}.`;
  if (/^\d+\.\d{10,}$/.test(text)) return 'Use at most nine decimals: money is counted in billionths of a dollar.';
  if (/^[\d,]{10,}(?:\.|$)/.test(text)) return 'Enter an amount below $1,000,000,000.';
  return 'Enter an amount in dollars with digits alone, such as 5 or 5.00.';
}

/** Reads what people type for money: "5", "5.00", "$5", "1,000". */
export function readMoney(typed: string): MoneyEntry {
  const text = typed.trim().replace(/^\$ ?/, '');
  if (!PLAIN.test(text) && !GROUPED.test(text)) return problem(whatWouldBeRight(text));
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  const usd = `${whole || '0'}.${fraction.padEnd(2, '0')}`;
  const nano = parseUsd(usd);
  return nano === null ? problem(whatWouldBeRight(text)) : { ok: true, nano, usd };
}

/** An amount as the server reads it. One that can't be read goes as it is, and comes back with what would be right. */
export function usdOf(text: string): string {
  const amount = readMoney(text);
  return amount.ok ? amount.usd : text;
}
