import type { AuditEventJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { paths } from '../paths.ts';

/** "key.rotate" as "rotate key". */
export function actionWords(action: string): string {
  const [resource = '', verb = ''] = action.replaceAll('top_up', 'top-up').split('.');
  return `${verb} ${resource}`.replaceAll('_', ' ');
}

/** The page of what was changed; null if it has none. */
export function targetHref(workspace: string, { target: { kind, id } }: AuditEventJson): string | null {
  switch (kind) {
    case 'workspace':
    case 'sink':
      return paths.settings(workspace);
    case 'access':
    case 'domain':
    case 'directory':
    case 'directory_user':
    case 'directory_group':
      return paths.access(workspace);
    case 'project':
      return paths.project(workspace, id);
    case 'key':
      return paths.key(workspace, id);
    case 'member':
    case 'user':
      return paths.members(workspace, { member: id });
    case 'invitation':
      return paths.members(workspace, { tab: 'invitations' });
    case 'alert_rule':
      return paths.alerts(workspace, { tab: 'rules', change: id });
    case 'webhook':
      return paths.webhook(workspace, id);
    case 'delivery':
      return paths.alerts(workspace, { tab: 'deliveries', delivery: id });
    case 'top_up':
    case 'payment':
    case 'auto_top_up':
    case 'code':
      return paths.credit(workspace);
    default:
      return null;
  }
}

/** The fields that a change names, each as it was and as it is; undefined where there is nothing. */
export function differences({ before, after }: AuditEventJson): readonly {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return Array.from(fields, (field) => ({ field, before: before?.[field], after: after?.[field] }));
}
