import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../test/support/accounts.ts';
import { startControlLoad } from '../../test/support/control-load.ts';
import { openLargeWorkspace } from '../../test/support/large-workspace.ts';
import { smallChat } from '../bodies.ts';
import { type Load, measure } from '../measure.ts';
import { type BenchSettings, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { timingOf } from './request-round.ts';

// What requests notice of the control plane: the same rate of them while nothing else runs, and while everything does.

const KEYS = 50_000;
const RECEIPTS = 200_000;
const PER_SECOND = 300;
const SETTLING_MS = 2_000;

const load: Load = {
  behaviour: 'plain',
  endpoint: 'chat/completions',
  body: smallChat('plain'),
  connections: 32,
  perSecond: PER_SECOND,
};

/** The large workspace of each stage. */
const opened = new WeakMap<Stage, Account>();

async function largeWorkspaceOf(stage: Stage, scale: number): Promise<Account> {
  const known = opened.get(stage);
  if (known !== undefined) return known;
  const receipts = Math.ceil(RECEIPTS * scale);
  const account = await openLargeWorkspace(stage.instance.database, { keys: Math.ceil(KEYS * scale), receipts });
  stage.expectReceipts(receipts);
  opened.set(stage, account);
  return account;
}

async function controlRound(stage: Stage, settings: BenchSettings): Promise<Round> {
  const account = await largeWorkspaceOf(stage, settings.scale);
  const timing = timingOf(settings);
  const before = await measure(stage, 'faregate', load, timing);
  const control = startControlLoad(stage.instance.program.admin, account);
  const busy = await measure(stage, 'faregate', load, timing);
  await control.stop();
  await sleep(SETTLING_MS);
  const after = await measure(stage, 'faregate', load, timing);
  const { proofs, pages, exportedBytes, backupBytes, refused } = control.tally;
  const away = [...refused.keys()].find((message) => message.includes('away'));
  if (away !== undefined) throw new Error(`the database was there, but it was said: ${away}`);
  const quiet = {
    p50: (before.latency.p50 + after.latency.p50) / 2,
    p99: (before.latency.p99 + after.latency.p99) / 2,
  };
  return {
    'quiet p50 ms': quiet.p50,
    'quiet p99 ms': quiet.p99,
    'beside everything p50 ms': busy.latency.p50,
    'beside everything p99 ms': busy.latency.p99,
    'p50 × quiet': busy.latency.p50 / quiet.p50,
    'p99 × quiet': busy.latency.p99 / quiet.p99,
    'proofs answered': proofs,
    'pages of keys': pages,
    'MB of exports': exportedBytes / 1e6,
    'MB of backups': backupBytes / 1e6,
    'refused for want of a place': [...refused.values()].reduce((sum, count) => sum + count, 0),
  };
}

export const control = stagedProfile(
  'control',
  `${PER_SECOND} requests/s beside 12 callers of proofs, 3 of lists of 50,000 keys, 3 of exports, and backups`,
  controlRound,
);
