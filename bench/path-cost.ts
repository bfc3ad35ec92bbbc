import { type CalledProcess, startCalledProcess } from './child-calls.ts';
import type { PathPlan } from './path-process.ts';
import { quartiles } from './quartiles.ts';

// The CPU of a request's path in two processes that serve in turn.

const REQUESTS_FIRST = 12_000;
/** So few that the machine's pace is the same for both processes. */
const REQUESTS = 100;

/**
 * The CPU of the path as a multiple of the other's: the quartiles over so many pairs of bursts. Medians of the same code differ by
 * three percent, at any load.
 */
export async function pathMultiple(path: PathPlan, other: PathPlan, pairs: number): Promise<readonly number[]> {
  const processes: CalledProcess[] = [];
  try {
    const begin = async (plan: PathPlan): Promise<CalledProcess> => {
      const child = startCalledProcess(new URL('path-process.ts', import.meta.url));
      processes.push(child);
      await child.call('prepare', plan);
      await child.call('burst', REQUESTS_FIRST);
      return child;
    };
    const [own, others] = [await begin(path), await begin(other)];
    const multiples: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1)
      multiples.push((await own.call<number>('burst', REQUESTS)) / (await others.call<number>('burst', REQUESTS)));
    return quartiles(multiples);
  } finally {
    for (const child of processes) await child.stop();
  }
}
