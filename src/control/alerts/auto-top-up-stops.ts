import { unreachable } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { type AlertRule, RULE_COLUMNS } from './alert-rules.ts';
import { type Notifying, raiseAlerts } from './alerts.ts';

/** Automatic top-ups of a workspace that have stopped until a person acts, or until the month ends. */
export interface AutoTopUpStop {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly stop: 'failures' | 'authentication_required' | 'month_max';
  /** Why the last one failed, in the provider's words; null: none has. */
  readonly failure: string | null;
  /** The page on which the payer completes what needs authentication; null: none. */
  readonly recoveryUrl: string | null;
  readonly since: Date;
  /** When it ends by itself; null: it does not. */
  readonly until: Date | null;
}

/**
 * Raises the alert about a stop, once for each stop, in the caller's transaction. False: the watch has not given the
 * workspace its rules yet, so it must be raised later.
 */
export async function raiseAutoTopUpStop(tx: SqlRunner, stop: AutoTopUpStop, notifying: Notifying): Promise<boolean> {
  const { workspaceId, workspaceName } = stop;
  const [watched] = await tx.query('select 1 from alert_watches where workspace_id = $1', [workspaceId]);
  if (watched === undefined) return false;
  const rules = await tx.query<AlertRule>(
    `select ${RULE_COLUMNS} from alert_rules
     where workspace_id = $1 and kind = 'auto_top_up_stopped' and enabled order by id`,
    [workspaceId],
  );
  const crossing = {
    subjectKind: 'workspace',
    subjectId: workspaceId,
    subjectName: workspaceName,
    window: { start: stop.since, end: stop.until },
    summary: summaryOf(stop),
    value: null,
    limit: null,
    url: stop.recoveryUrl,
  } as const;
  for (const rule of rules) {
    await raiseAlerts(tx, { workspaceId, workspaceName }, { rule, crossings: [crossing] }, notifying);
  }
  return true;
}

/** Ends alerts about stops that are over: turned on again, paid, the month's maximum raised, the workspace closed. */
export async function endAutoTopUpStops(tx: SqlRunner): Promise<void> {
  await tx.query(
    `update alerts a set resolved_at = now()
     where a.kind = 'auto_top_up_stopped' and a.resolved_at is null and not exists (
       select from payment_settings s join workspaces w
         on w.id = s.workspace_id and w.closing_at is null and w.archived_at is null
       where s.workspace_id = a.workspace_id and case when a.window_end is null
         then s.auto_stop is not null and date_trunc('milliseconds', s.auto_stopped_at) = a.window_start
         else s.auto_enabled and s.auto_month_noticed_at >= a.window_start
       end
     )`,
  );
}

function summaryOf({ workspaceName, stop, failure }: AutoTopUpStop): string {
  const what = `Automatic top-ups of "${workspaceName}"`;
  switch (stop) {
    case 'failures':
      return `${what} are off after three failures${failure === null ? '' : `, the last: ${failure}`}.`;
    case 'authentication_required':
      return `${what} wait: the bank requires authentication by the payer.`;
    case 'month_max':
      return `${what} have reached the maximum of this month.`;
    default:
      return unreachable(stop);
  }
}
