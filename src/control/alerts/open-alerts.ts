import type { SqlRunner } from '../../lib/sql.ts';
import type { Crossing, SubjectKind } from './alerts.ts';
import type { Standing } from './crossings.ts';

/** An alert that is not over yet. */
interface OpenAlert {
  readonly id: string;
  readonly workspaceId: string;
  readonly ruleId: string;
  readonly subjectId: string;
}

/** One rule's finding about one subject. */
export interface Finding {
  readonly workspaceId: string;
  readonly ruleId: string;
  readonly subjectId: string;
  readonly standing: Standing;
  /** What is recorded if it is crossed. */
  readonly crossing: () => Crossing;
}

/** Crossings that are new, by their rule, and the open alerts that are over. */
export interface Turns {
  readonly crossed: ReadonlyMap<string, readonly Crossing[]>;
  readonly over: readonly string[];
}

/** The open alerts about these subjects in windows that run now. */
export async function readOpenAlerts(
  tx: SqlRunner,
  workspaceIds: readonly string[],
  subjectKind: SubjectKind,
  subjectIds: readonly string[],
): Promise<readonly OpenAlert[]> {
  return await tx.query<OpenAlert>(
    `select id, workspace_id as "workspaceId", rule_id as "ruleId", subject_id as "subjectId" from alerts
     where workspace_id = any ($1) and subject_kind = $2 and subject_id = any ($3) and resolved_at is null
       and (window_end is null or window_end > now())`,
    [workspaceIds, subjectKind, subjectIds],
  );
}

/** The open alerts of these rules in windows that run now. */
export async function readOpenAlertsOf(
  tx: SqlRunner,
  workspaceIds: readonly string[],
  ruleIds: readonly string[],
): Promise<readonly OpenAlert[]> {
  return await tx.query<OpenAlert>(
    `select id, workspace_id as "workspaceId", rule_id as "ruleId", subject_id as "subjectId" from alerts
     where workspace_id = any ($1) and rule_id = any ($2) and resolved_at is null
       and (window_end is null or window_end > now())`,
    [workspaceIds, ruleIds],
  );
}

/** Compares findings with open alerts: a crossing that has an open alert is not new. */
export function turnsOf(findings: readonly Finding[], open: readonly OpenAlert[]): Turns {
  const openIds = new Map(open.map(({ id, ruleId, subjectId }) => [`${ruleId} ${subjectId}`, id]));
  const crossed = new Map<string, Crossing[]>();
  const over: string[] = [];
  for (const { ruleId, subjectId, standing, crossing } of findings) {
    const openId = openIds.get(`${ruleId} ${subjectId}`);
    if (standing === 'clear' && openId !== undefined) over.push(openId);
    if (standing !== 'crossed' || openId !== undefined) continue;
    const ofRule = crossed.get(ruleId) ?? [];
    ofRule.push(crossing());
    crossed.set(ruleId, ofRule);
  }
  return { crossed, over };
}
