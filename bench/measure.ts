import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan, LoadTotals, LoadWindow } from './load/load-plan.ts';
import { cpuUs, type ProcessTree } from './process-cost.ts';
import type { Stage } from './stage.ts';

// One load on one target, timed inside a window after it has warmed up.

/** Who takes the load: Faregate, nginx, the bare pass-through, or the upstream itself. */
export type Target = 'faregate' | 'nginx' | 'bare' | 'direct';

/** What is asked of a target. */
export interface Load {
  /** How the mock upstream answers; Faregate's model has the same name. */
  readonly behaviour: string;
  readonly endpoint: 'chat/completions' | 'messages' | 'responses' | 'embeddings';
  readonly body: string;
  readonly connections: number;
  readonly perSecond?: number;
  readonly rampMs?: number;
  /** Faregate's callers; left out: the stage's own account. */
  readonly keys?: readonly string[];
}

export interface Timing {
  /** Seconds of load before the measured window, each time. */
  readonly warmUp: number;
  /** Requests before the first window on a target: until then its code is still being compiled. */
  readonly requestsFirst: number;
  /** Seconds that are measured. */
  readonly window: number;
}

export interface Measured extends LoadWindow {
  /** CPU time that was used in the window, in microseconds: by the target without its database, and by PostgreSQL. */
  readonly cpuUs: number;
  readonly postgresCpuUs: number;
  /** Stream chunks that the upstream has sent in the window. */
  readonly chunks: number;
}

const DRAIN_MS = 20_000;
const FIRST_SECONDS_MAX = 15;

/** The code of each stage that has had its first load: targets, with what was asked of them. */
const warm = new WeakMap<Stage, Set<string>>();

/** The load as the generator wants it. */
export function planOf(stage: Stage, target: Target, load: Load): LoadPlan {
  const { behaviour, endpoint, body, connections, perSecond = null, rampMs = 0 } = load;
  const isFaregate = target === 'faregate';
  const { instance, yardstick, bare, mock } = stage;
  const ports = { faregate: instance.port, nginx: yardstick?.port ?? 0, bare: bare.port, direct: mock.port };
  return {
    ports: [ports[target]],
    path: isFaregate ? `/v1/${endpoint}` : `/${behaviour}/v1/${endpoint}`,
    body,
    keys: isFaregate ? (load.keys ?? [stage.account.key.key]) : [],
    keyOrder: 'random',
    connections,
    perSecond,
    rampMs,
    requestsMax: null,
  };
}

function gatewayOf(stage: Stage, target: Target): ProcessTree | null {
  if (target === 'faregate') return stage.instance.gateway;
  if (target === 'bare') return { root: stage.bare.pid, except: null };
  return target === 'nginx' && stage.yardstick !== null ? { root: stage.yardstick.pid, except: null } : null;
}

/** Puts the load on the target and measures it. @throws where an answer was not a whole 200 */
export async function measure(stage: Stage, target: Target, load: Load, timing: Timing): Promise<Measured> {
  const gateway = gatewayOf(stage, target);
  const sample = async (): Promise<{ gatewayUs: number; postgresUs: number; chunks: number }> => ({
    gatewayUs: gateway === null ? 0 : cpuUs(gateway),
    postgresUs: target === 'faregate' ? cpuUs(stage.instance.postgres) : 0,
    chunks: (await stage.mock.counts()).chunks,
  });
  await stage.load.call('start', planOf(stage, target, load));
  await warmUp(stage, `${target} ${load.behaviour} ${load.endpoint}`, timing);
  await stage.load.call('mark');
  const before = await sample();
  await sleep(timing.window * 1_000);
  const after = await sample();
  const window = await stage.load.call<LoadWindow>('window');
  const totals = await stage.load.call<LoadTotals>('stop', DRAIN_MS);
  refuseFailures(target, totals);
  if (target === 'faregate') stage.expectReceipts(totals.ok);
  return {
    ...window,
    cpuUs: after.gatewayUs - before.gatewayUs,
    postgresCpuUs: after.postgresUs - before.postgresUs,
    chunks: after.chunks - before.chunks,
  };
}

async function warmUp(stage: Stage, code: string, timing: Timing): Promise<void> {
  await sleep(timing.warmUp * 1_000);
  const targets = warm.get(stage) ?? new Set();
  if (targets.has(code)) return;
  warm.set(stage, targets.add(code));
  for (let seconds = timing.warmUp; seconds < FIRST_SECONDS_MAX; seconds += timing.warmUp) {
    const { requests } = await stage.load.call<LoadWindow>('window');
    if (requests >= timing.requestsFirst) return;
    await sleep(timing.warmUp * 1_000);
  }
}

/** @throws where anything was answered but whole 200s */
export function refuseFailures(target: string, { failures }: LoadTotals): void {
  if (Object.keys(failures).length > 0) throw new Error(`${target} failed: ${JSON.stringify(failures)}`);
}

/** Adds to the receipts that Faregate must have. @throws where anything was answered but whole 200s */
export function expectReceipts(stage: Stage, totals: LoadTotals): void {
  refuseFailures('faregate', totals);
  stage.expectReceipts(totals.ok);
}
