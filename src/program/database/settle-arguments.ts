import { assert } from '../../lib/assert.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { DIALECTS, OUTCOMES, type Receipt } from '../../domain/receipt.ts';
import { arrayLiteral, jsonElement, textElement } from './array-literal.ts';
import { attemptsColumn, extrasColumn, lastAttempt } from './receipt-columns.ts';

// Receipts as the parameters of settle_receipts.

type Numeric = number | bigint;

/** What numbers stand for outcomes, dialects and certainties, counted from one as the database counts elements. */
const OUTCOME_NUMBERS = new Map(OUTCOMES.map((outcome, index) => [outcome, index + 1]));
const DIALECT_NUMBERS = new Map(DIALECTS.map((dialect, index) => [dialect, index + 1]));
const CERTAINTY_NUMBERS = { exact: 1, estimated: 2 } as const;
const NONE = -1;

/** A receipt's row of numbers, its context's first. */
function numbersOf(receipt: Receipt, context: number | undefined): readonly Numeric[] {
  assert(context !== undefined, 'a receipt has a context');
  const { tokens, certainty } = receipt.usage;
  const outcome = OUTCOME_NUMBERS.get(receipt.outcome);
  const dialect = DIALECT_NUMBERS.get(receipt.dialect);
  const last = lastAttempt(receipt);
  assert(outcome !== undefined && dialect !== undefined, 'outcomes and dialects have numbers');
  return [
    context,
    receipt.hold,
    receipt.writeOff,
    Math.round(receipt.admittedAtMs * 1_000),
    Math.round(receipt.durationMs),
    receipt.firstEventMs === null ? NONE : Math.round(receipt.firstEventMs),
    tokens.input,
    tokens.cached_input,
    tokens.cache_write_5m,
    tokens.cache_write_1h,
    tokens.audio_input,
    tokens.output,
    tokens.audio_output,
    receipt.shortenedToTokens ?? NONE,
    receipt.streamed ? 1 : 0,
    outcome,
    CERTAINTY_NUMBERS[certainty],
    dialect,
    receipt.fees,
    last === undefined ? NONE : Math.round(last.durationMs),
  ];
}

function sharesContext(a: Receipt, b: Receipt): boolean {
  const lastOfA = lastAttempt(a);
  const lastOfB = lastAttempt(b);
  return (
    a.keyPurseId === b.keyPurseId &&
    a.projectPurseId === b.projectPurseId &&
    a.creditPurseId === b.creditPurseId &&
    a.priceVersionId === b.priceVersionId &&
    a.model === b.model &&
    a.keyId === b.keyId &&
    lastOfA?.provider === lastOfB?.provider &&
    lastOfA?.upstreamModel === lastOfB?.upstreamModel
  );
}

/** A context's texts as a row: the model, and the route of the last attempt. */
function contextTexts(receipt: Receipt): string {
  const { provider = null, upstreamModel = null } = lastAttempt(receipt) ?? {};
  return arrayLiteral([receipt.model, provider, upstreamModel].map(textElement));
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
    const { keyPurseId, projectPurseId, creditPurseId, priceVersionId, keyId } = receipt;
    const name = `${keyPurseId} ${projectPurseId} ${creditPurseId} ${priceVersionId} ${keyId} ${contextTexts(receipt)}`;
    let number = known.get(name);
    if (number === undefined) {
      number = firsts.push(receipt);
      known.set(name, number);
    }
    numbers.push(number);
  }
  return { firsts, numbers };
}

/** What each purse is charged by all receipts, in the order in which leases are locked. */
function amountsByPurse(receipts: readonly Receipt[]): readonly (readonly [purse: bigint, amount: NanoUsd])[] {
  const amounts = new Map<bigint, NanoUsd>();
  for (const { creditPurseId, projectPurseId, keyPurseId, charge } of receipts) {
    for (const purse of [creditPurseId, projectPurseId, keyPurseId])
      amounts.set(purse, (amounts.get(purse) ?? 0n) + charge);
  }
  return [...amounts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** How many parameters settle_receipts has after the epoch, without the extras. */
export const SETTLE_ARGUMENTS = 10;

/** The arguments of settle_receipts after the epoch, without the extras. */
export function settleArguments(receipts: readonly Receipt[]): string[] {
  const { firsts, numbers } = contextsOf(receipts);
  const amounts = amountsByPurse(receipts);
  const attempts = receipts.map(attemptsColumn);
  const hasClientRequests = receipts.some(({ clientRequestId }) => clientRequestId !== null);
  return [
    arrayLiteral(amounts.map(([purse]) => purse)),
    arrayLiteral(amounts.map(([, amount]) => amount)),
    arrayLiteral(firsts.map(({ workspaceId, projectId, keyId }) => arrayLiteral([workspaceId, projectId, keyId]))),
    arrayLiteral(
      firsts.map((first) =>
        arrayLiteral([first.creditPurseId, first.projectPurseId, first.keyPurseId, first.priceVersionId]),
      ),
    ),
    arrayLiteral(firsts.map(contextTexts)),
    arrayLiteral(receipts.map(({ requestId }) => requestId)),
    arrayLiteral(receipts.map(({ charge }) => charge)),
    arrayLiteral(receipts.map((receipt, index) => arrayLiteral(numbersOf(receipt, numbers[index])))),
    attempts.some((column) => column !== null) ? arrayLiteral(attempts.map(jsonElement)) : '{}',
    hasClientRequests ? arrayLiteral(receipts.map(({ clientRequestId }) => textElement(clientRequestId))) : '{}',
  ];
}

/** The extras of settle_receipts; null if no receipt has any, for then they are left out. */
export function extrasArgument(receipts: readonly Receipt[]): string | null {
  if (receipts.every(({ extras }) => extras === undefined)) return null;
  return arrayLiteral(receipts.map((receipt) => jsonElement(extrasColumn(receipt))));
}
