import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import {
  alertRuleCreation,
  endUserChange,
  invitationCreation,
  projectCreation,
  projectRaise,
  workspaceName,
} from '../../../control/admin/client/creations.ts';
import { section } from '../../../config/file-fields.ts';
import { faultOf } from '../../../config/file-problem.ts';
import type { Environment } from '../../../config/variables.ts';
import { readYamlTree } from '../../../config/yaml-tree.ts';
import { END_USER_LIMITS_MAX } from '../../../domain/end-user.ts';
import { THRESHOLD_FIELDS } from '../../../domain/alert-kinds.ts';
import { CliFailure, codeOf } from '../cli-failure.ts';

// Files that say how workspaces are to be. Their fields are those by which the admin API creates the same things.

const MAPPING = 'write a mapping of settings';

const endUser = section(endUserChange.pick({ name: true, limit_usd: true }).shape, MAPPING);

const projectFields = {
  ...projectCreation.omit({ once: true }).shape,
  ...projectRaise.shape,
  end_users: z.array(endUser).max(END_USER_LIMITS_MAX).optional(),
};

const project = section(projectFields, MAPPING).check(({ value, issues }) => {
  issues.push(...repeatedNames(value, 'end_users', 'name'));
  // An end that follows from the time of an apply would be another one with each.
  const lacking = (['raised_limit_usd', 'raised_until'] as const).find((field) => (value[field] ?? null) === null);
  if (lacking === undefined || (value.raised_limit_usd ?? value.raised_until ?? null) === null) return;
  const message = 'a raise has an amount and an end: write raised_limit_usd and raised_until';
  issues.push({ code: 'custom', input: value, path: [lacking], message, params: { wrong: 'is missing' } });
});

const member = section(invitationCreation.pick({ email: true, role: true }).shape, MAPPING);

const { once: _once, subject_id: subject, ...ruleShape } = alertRuleCreation.shape;
const alertRule = section({ ...ruleShape, project: workspaceName.optional(), key: subject }, MAPPING).check(
  ({ value, issues }) => {
    const right = THRESHOLD_FIELDS[value.kind];
    const given = (['threshold_usd', 'percent', 'days'] as const).filter((field) => value[field] !== undefined);
    const wrong = given.find((field) => field !== right) ?? (given.length === 0 ? right : null);
    if (wrong === null) return;
    const message = `rules of the kind ${value.kind} take ${right ?? 'no threshold'}`;
    issues.push({ code: 'custom', input: value, path: [wrong], message, params: { wrong: 'is not usable' } });
  },
);

const workspace = section(
  {
    name: workspaceName,
    projects: z.array(project).optional(),
    members: z.array(member).optional(),
    alert_rules: z.array(alertRule).optional(),
  },
  MAPPING,
).check(({ value, issues }) => {
  const lists = { projects: 'name', members: 'email', alert_rules: 'name' } as const;
  for (const [list, field] of Object.entries(lists)) issues.push(...repeatedNames(value, list, field));
});

const file = section({ workspaces: z.array(workspace).min(1) }, 'write "workspaces:" and a list of them').check(
  ({ value, issues }) => void issues.push(...repeatedNames(value, 'workspaces', 'name')),
);

export type DeclaredWorkspace = z.output<typeof workspace>;
export type DeclaredProject = z.output<typeof project>;
export type DeclaredEndUser = z.output<typeof endUser>;
export type DeclaredMember = z.output<typeof member>;
export type DeclaredAlertRule = z.output<typeof alertRule>;

/** A complaint for each item with the name of an earlier item; the case of addresses is ignored. */
function repeatedNames(value: Readonly<Record<string, unknown>>, list: string, field: string) {
  const items = (value[list] ?? []) as readonly Readonly<Record<string, string>>[];
  const names = items.map(({ [field]: name = '' }) => (field === 'email' ? name.toLowerCase() : name));
  return names.flatMap((each, at) => {
    if (names.indexOf(each) === at) return [];
    const message = `it is in ${list} before; keep one of the two`;
    const params = { wrong: 'is not the first' };
    return [{ code: 'custom' as const, input: value, path: [list, at, field], message, params }];
  });
}

/**
 * The workspaces of these files, checked. `${VARIABLE}` stands for a variable of the environment. @throws ConfigFault with
 * the place of the mistake, CliFailure if a file can't be read or two of them have the same workspace
 */
export function readWorkspaceFiles(
  paths: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): readonly DeclaredWorkspace[] {
  const workspaces = paths.flatMap((path) => {
    const tree = readYamlTree(textOf(path, cwd), path, env);
    const { success, data, error } = file.safeParse(tree.value);
    if (!success) throw faultOf(error, tree);
    return data.workspaces;
  });
  const [twice] = repeatedNames({ workspaces }, 'workspaces', 'name');
  if (twice === undefined) return workspaces;
  throw new CliFailure(`${workspaces[twice.path[1] as number]?.name} is in two files; keep it in one of them`);
}

function textOf(path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8');
  } catch (cause) {
    const code = codeOf(cause, 'unreadable');
    throw new CliFailure(`${path} cannot be read (${code}); name a file that "faregate workspace export" has printed`, {
      cause,
    });
  }
}
