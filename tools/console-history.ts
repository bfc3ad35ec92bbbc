import { randomUUID } from 'node:crypto';
import type { ActiveVersion } from '../src/control/catalogue/catalogue-diff.ts';
import { readActiveVersions } from '../src/control/catalogue/price-versions.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../src/program/database/partitions.ts';
import { PostgresPurseStore } from '../src/program/database/purse-store.ts';
import { costOf } from '../src/domain/price.ts';
import type { AttemptRecord, Outcome, Receipt } from '../src/domain/receipt.ts';
import { NO_TOKENS, type TokenCounts } from '../src/domain/usage.ts';
import { windowAt } from '../src/domain/window.ts';
import type { Sql } from '../src/lib/sql.ts';
import { createIds } from '../src/lib/uuid7.ts';
import type { PurseName } from '../src/gate/purses/ports/database.ts';
import { receiptWith } from '../test/support/receipts.ts';

// Weeks of requests as a small company makes them, settled by the store that settles those of callers, so that books,
// usage and receipts agree. Every run draws the same ones, so that pictures of two runs can be compared.

const DAY_MS = 86_400_000;
const RECEIPTS_PER_SETTLEMENT = 250;
/** Sunday first. */
const SHARE_OF_DAY = [0.25, 1, 1.15, 1.2, 1.05, 0.9, 0.3];
const REQUESTS_A_DAY = 90;
/** 200 USD, in nano-USD. */
const LEASE = 200_000_000_000n;

/** A key, and the share of all requests that are made with it. */
export interface HistoryKey {
  readonly id: string;
  readonly projectId: string;
  readonly share: number;
}

/** What is requested of a model: its share of all requests, and tokens at most. */
export interface HistoryModel {
  readonly id: string;
  readonly share: number;
  readonly input: number;
  readonly output: number;
  readonly route: Pick<AttemptRecord, 'provider' | 'upstreamModel'>;
}

export interface History {
  readonly workspaceId: string;
  readonly days: number;
  readonly keys: readonly HistoryKey[];
  readonly models: readonly HistoryModel[];
}

/** Numbers from 0 to 1 that look random and are the same in every run. */
function drawnNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function byShare<Choice extends { readonly share: number }>(choices: readonly Choice[], drawn: number): Choice {
  let left = drawn * choices.reduce((sum, { share }) => sum + share, 0);
  const found = choices.find(({ share }) => (left -= share) < 0) ?? choices.at(-1);
  if (found === undefined) throw new Error('nothing to choose from');
  return found;
}

const outcomeOf = (drawn: number): Outcome =>
  drawn < 0.012 ? 'failed' : drawn < 0.02 ? 'interrupted' : drawn < 0.04 ? 'abandoned' : 'completed';

/** The times of the requests, oldest first: few at night and at weekends, and some more from week to week. */
function timesOf(days: number, draw: () => number): readonly number[] {
  const nowMs = Date.now();
  return Array.from({ length: days }, (_, day) => {
    const startMs = nowMs - (days - day) * DAY_MS;
    const share = SHARE_OF_DAY[new Date(startMs + DAY_MS / 2).getUTCDay()] ?? 1;
    const count = Math.round(REQUESTS_A_DAY * share * (0.7 + (0.5 * day) / days) * (0.85 + 0.3 * draw()));
    return Array.from({ length: count }, () => startMs + draw() * DAY_MS).toSorted((a, b) => a - b);
  }).flat();
}

/** One request, as far as chance decides it. */
interface DrawnRequest {
  readonly key: HistoryKey;
  readonly model: HistoryModel;
  readonly outcome: Outcome;
  readonly tokens: TokenCounts;
  readonly durationMs: number;
  readonly firstEventMs: number;
}

function drawRequest({ keys, models }: History, draw: () => number): DrawnRequest {
  const [key, model, outcome] = [byShare(keys, draw()), byShare(models, draw()), outcomeOf(draw())];
  const all = Math.round(40 + model.input * draw() ** 2);
  const cached = model.output > 0 && draw() < 0.4 ? Math.round(all * 0.6) : 0;
  const output = Math.round(model.output * (0.1 + 0.9 * draw()));
  const durationMs = Math.round(180 + output * (4 + 6 * draw()));
  const tokens = outcome === 'failed' ? NO_TOKENS : { ...NO_TOKENS, input: all - cached, cached_input: cached, output };
  return { key, model, outcome, tokens, durationMs, firstEventMs: Math.round(150 + 500 * draw()) };
}

