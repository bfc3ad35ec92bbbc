/**
 * The stages of a turn of the event loop, after all readable sockets have been read. Their order uses other cores:
 * PostgreSQL works while the rest of the turn runs.
 * - `answers`: first bytes of providers' responses are parsed.
 * - `statements`: the database gets its next statements.
 * - `replies`: callers get committed answers.
 * - `requests`: callers' requests are served.
 * - `streams`: later chunks of responses already in progress are parsed.
 */
const STAGES = ['answers', 'statements', 'replies', 'requests', 'streams'] as const;

export type Stage = (typeof STAGES)[number];

const tasks: Record<Stage, (() => void)[]> = { answers: [], statements: [], replies: [], requests: [], streams: [] };
/** Each stage is an immediate of its own, so that its microtasks run before the next. */
const runs = STAGES.map((stage) => (): void => run(stage));

/** Defers work to its stage of the turn. Simulated time has no turns. */
export interface Turns {
  /** Resolves at that stage of the turn, once all data that has arrived is parsed. */
  turn(stage: Stage): Promise<void>;
}

/** The turns of this process's event loop. */
export const EVENT_LOOP: Turns = {
  turn: (stage) =>
    new Promise((resolve) => {
      inStage(stage, resolve);
    }),
};

/** The number of scheduled stages of the turn, and of those that are over. */
let planned = 0;
let over = 0;

/** Runs the task in that stage: of this turn, or of the next one if the stage is over in this one. */
export function inStage(stage: Stage, task: () => void): void {
  tasks[stage].push(task);
  if (over === 0) plan(stage);
}

/** Later reads may belong to an earlier stage, and answers lead to statements in the same turn. */
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
