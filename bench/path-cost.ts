import { type CalledProcess, startCalledProcess } from './child-calls.ts';
import type { PathPlan } from './path-process.ts';
import { quartiles } from './quartiles.ts';

// The CPU of a request's path in processes that serve in turn.

const REQUESTS_FIRST = 12_000;
const REQUESTS = 400;

/** Microseconds of each process for a request: the lower quartile of its bursts, since other work on the machine only adds to it. */
export async function pathCosts(plans: readonly PathPlan[], bursts: number): Promise<readonly number[]> {
  const processes: CalledProcess[] = [];
  try {
    for (const plan of plans) {
      const child = startCalledProcess(new URL('path-process.ts', import.meta.url));
      processes.push(child);
      await child.call('prepare', plan);
      await child.call('burst', REQUESTS_FIRST);
    }
    const costs: number[][] = plans.map(() => []);
    for (let burst = 0; burst < bursts; burst += 1)
      for (const [index, child] of processes.entries()) costs[index]?.push(await child.call('burst', REQUESTS));
    return costs.map((each) => quartiles(each)[0]);
  } finally {
    for (const child of processes) await child.stop();
  }
}
