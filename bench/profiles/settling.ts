import { randomUUID } from 'node:crypto';
import { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import { windowAt } from '../../src/domain/window.ts';
import type { DrawRequest, PurseName } from '../../src/gate/purses/ports/database.ts';
import { type Account, drawAll } from '../../test/support/accounts.ts';
import { receiptWith } from '../../test/support/receipts.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';

// The settlement statement by itself: batches of receipts for one account, one after the other on one connection.

const BATCHES = [1, 8, 32, 128, 500];
const CHARGE = 1_000n;
const EPOCH_TIMEOUT_MS = 3_600_000;
const AHEAD = 1_000_000_000_000n;

function pursesOf({ workspace, project, key }: Account): readonly PurseName[] {
  const named = (kind: PurseName['kind'], subjectId: string, period: 'never' | 'month'): PurseName => {
    const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, Date.now());
    return { workspaceId: workspace.id, kind, subjectId, period, windowStartMs, windowEndMs };
  };
  return [named('credit', workspace.id, 'never'), named('project', project.id, 'month'), named('key', key.id, 'month')];
}

function receiptOf({ workspace, project, key }: Account, [credit = 0n, budget = 0n, month = 0n]: bigint[]): Receipt {
  return receiptWith({
    workspaceId: workspace.id,
    projectId: project.id,
    keyId: key.id,
    creditPurseId: credit,
    projectPurseId: budget,
    keyPurseId: month,
    charge: CHARGE,
    hold: CHARGE,
    usage: { tokens: { ...NO_TOKENS, input: 20, output: 10 }, certainty: 'exact' },
    admittedAtMs: Date.now(),
    attempts: [{ provider: 'plain', upstreamModel: 'mock', status: 200, durationMs: 10, fault: null }],
  });
}

async function round(stage: Stage, { seconds }: BenchSettings): Promise<Round> {
  const { instance, account } = stage;
  const store = new PostgresPurseStore(instance.database);
  const epoch = await store.beginEpoch(randomUUID(), 'bench', EPOCH_TIMEOUT_MS);
  const draw = (purse: PurseName): DrawRequest => {
    const request = { purse, sequence: 1n, keep: 0n, slack: 0n };
    return { ...request, needs: [AHEAD], ahead: 0n };
  };
  const drawn = await drawAll(store, epoch, pursesOf(account).map(draw));
  const purses = drawn.map(({ purseId }) => purseId);
  const measured: Record<string, number> = {};
  for (const size of BATCHES) {
    let rows = 0;
    const sinceMs = performance.now();
    for (const untilMs = sinceMs + seconds * 1_000; performance.now() < untilMs; rows += size) {
      const receipts = Array.from({ length: size }, () => receiptOf(account, purses));
      await store.settle(epoch, receipts, new Map());
    }
    stage.expectReceipts(rows);
    const elapsedMs = performance.now() - sinceMs;
    measured[`${size} a batch: rows settled/s`] = (rows * 1_000) / elapsedMs;
    measured[`${size} a batch: ms/batch`] = (elapsedMs * size) / rows;
  }
  await store.fence(epoch);
  return measured;
}

export const settling: Profile = stagedProfile(
  'settlement',
  'rows that one connection settles, by the size of a batch',
  round,
);
