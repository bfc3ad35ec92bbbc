import type { SqlRunner } from '../../lib/sql.ts';
import { readWork, type WorkName, type WorkState } from './scheduled-work.ts';

// What an operator should know of scheduled work: that it fails, or was not done for long.

/** Work that this instance has a schedule for. */
export interface PlannedWork {
  readonly name: WorkName;
  readonly everyMs: number;
  /** When this process began to wait for it; milliseconds. */
  readonly sinceMs: number;
}

const WORDS: Readonly<Record<WorkName, { readonly subject: string; readonly setting: string }>> = {
  backup: { subject: 'The scheduled backup', setting: '"backup" in the config file' },
  retention: { subject: 'Dropping what is too old', setting: '"ledger" and "audit" in the config file' },
};

/** Why planned work needs the operator, in a sentence; null: it doesn't. */
export function workProblem(
  { name, everyMs, sinceMs }: PlannedWork,
  states: readonly WorkState[],
  nowMs: number,
): string | null {
  const state = states.find((each) => each.name === name);
  const { subject, setting } = WORDS[name];
  if (state !== undefined && state.problem !== null) {
    return `${subject} failed at ${state.failedAt?.toISOString() ?? 'an unknown time'}: ${state.problem}. It is tried again; see ${setting}.`;
  }
  const last = state?.succeededAt ?? null;
  // A start, and a process that is at it, have an interval more.
  const dueMs = Math.max(last?.getTime() ?? 0, sinceMs) + graceOf(name, everyMs);
  if (nowMs <= dueMs) return null;
  const when = last === null ? 'was never done' : `was last done at ${last.toISOString()}`;
  return `${subject} ${when}, which is too long ago: see the log, and ${setting}.`;
}

/** All problems of planned work, a sentence each. */
export async function findWorkProblems(
  sql: SqlRunner,
  planned: readonly PlannedWork[],
  nowMs: number,
): Promise<readonly string[]> {
  if (planned.length === 0) return [];
  const states = await readWork(sql);
  return planned.flatMap((work) => workProblem(work, states, nowMs) ?? []);
}

/** Retention waits for the proofs of three nights. */
function graceOf(name: WorkName, everyMs: number): number {
  return (name === 'retention' ? 4 : 2) * everyMs;
}
