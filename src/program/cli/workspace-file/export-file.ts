import type { AdminClient } from '../../../control/admin/client.ts';
import { CliFailure } from '../cli-failure.ts';
import { changedFields, type Fields, valuesOf } from './change.ts';
import { type CurrentWorkspace, type EndUser, readWorkspace } from './current.ts';
import { alertRuleFields, NEW_RULE } from './plan-alert-rules.ts';
import { initialFields, projectFields } from './plan-projects.ts';

/** Workspaces as a file that says how they are now: diff finds nothing. @throws CliFailure if one is not there */
export async function exportWorkspaces(
  client: AdminClient,
  references: readonly string[],
): Promise<{ readonly workspaces: readonly Fields[] }> {
  const workspaces: Fields[] = [];
  for (const reference of references) {
    const current = await readWorkspace(client, reference, () => true);
    if (current === null) throw new CliFailure(`there is no workspace "${reference}"`);
    workspaces.push({ name: current.name, ...sectionsOf(current) });
  }
  return { workspaces };
}

function sectionsOf({ projects, endUsers, members, invitations, alertRules }: CurrentWorkspace): Fields {
  return {
    projects: projects.map((project) => ({
      name: project.name,
      ...differing(initialFields(project.name), projectFields(project)),
      ...endUsersOf(endUsers.get(project.id) ?? []),
    })),
    members: [...members, ...invitations].map(({ email, role }) => ({ email, role })),
    alert_rules: alertRules.map((rule) => ({ name: rule.name, ...differing(NEW_RULE, alertRuleFields(rule)) })),
  };
}

/** Nothing if there are none, as the section of a file that is left out changes nothing. */
function endUsersOf(endUsers: readonly EndUser[]): Fields {
  return endUsers.length === 0 ? {} : { end_users: endUsers.map(({ name, limit_usd }) => ({ name, limit_usd })) };
}

/** The fields that differ from their defaults. */
function differing(initial: Fields, fields: Fields): Fields {
  return valuesOf(changedFields(initial, fields), fields);
}
