import { type Load, measure } from './measure.ts';
import type { BenchSettings, Round } from './profile.ts';
import { summarise } from './report.ts';
import type { Stage } from './stage.ts';

// What something costs, measured in one program that does with it and without it in turns: without, with, with, without. A machine's
// pace, and work in the background of the database, change by more than the two differ, so each four short windows give ratios, and a
// round is their medians. What the windows without differ by themselves is shown too.

const BLOCKS = 9;
/** So much of what a load is measured for elsewhere is one window here. */
const WINDOW_PART = 1 / 3;
const REQUESTS_FIRST = 20_000;

/** CPU for each request in µs. */
export interface Cost {
  readonly gateway: number;
  readonly postgres: number;
}

interface Turns {
  /** What is measured, as it follows on "with": "an end user". */
  readonly what: string;
  readonly without: () => Promise<Cost>;
  readonly having: () => Promise<Cost>;
}

/** The CPU of one short window of this load. */
export async function costOf(stage: Stage, load: Load, { seconds, scale }: BenchSettings): Promise<Cost> {
  const window = seconds * WINDOW_PART;
  const timing = { warmUp: window / 2, window, requestsFirst: REQUESTS_FIRST * scale };
  const { cpuUs, postgresCpuUs, requests } = await measure(stage, 'faregate', load, timing);
  return { gateway: cpuUs / requests, postgres: postgresCpuUs / requests };
}

export async function inTurns({ what, without, having }: Turns): Promise<Round> {
  const blocks: Round[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const before = await without();
    const between = [await having(), await having()];
    const after = await without();
    blocks.push(ratios(what, before, between, after));
  }
  return Object.fromEntries(Object.entries(summarise(blocks)).map(([name, { median }]) => [name, median]));
}

function ratios(what: string, before: Cost, between: readonly Cost[], after: Cost): Round {
  const sum = (costs: readonly Cost[], of: keyof Cost): number => costs.reduce((all, cost) => all + cost[of], 0);
  const times = (of: keyof Cost): number => sum(between, of) / sum([before, after], of);
  return {
    'gateway CPU µs/request without': sum([before, after], 'gateway') / 2,
    "PostgreSQL's µs/request without": sum([before, after], 'postgres') / 2,
    [`gateway CPU with ${what} × without`]: times('gateway'),
    [`PostgreSQL's with ${what} × without`]: times('postgres'),
    'gateway CPU without × without, after and before': after.gateway / before.gateway,
    "PostgreSQL's without × without, after and before": after.postgres / before.postgres,
  };
}
