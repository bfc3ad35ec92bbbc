import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminRefused } from '../../../control/admin/client/send.ts';
import { absentWorkspace, readWorkspace } from './current.ts';
import { type Change, type Connect, silently } from './change.ts';
import { planAlertRules } from './plan-alert-rules.ts';
import { planMembers } from './plan-members.ts';
import { planProjects } from './plan-projects.ts';
import type { DeclaredWorkspace } from './read-file.ts';

/** How a workspace differs from what a file says of it. */
export interface WorkspacePlan {
  readonly declared: DeclaredWorkspace;
  /** In the order in which they are made. */
  readonly changes: readonly Change[];
  /** What the file leaves out, and stays. */
  readonly kept: readonly Change[];
}

/**
 * Compares a workspace with a file. A section that the file lacks is not looked at. @throws AdminRefused, AdminUnreachable,
 * CliFailure
 */
export async function planWorkspace(
  client: AdminClient,
  declared: DeclaredWorkspace,
  isPruned: boolean,
): Promise<WorkspacePlan> {
  const { name, projects, members, alert_rules: rules } = declared;
  const withEndUsers = new Set(projects?.flatMap((project) => (project.end_users === undefined ? [] : [project.name])));
  const current = await readWorkspace(client, name, (project) => withEndUsers.has(project));
  const there = current ?? absentWorkspace(name);
  const sections = [
    ...(projects === undefined ? [] : [planProjects(there, projects)]),
    ...(members === undefined ? [] : [planMembers(there, members)]),
    ...(rules === undefined ? [] : [planAlertRules(there, declared)]),
  ];
  const removals = sections.flatMap((section) => section.removals);
  const changes = [
    ...(current === null ? [creation(name)] : []),
    ...sections.flatMap((section) => section.changes),
    ...(isPruned ? removals : []),
  ];
  return { declared, changes, kept: isPruned ? [] : removals };
}

function creation(name: string): Change {
  const make = silently((connect) => connect().createWorkspace({ name }));
  return { kind: 'workspace', name, change: 'create', fields: [], make };
}

/** What was made: how many changes, and what people have to know of them. */
export interface Made {
  readonly count: number;
  readonly notes: readonly string[];
}

/** Makes the changes of these plans. @throws AdminRefused, which names the change and how many were made before it */
export async function makeChanges(connect: Connect, plans: readonly WorkspacePlan[], isPruned: boolean): Promise<Made> {
  const notes: string[] = [];
  let count = 0;
  const make = async (workspace: string, changes: readonly Change[]): Promise<void> => {
    for (const change of changes) {
      const note = await change.make(connect).catch((fault: unknown) => {
        throw fault instanceof AdminRefused ? explained(fault, { workspace, change, count }) : fault;
      });
      count += 1;
      if (note !== null) notes.push(note);
    }
  };
  for (const { declared, changes } of plans) {
    const [first, ...others] = changes;
    if (first?.kind !== 'workspace') {
      await make(declared.name, changes);
      continue;
    }
    // A new workspace has what every new one has, such as the usual alert rules, so it is compared again.
    await make(declared.name, [first]);
    await make(declared.name, others.length === 0 ? [] : (await planWorkspace(connect(), declared, isPruned)).changes);
  }
  return { count, notes };
}

function explained(
  { status, code, param, message }: AdminRefused,
  { workspace, change, count }: { readonly workspace: string; readonly change: Change; readonly count: number },
): AdminRefused {
  const what = `to ${change.change} the ${change.kind} "${change.name}" of ${workspace} was refused: ${message}`;
  return new AdminRefused(status, {
    message: `${what} ${count === 0 ? 'Nothing was changed.' : `What comes before it was changed (${count}); apply again to continue.`}`,
    code,
    param,
  });
}
