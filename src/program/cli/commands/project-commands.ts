import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { PROJECT_COMMANDS } from '../../../control/operations/project-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { raisedText } from '../raised-limit.ts';
import { notes, pairs } from '../text-layout.ts';

type Project = Awaited<ReturnType<AdminClient['listProjects']>>['data'][number];

/** `project create|list|show|update|archive|restore`. */
export function addProjectCommands(program: Command, context: CliContext): void {
  const project = program.command('project').summary('projects: limits, budgets and keys');
  const commands = new DeclaredCommands(project, context, PROJECT_COMMANDS);
  commands.say('project create', (made) => projectText(made) + notes(made.warnings));
  commands.say('project update', (changed) => projectText(changed) + notes(changed.warnings));
  commands.list('project list', 'The workspace has no project yet.', [
    ['NAME', 'name'],
    ['RPM', 'requests_per_minute', 'right'],
    ['TPM', 'tokens_per_minute', 'right'],
    ['CONCURRENCY', 'concurrency', 'right'],
    ['BUDGET', budgetText],
    ['MODELS', ({ models }) => models?.join(',') ?? 'all'],
    ['ID', 'id'],
  ]);
  commands.say('project show', projectText);
  commands.say('project archive', ({ workspace_id: workspace, id }) => {
    return `Archived. To undo it: faregate project restore ${workspace} ${id}\n`;
  });
  commands.say('project restore', projectText);
}

function projectText(project: Project): string {
  return pairs([
    ['id', project.id],
    ['name', project.name],
    ['requests a minute', project.requests_per_minute ?? 'no limit'],
    ['tokens a minute', project.tokens_per_minute ?? 'no limit'],
    ['concurrency', project.concurrency ?? 'no limit'],
    ['budget', budgetText(project) + raisedText(project)],
    ['used', `${project.used_usd} USD`],
    ['held', `${project.held_usd} USD`],
    ['leased', `${project.leased_usd} USD, including holds`],
    ['left', project.left_usd === null ? null : `${project.left_usd} USD${untilText(project)}`],
    ['models', project.models?.join(', ') ?? 'all'],
    ['model when spent', project.model_when_spent],
    ["developers' keys", memberKeysText(project)],
    ['usage.cost', project.report_cost ? 'in answers' : null],
    ['archived', project.archived_at],
  ]);
}

function untilText({ resets_at }: Project): string {
  return resets_at === null ? '' : ` until ${resets_at}`;
}

function budgetText({ budget_usd, budget_period }: Project): string {
  if (budget_usd === null) return 'no limit';
  return budget_period === 'never' ? `${budget_usd} USD in all` : `${budget_usd} USD a ${budget_period}`;
}

function memberKeysText({ member_key_spend_limit_usd: limit, member_keys_max: most }: Project): string {
  const each = limit === null ? 'no bound' : `up to ${limit} USD a month`;
  return most === null ? each : `${each}, ${most} for each developer`;
}
