import { assert } from '../../lib/assert.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { fieldsIn, type Receipt, RECEIPT_FIELDS } from '../../domain/receipt.ts';
import type { TokenCounts } from '../../domain/usage.ts';
import { arrayLiteral, jsonElement, textElement } from './array-literal.ts';
import { attemptsColumn, extrasColumn, lastAttempt, lastAttemptMs } from './receipt-columns.ts';

// Receipts as the parameters of settle_receipts, which has each field in the one that the table of fields names.

const NONE = -1;
const CONTEXT_IDS = fieldsIn('context_ids');
const CONTEXT_NUMBERS = fieldsIn('context_numbers');
const CONTEXT_TEXTS = fieldsIn('context_texts');
const NUMBERS = fieldsIn('numbers').map((name) => ({ name, kind: RECEIPT_FIELDS[name].kind }));

type NumberField = (typeof NUMBERS)[number];

/** A receipt's row of numbers, its context's first. It is built for every request: as text, by one loop. */
function numbersRow(receipt: Receipt, context: number | undefined): string {
  assert(context !== undefined, 'a receipt has a context');
  let row = `{${context}`;
  for (const field of NUMBERS) row += `,${numberText(receipt[field.name], field.kind)}`;
  return `${row},${lastAttemptMs(receipt) ?? NONE}}`;
}

function numberText(value: Receipt[NumberField['name']], kind: NumberField['kind']): string | number | bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object') return value === null ? NONE : tokensText(value.tokens);
  if (kind === 'time') return Math.round(value * 1_000);
  return Math.round(value);
}

function tokensText(tokens: TokenCounts): string {
  const input = `${tokens.input},${tokens.cached_input},${tokens.cache_write_5m},${tokens.cache_write_1h},${tokens.audio_input}`;
  return `${input},${tokens.output},${tokens.audio_output}`;
}

/** Whether all is the same that contexts have; a key is one of a workspace and a project. */
function sharesContext(a: Receipt, b: Receipt): boolean {
  const lastOfA = lastAttempt(a);
  const lastOfB = lastAttempt(b);
  return (
    a.keyPurseId === b.keyPurseId &&
    a.memberPurseId === b.memberPurseId &&
    a.endUserPurse?.purseId === b.endUserPurse?.purseId &&
    a.sessionPurse?.purseId === b.sessionPurse?.purseId &&
    a.projectPurseId === b.projectPurseId &&
    a.creditPurseId === b.creditPurseId &&
    a.priceVersionId === b.priceVersionId &&
    a.model === b.model &&
    a.keyId === b.keyId &&
    a.dialect === b.dialect &&
    a.outcome === b.outcome &&
    a.usage.certainty === b.usage.certainty &&
    lastOfA?.provider === lastOfB?.provider &&
    lastOfA?.upstreamModel === lastOfB?.upstreamModel
  );
}

/** A context's texts as a row: those of the table, the usage's certainty, and the route of the last attempt. */
function contextTexts(receipt: Receipt): string {
  const { provider = null, upstreamModel = null } = lastAttempt(receipt) ?? {};
  const texts = [...CONTEXT_TEXTS.map((name) => receipt[name]), receipt.usage.certainty, provider, upstreamModel];
  return arrayLiteral(texts.map(textElement));
}

/** Receipts that have the same key, route and so on in common. */
interface Context {
  readonly number: number;
  readonly first: Receipt;
  charged: NanoUsd;
}

/** The contexts, and for each receipt the number of its own, counting from one. */
function contextsOf(receipts: readonly Receipt[]): { contexts: readonly Context[]; numbers: readonly number[] } {
  const contexts: Context[] = [];
  const numbers: number[] = [];
  // Few contexts have the same key.
  const byKey = new Map<bigint, Context[]>();
  let context: Context | undefined;
  for (const receipt of receipts) {
    if (context === undefined || !sharesContext(context.first, receipt)) {
      const ofKey = byKey.get(receipt.keyPurseId);
      context = ofKey?.find(({ first }) => sharesContext(first, receipt));
      if (context === undefined) {
        context = { number: contexts.length + 1, first: receipt, charged: 0n };
        contexts.push(context);
        if (ofKey === undefined) byKey.set(receipt.keyPurseId, [context]);
        else ofKey.push(context);
      }
    }
    context.charged += receipt.charge;
    numbers.push(context.number);
  }
  return { contexts, numbers };
}

