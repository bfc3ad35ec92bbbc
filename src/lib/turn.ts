/**
 * The stages of a turn of the event loop, which follow once all is read that has come in it. Their order keeps others busy:
 * PostgreSQL works on another core while the rest of the turn is worked through.
 * - `answers`: what providers begin to answer is taken.
 * - `statements`: the database gets what it is to do.
 * - `replies`: callers get what has become durable.
 * - `requests`: what callers ask is served.
 * - `streams`: what follows of answers that have begun is taken.
 */
const STAGES = ['answers', 'statements', 'replies', 'requests', 'streams'] as const;

export type Stage = (typeof STAGES)[number];

const tasks: Record<Stage, (() => void)[]> = { answers: [], statements: [], replies: [], requests: [], streams: [] };
let isUnderWay = false;

/** Runs the task in that stage: of this turn, or of the next one where the stage is over. */
export function inStage(stage: Stage, task: () => void): void {
  tasks[stage].push(task);
  if (!isUnderWay) begin();
}

/** Each stage is an immediate of its own, so that all that follows from one at once happens before the next. */
function begin(): void {
  isUnderWay = true;
  for (const stage of STAGES) setImmediate(run, stage);
  setImmediate(end);
}

function run(stage: Stage): void {
  const due = tasks[stage];
  if (due.length === 0) return;
  tasks[stage] = [];
  for (const task of due) task();
}

function end(): void {
  isUnderWay = false;
  if (STAGES.some((stage) => tasks[stage].length > 0)) begin();
}
