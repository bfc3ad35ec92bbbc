import type { Receipt } from '../domain/receipt.ts';
import { attemptsJson } from './receipt-columns.ts';

// Receipts as the parameters of settle_receipts. Literals of arrays are written here, because the driver would escape
// each number as if it were text, which doubles what a receipt costs.

type Element = string | number | bigint | boolean | null;

/** What every receipt has, in the order of the parameters. */
const COLUMNS: readonly ((receipt: Receipt) => Element)[] = [
  (receipt) => receipt.requestId,
  (receipt) => receipt.charge,
  (receipt) => receipt.hold,
  (receipt) => receipt.usage.tokens.input,
  (receipt) => receipt.usage.tokens.output,
  (receipt) => receipt.admittedAtMs,
  (receipt) => Math.round(receipt.durationMs),
  (receipt) => (receipt.firstEventMs === null ? null : Math.round(receipt.firstEventMs)),
];

/** What few receipts have, with what the others have instead: such a column is left empty where none has it. */
const RARE_COLUMNS: readonly (readonly [read: (receipt: Receipt) => Element, usual: Element])[] = [
  [(receipt) => receipt.outcome, 'completed'],
  [(receipt) => receipt.streamed, false],
  [(receipt) => receipt.usage.certainty, 'exact'],
  [(receipt) => receipt.writeOff, 0n],
  [(receipt) => receipt.usage.tokens.cached_input, 0],
  [(receipt) => receipt.usage.tokens.cache_write_5m, 0],
  [(receipt) => receipt.usage.tokens.cache_write_1h, 0],
  [(receipt) => receipt.usage.tokens.audio_input, 0],
  [(receipt) => receipt.usage.tokens.audio_output, 0],
  [(receipt) => receipt.shortenedToTokens, null],
  [(receipt) => receipt.clientRequestId, null],
];

const NOTHING = '{}';

function columnOf(receipts: readonly Receipt[], read: (receipt: Receipt) => Element): string {
  let literal = '{';
  for (const receipt of receipts) literal += `${literal.length === 1 ? '' : ','}${elementOf(read(receipt))}`;
  return `${literal}}`;
}

const NEEDS_ESCAPE = /["\\]/;
const NEEDS_NO_QUOTES = /^[0-9a-f-]+$/;

/** A value as an element of an array literal. */
function elementOf(value: Element): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return String(value);
  if (NEEDS_NO_QUOTES.test(value)) return value;
  return `"${NEEDS_ESCAPE.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}

function sharesContext(a: Receipt, b: Receipt): boolean {
  return (
    a.keyPurseId === b.keyPurseId &&
    a.projectPurseId === b.projectPurseId &&
    a.creditPurseId === b.creditPurseId &&
    a.priceVersionId === b.priceVersionId &&
    a.model === b.model &&
    a.keyId === b.keyId
  );
}

/** One receipt for each context, and for each receipt the number of its context, counting from one. */
function contextsOf(receipts: readonly Receipt[]): { firsts: readonly Receipt[]; numbers: readonly number[] } {
  const firsts: Receipt[] = [];
  const numbers: number[] = [];
  const known = new Map<string, number>();
  let last: Receipt | undefined;
  for (const receipt of receipts) {
    if (last !== undefined && sharesContext(last, receipt)) {
      numbers.push(numbers.at(-1) ?? 0);
      continue;
    }
    last = receipt;
    const { keyPurseId, projectPurseId, creditPurseId, priceVersionId, keyId, model } = receipt;
    const name = `${keyPurseId} ${projectPurseId} ${creditPurseId} ${priceVersionId} ${keyId} ${model}`;
    let number = known.get(name);
    if (number === undefined) {
      number = firsts.push(receipt);
      known.set(name, number);
    }
    numbers.push(number);
  }
  return { firsts, numbers };
}

const CONTEXT_COLUMNS: readonly ((receipt: Receipt) => Element)[] = [
  (receipt) => receipt.workspaceId,
  (receipt) => receipt.projectId,
  (receipt) => receipt.keyId,
  (receipt) => receipt.creditPurseId,
  (receipt) => receipt.projectPurseId,
  (receipt) => receipt.keyPurseId,
  (receipt) => receipt.model,
  (receipt) => receipt.priceVersionId,
];

/** How many parameters settle_receipts has after the epoch. */
export const SETTLE_ARGUMENTS = CONTEXT_COLUMNS.length + 1 + COLUMNS.length + 1 + RARE_COLUMNS.length;

/** The arguments of settle_receipts after the epoch. */
export function settleArguments(receipts: readonly Receipt[]): string[] {
  const { firsts, numbers } = contextsOf(receipts);
  return [
    ...CONTEXT_COLUMNS.map((read) => columnOf(firsts, read)),
    `{${numbers.join(',')}}`,
    ...COLUMNS.map((read) => columnOf(receipts, read)),
    `[${receipts.map(attemptsJson).join(',')}]`,
    ...RARE_COLUMNS.map(([read, usual]) =>
      receipts.every((receipt) => read(receipt) === usual) ? NOTHING : columnOf(receipts, read),
    ),
  ];
}
