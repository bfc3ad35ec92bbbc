import { answerCalls } from '../child-calls.ts';
import type { LoadPlan } from './load-plan.ts';
import { LoadRun } from './load-run.ts';

// The load generator's process: one run at a time.

let run: LoadRun | null = null;

function current(): LoadRun {
  if (run === null) throw new Error('no load was started');
  return run;
}

answerCalls({
  start(plan: LoadPlan) {
    run = new LoadRun(plan);
    run.start();
  },
  mark: () => current().mark(),
  window: () => current().window(),
  running: () => current().running,
  stop: (withinMs: number) => current().stop(withinMs),
  finish: (withinMs: number) => current().finish(withinMs),
});
