import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { checkedUsd, formatUsd } from '../../../domain/money.ts';
import { CliFailure } from '../cli-failure.ts';
import {
  type Change,
  changedFields,
  type Connect,
  type Fields,
  type SectionPlan,
  silently,
  valuesOf,
} from './change.ts';
import type { AlertRule, CurrentWorkspace } from './current.ts';
import type { DeclaredAlertRule, DeclaredWorkspace } from './read-file.ts';

/** What makes another rule of a rule. */
const IDENTITY = new Set(['kind', 'project', 'key']);

/** A rule as files say it: the project that it is about by its name, the key by its id. */
export function alertRuleFields(rule: AlertRule): Fields {
  const { kind, subject_id: id, subject_name: name, threshold_usd, percent, days, mail_roles, mail_to, enabled } = rule;
  const project = kind === 'project_budget' ? (name ?? id) : null;
  const key = kind === 'key_limit' ? id : null;
  return { kind, project, key, threshold_usd, percent, days, mail_roles, mail_to, enabled };
}

function declaredFields(declared: DeclaredAlertRule): Fields {
  const { kind, project = null, key = null, threshold_usd: usd, percent = null, days = null } = declared;
  const threshold_usd = usd === undefined ? null : formatUsd(checkedUsd(usd));
  const { mail_roles = [], mail_to = [], enabled = true } = declared;
  return { kind, project, key, threshold_usd, percent, days, mail_roles, mail_to, enabled };
}

/** Rules are found by their names. One that is to watch something else is replaced by another. */
export function planAlertRules(
  { reference, projects, alertRules }: CurrentWorkspace,
  { alert_rules: declared = [], projects: declaredProjects = [] }: DeclaredWorkspace,
): SectionPlan {
  const projectNames = [...projects, ...declaredProjects].map(({ name }) => name);
  const lost = declared.find(({ project }) => project !== undefined && !projectNames.includes(project));
  if (lost?.project !== undefined) throw noProject(lost.project);
  const names = new Set(declared.map(({ name }) => name));
  const changes = declared.flatMap((each): readonly Change[] => {
    const { name } = each;
    const [current, another] = alertRules.filter((rule) => rule.name === name);
    if (another !== undefined) {
      throw new CliFailure(
        `two alert rules are called "${name}"; rename one of them with "faregate alert-rule update"`,
      );
    }
    const to = declaredFields(each);
    const fields = changedFields(current === undefined ? NEW_RULE : alertRuleFields(current), to);
    const frame = { kind: 'alert rule', name, fields } as const;
    const create = (connect: Connect): Promise<unknown> => createRule(connect, reference, each);
    if (current === undefined) return [{ ...frame, change: 'create', make: silently(create) }];
    if (fields.length === 0) return [];
    const { id, version } = current;
    if (!fields.some(({ field }) => IDENTITY.has(field))) {
      const update = silently((connect) => connect(version).updateAlertRule(reference, id, valuesOf(fields, to)));
      return [{ ...frame, change: 'update', make: update }];
    }
    // The new one first: if it is refused, the workspace keeps the old one.
    const replace = silently(async (connect) => {
      await create(connect);
      await connect(version).deleteAlertRule(reference, id);
    });
    return [{ ...frame, change: 'replace', make: replace }];
  });
  const left = alertRules.filter(({ name }) => !names.has(name));
  const removals = left.map(({ id, name, version }): Change => {
    const make = silently((connect) => connect(version).deleteAlertRule(reference, id));
    return { kind: 'alert rule', name, change: 'delete', fields: [], make };
  });
  return { changes, removals };
}

/** The defaults of a rule's fields that a file can leave out. */
export const NEW_RULE: Fields = { mail_roles: [], mail_to: [], enabled: true };

/** The project may be one that was created just now, so it is looked up only here. */
async function createRule(
  connect: Connect,
  workspace: string,
  { project, key = null, ...rule }: DeclaredAlertRule,
): Promise<void> {
  const client = connect();
  const subject = project === undefined ? key : await projectId(client, workspace, project);
  await client.createAlertRule(workspace, { ...rule, subject_id: subject });
}

async function projectId(client: AdminClient, workspace: string, name: string): Promise<string> {
  const found = await readAllPages((page) => client.listProjects(workspace, { ...page, search: name }));
  const id = found.find((project) => project.name === name)?.id;
  if (id === undefined) throw noProject(name);
  return id;
}

function noProject(name: string): CliFailure {
  return new CliFailure(`an alert rule is about the project "${name}", which is not there; declare it`);
}
