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
/** Each stage is an immediate of its own, so that all that follows from one at once happens before the next. */
const runs = STAGES.map((stage) => (): void => run(stage));

/** Lets work of a room wait for its stage. Simulated time has no turns. */
export interface Turns {
  /** Resolves once everything that has already arrived has been looked at, at that stage of the turn. */
  turn(stage: Stage): Promise<void>;
}

/** The turns of this process's event loop. */
export const EVENT_LOOP: Turns = {
  turn: (stage) =>
    new Promise((resolve) => {
      inStage(stage, resolve);
    }),
};

/** How many stages the turn will have, and how many of them are over. */
let planned = 0;
let over = 0;

/** Runs the task in that stage: of this turn, or of the next one where it isn't among what is left of this one. */
export function inStage(stage: Stage, task: () => void): void {
  tasks[stage].push(task);
  if (over === 0) plan(stage);
}

/** What is read later may belong to an earlier stage, and what answers lead to at once is a statement. */
function plan(stage: Stage): void {
  const last = Math.max(STAGES.indexOf(stage), STAGES.indexOf('statements'));
  for (; planned <= last; planned++) setImmediate(runs[planned] as () => void);
}

function run(stage: Stage): void {
  const due = tasks[stage];
  over = STAGES.indexOf(stage) + 1;
  if (due.length > 0) tasks[stage] = [];
  for (const task of due) task();
  if (over === planned) end();
}

function end(): void {
  planned = 0;
  over = 0;
  for (const stage of STAGES) if (tasks[stage].length > 0) plan(stage);
}