/** The ids of purses, each with a lease of its own that covers all that is charged to it. */
function drawnPurses(store: PostgresPurseStore, epoch: bigint): (purse: PurseName) => Promise<bigint> {
  const ids = new Map<string, bigint>();
  return async (purse) => {
    const name = `${purse.subjectId} ${purse.windowStartMs}`;
    const known = ids.get(name);
    if (known !== undefined) return known;
    const request = { purse, sequence: 1n, keep: 0n, slack: 0n, needs: [LEASE], ahead: 0n };
    const [reply] = await store.draw(epoch, [request]);
    if (reply === undefined || reply === null) throw new Error(`nothing was drawn from the ${purse.kind} purse`);
    ids.set(name, reply.purseId);
    return reply.purseId;
  };
}

/** Makes the requests. Projects and keys must not have limits yet, and the workspace credit for all. */
export async function makeHistory(sql: Sql, history: History): Promise<void> {
  const draw = drawnNumbers(7);
  const times = timesOf(history.days, draw);
  for (let timeMs = times[0] ?? Date.now(); timeMs < Date.now(); timeMs += DAY_MS) {
    await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(timeMs)));
  }
  const store = new PostgresPurseStore(sql);
  const epoch = await store.beginEpoch(randomUUID(), 'history', 60_000);
  const receiptAt = receiptsOf(history, drawnPurses(store, epoch), await readActiveVersions(sql));
  for (let from = 0; from < times.length; from += RECEIPTS_PER_SETTLEMENT) {
    const receipts: Receipt[] = [];
    for (const timeMs of times.slice(from, from + RECEIPTS_PER_SETTLEMENT)) {
      receipts.push(await receiptAt(timeMs, drawRequest(history, draw)));
    }
    await store.settle(epoch, receipts, new Map());
  }
  await store.fence(epoch);
}

/** Makes receipts, whose times must rise. */
function receiptsOf(
  { workspaceId }: History,
  purseOf: (purse: PurseName) => Promise<bigint>,
  versions: readonly ActiveVersion[],
): (timeMs: number, drawn: DrawnRequest) => Promise<Receipt> {
  let nowMs = 0;
  const nextId = createIds(() => nowMs);
  return async (timeMs, { key, model, outcome, tokens, durationMs, firstEventMs }) => {
    const version = versions.find((active) => active.model === model.id);
    if (version === undefined) throw new Error(`${model.id} is not sold`);
    nowMs = Math.floor(timeMs);
    const month = windowAt('month', nowMs);
    const monthly = { workspaceId, period: month.period, windowStartMs: month.startMs, windowEndMs: month.endMs };
    const whole = { workspaceId, period: 'never', windowStartMs: 0, windowEndMs: null } as const;
    const isFailed = outcome === 'failed';
    const charge = isFailed ? 0n : costOf(version.terms.price, tokens);
    return receiptWith({
      requestId: nextId(),
      workspaceId,
      projectId: key.projectId,
      keyId: key.id,
      creditPurseId: await purseOf({ ...whole, kind: 'credit', subjectId: workspaceId }),
      projectPurseId: await purseOf({ ...monthly, kind: 'project', subjectId: key.projectId }),
      keyPurseId: await purseOf({ ...monthly, kind: 'key', subjectId: key.id }),
      projectWindow: month,
      keyWindow: month,
      dialect: model.output === 0 ? 'embeddings' : 'chat_completions',
      model: model.id,
      priceVersionId: version.id,
      outcome,
      charge,
      hold: charge * 3n,
      usage: { tokens, certainty: outcome === 'completed' ? 'exact' : 'estimated' },
      streamed: model.output > 0,
      admittedAtMs: nowMs,
      durationMs,
      firstEventMs: isFailed || model.output === 0 ? null : Math.min(firstEventMs, durationMs),
      attempts: [
        {
          ...model.route,
          status: isFailed ? 502 : 200,
          durationMs: durationMs - 3,
          fault: isFailed ? 'server_error' : null,
        },
      ],
    });
  };
}