/** Rows of a parameter that has these fields of each context. */
function contextRows(contexts: readonly Context[], names: readonly (keyof Receipt)[]): string {
  return arrayLiteral(contexts.map(({ first }) => arrayLiteral(names.map((name) => first[name] ?? 'NULL'))));
}

function pursesOf(receipt: Receipt): readonly bigint[] {
  const purses = [receipt.creditPurseId, receipt.projectPurseId, receipt.keyPurseId];
  const further = furtherPursesOf(receipt).filter((purse) => purse !== undefined);
  return further.length === 0 ? purses : [...purses, ...further];
}

/** The purses that few receipts charge: of the key's maker, of the end user and of the session. */
function furtherPursesOf({ memberPurseId, endUserPurse, sessionPurse }: Receipt): readonly (bigint | undefined)[] {
  return [memberPurseId, endUserPurse?.purseId, sessionPurse?.purseId];
}

/** The numbers of contexts, with their further purses as far as any has one. */
function contextNumbers(contexts: readonly Context[]): string {
  const further = contexts.map(({ first }) => furtherPursesOf(first));
  const count = Math.max(...further.map((purses) => purses.findLastIndex((purse) => purse !== undefined))) + 1;
  return arrayLiteral(
    contexts.map(({ first }, index) =>
      arrayLiteral([
        ...CONTEXT_NUMBERS.map((name) => first[name]),
        ...(further[index] ?? []).slice(0, count).map((purse) => purse ?? 'NULL'),
      ]),
    ),
  );
}

/** What each purse is charged by all receipts, in the order in which leases are locked. Receipts are added up by context first. */
function amountsByPurse(contexts: readonly Context[]): readonly (readonly [purse: bigint, amount: NanoUsd])[] {
  const amounts = new Map<bigint, NanoUsd>();
  for (const { first, charged } of contexts) {
    for (const purse of pursesOf(first)) amounts.set(purse, (amounts.get(purse) ?? 0n) + charged);
  }
  return [...amounts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** How many parameters settle_receipts has after the epoch, without the extras. */
export const SETTLE_ARGUMENTS = 10;

/** The arguments of settle_receipts after the epoch, without the extras. */
export function settleArguments(receipts: readonly Receipt[]): string[] {
  const { contexts, numbers } = contextsOf(receipts);
  const amounts = amountsByPurse(contexts);
  const attempts = receipts.map(attemptsColumn);
  const hasClientRequests = receipts.some(({ clientRequestId }) => clientRequestId !== null);
  return [
    arrayLiteral(amounts.map(([purse]) => purse)),
    arrayLiteral(amounts.map(([, amount]) => amount)),
    contextRows(contexts, CONTEXT_IDS),
    contextNumbers(contexts),
    arrayLiteral(contexts.map(({ first }) => contextTexts(first))),
    arrayLiteral(receipts.map(({ requestId }) => requestId)),
    arrayLiteral(receipts.map(({ charge }) => charge)),
    arrayLiteral(receipts.map((receipt, index) => numbersRow(receipt, numbers[index]))),
    attempts.some((column) => column !== null) ? arrayLiteral(attempts.map(jsonElement)) : '{}',
    hasClientRequests ? arrayLiteral(receipts.map(({ clientRequestId }) => textElement(clientRequestId))) : '{}',
  ];
}

/** The extras of settle_receipts; null if no receipt has any, for then they are left out. */
export function extrasArgument(receipts: readonly Receipt[]): string | null {
  if (receipts.every(({ extras }) => extras === undefined)) return null;
  return arrayLiteral(receipts.map((receipt) => jsonElement(extrasColumn(receipt))));
}
