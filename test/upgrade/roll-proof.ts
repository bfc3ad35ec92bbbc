import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/program/database/pool.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { DIALECTS, type Seen } from './load.ts';
import { CHARGES } from './provider.ts';

// What clients have got, what the provider has answered, and what receipts charge, held against each other.

/** The death of an instance. */
export interface Kill {
  readonly what: string;
  readonly atMs: number;
  /** When its process was gone: until then its connections took requests. */
  readonly goneMs: number;
  /** The connections that went with it, by the ports of their clients; null: a proxy stands between, which does not say. */
  readonly connections: readonly number[] | null;
}

export interface RollProof {
  /** The figures, for people. */
  readonly lines: readonly string[];
  /** What should not be; empty: nothing failed and nothing differs. */
  readonly faults: readonly string[];
}

interface RollFacts {
  readonly database: Database;
  readonly seen: readonly Seen[];
  /** How often the provider has answered each question in full. */
  readonly answered: ReadonlyMap<string, number>;
  readonly kills: readonly Kill[];
  readonly durationMs: number;
  readonly settledMsMax: number;
}

const SHOWN_MAX = 12;

interface ChargedReceipt {
  readonly question: string;
  readonly charge: bigint;
}

/** Waits until receipts are settled, then compares. */
export async function proveRoll(facts: RollFacts): Promise<RollProof> {
  const { database, seen, answered, kills, durationMs } = facts;
  const isCut = ({ status, isWhole, port, fromMs, toMs }: Seen): boolean =>
    // A proxy answers with 502 if the instance was gone before its answer began.
    (status === 'broken' || status === 502 || (status === 200 && !isWhole)) &&
    kills.some(
      ({ atMs, goneMs, connections }) => fromMs <= goneMs && toMs >= atMs && connections?.includes(port) !== false,
    );
  const whole = seen.filter(({ isWhole }) => isWhole);
  const cut = seen.filter((one) => !one.isWhole && isCut(one));
  const refused = seen.filter((one) => !one.isWhole && !isCut(one) && one.isRetryable);
  const failed = seen.filter((one) => !one.isWhole && !isCut(one) && !one.isRetryable);

  const charged = whole.filter(({ isRepeat }) => !isRepeat);
  const receipts = await receiptsOf(facts, charged);
  const charges = Map.groupBy(receipts, ({ question }) => question);
  const dialectOf = new Map(seen.map(({ question, dialect }) => [question, dialect]));
  const priceOf = (question: string): bigint => CHARGES[DIALECTS[dialectOf.get(question) ?? 'chat'].model];
  const cutQuestions = new Set(cut.map(({ question }) => question));
  // A killed process can't charge for what it had under way, however far the provider has come with it.
  const uncharged = [...answered.keys()].filter((question) => !charges.has(question));
  const due = [...answered.keys()].filter((question) => charges.has(question)).map(priceOf);
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  const [total, counted] = [sum(receipts.map(({ charge }) => charge)), sum(due)];
  const ledger = await verifyLedger(database);

  const differences = [
    ...receipts
      .filter(({ question, charge }) => charge !== priceOf(question))
      .map(({ question, charge }) => `${dialectOf.get(question)} ${question} is charged ${charge}`),
    ...[...charges.values()].filter((each) => each.length > 1).map(([first]) => `${first?.question} is charged twice`),
    ...charged.filter(({ question }) => !charges.has(question)).map(nameOf('was answered and is not charged')),
    ...receipts.filter(({ question }) => !answered.has(question)).map(nameOf('is charged and was never answered')),
    ...uncharged.filter((question) => !cutQuestions.has(question)).map((question) => `${question} is lost`),
    ...(total === counted ? [] : [`receipts charge ${total}, and the provider has counted ${counted}`]),
    ...ledger.differences.map(
      (difference) => `the ledger: ${JSON.stringify(difference, (_, v: unknown) => String(v))}`,
    ),
  ];
  return {
    lines: [
      `${seen.length} requests in ${(durationMs / 1_000).toFixed(0)} s: ${countsOf(whole)}`,
      `${failed.length} failed, ${refused.length} refused with retry-after, ${cut.length} cut off by ${kills.length} kills`,
      ...kills.map(
        ({ what, atMs, connections }) =>
          `  ${what} was killed at ${secondsOf(atMs)} s${connections === null ? '' : ` and had ${connections.length} connections`}`,
      ),
      `${receipts.length} receipts charge ${total} nano-USD; the provider has counted ${counted} for them`,
      `${uncharged.length} answers of the provider are not charged, all of requests that were cut off`,
      `${differences.length} differences`,
      `the longest request took ${longestOf(seen)} ms; the longest time without an answer was ${longestGap(whole)} ms`,
    ],
    faults: [
      ...failed.map(
        ({ question, dialect, status, reason, fromMs, toMs }) =>
          `${dialect} ${question}, from ${secondsOf(fromMs)} to ${secondsOf(toMs)} s: ${status} ${reason}`,
      ),
      ...differences,
    ],
  };
}

/** Since the program has begun that rolls. */
export function secondsOf(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

const nameOf =
  (what: string) =>
  ({ question }: { readonly question: string }): string =>
    `${question} ${what}`;

/** The receipts that charge, once all of these answers have theirs, or after a while. */
async function receiptsOf(
  { database, settledMsMax }: RollFacts,
  charged: readonly Seen[],
): Promise<readonly ChargedReceipt[]> {
  const deadlineMs = performance.now() + settledMsMax;
  for (;;) {
    const receipts = await database.query<ChargedReceipt>(
      `select client_request_id as question, charge_nano_usd as charge from receipts where charge_nano_usd > 0`,
    );
    const names = new Set(receipts.map(({ question }) => question));
    if (charged.every(({ question }) => names.has(question)) || performance.now() > deadlineMs) return receipts;
    await delay(200);
  }
}

function countsOf(seen: readonly Seen[]): string {
  const byDialect = Map.groupBy(seen, ({ dialect }) => dialect);
  return [...byDialect].map(([dialect, each]) => `${each.length} ${dialect}`).join(', ');
}

function longestOf(seen: readonly Seen[]): number {
  return Math.round(Math.max(0, ...seen.map(({ fromMs, toMs }) => toMs - fromMs)));
}

function longestGap(seen: readonly Seen[]): number {
  const times = seen.map(({ toMs }) => toMs).toSorted((a, b) => a - b);
  return Math.round(Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time))));
}

/** The proof as text: the figures, then the first of what should not be. */
export function proofText({ lines, faults }: RollProof): string {
  const shown = faults.slice(0, SHOWN_MAX).map((fault) => `  ${fault}`);
  const more = faults.length > SHOWN_MAX ? [`  and ${faults.length - SHOWN_MAX} more`] : [];
  return `${[...lines, ...shown, ...more].join('\n')}\n`;
}
