import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { PROJECT_SETTINGS } from '../../../control/resources/project-settings.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onceOption } from '../option-values.ts';
import { addSettingOptions, type GivenOptions, settingsFromOptions } from '../setting-options.ts';
import { notes, pairs, table } from '../text-layout.ts';

type Project = Awaited<ReturnType<AdminClient['listProjects']>>['data'][number];
const PROJECT = 'id, workspace/project, or a name that only one project has';

/** `project create|list|show|update|archive|restore`. */
export function addProjectCommands(program: Command, context: CliContext): void {
  const project = program.command('project').summary('projects: limits, budgets and keys');

  addSettingOptions(project.command('create'), PROJECT_SETTINGS)
    .summary('create a project')
    .argument('<workspace>', 'id or name')
    .argument('<name>')
    .addOption(onceOption())
    .addHelpText('after', example('project create acme bot --rpm 60 --budget 50 --period month'))
    .action(async (workspace: string, name: string, own: GivenOptions & { once?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { ...settingsFromOptions(PROJECT_SETTINGS, own), name, ...definedFields({ once: own.once }) };
      const made = await context.connect(options).createProject(workspace, body);
      context.print(options, made, projectText(made) + notes(made.warnings));
    });

  addSettingOptions(project.command('update'), PROJECT_SETTINGS)
    .summary("change a project's name, limits or budget")
    .argument('<project>', PROJECT)
    .option('--name <name>', 'a new name')
    .addHelpText('after', example('project update acme/bot --budget 100 --models none'))
    .action(async (reference: string, own: GivenOptions & { name?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { ...definedFields({ name: own.name }), ...settingsFromOptions(PROJECT_SETTINGS, own) };
      if (Object.keys(body).length === 0) command.error('nothing to change; give an option such as --rpm 60');
      const changed = await context.connect(options).updateProject(reference, body);
      context.print(options, changed, projectText(changed) + notes(changed.warnings));
    });

  addListing(project, context);
  addArchiving(project, context);
}

function addListing(project: Command, context: CliContext): void {
  project
    .command('list')
    .summary('list the projects of a workspace')
    .argument('<workspace>', 'id or name')
    .option('--archived', 'the archived ones instead')
    .addHelpText('after', example('project list acme'))
    .action(async (workspace: string, own: { readonly archived?: true }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const filter = definedFields({ archived: own.archived && ('true' as const) });
      const data = await readAllPages((page) => client.listProjects(workspace, { ...page, ...filter }));
      const rows = data.map((each) => [
        each.name,
        each.requests_per_minute,
        each.tokens_per_minute,
        each.concurrency,
        budgetText(each),
        each.models?.join(',') ?? 'all',
        each.id,
      ]);
      const headings = ['NAME', 'RPM', 'TPM', 'CONCURRENCY', 'BUDGET', 'MODELS', 'ID'];
      context.print(
        options,
        { data },
        table(headings, rows, 'The workspace has no project yet.', ['RPM', 'TPM', 'CONCURRENCY']),
      );
    });

  project
    .command('show')
    .summary('show a project with its limits, and how its budget stands')
    .argument('<project>', PROJECT)
    .addHelpText('after', example('project show acme/bot'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showProject(reference);
      context.print(options, shown, projectText(shown));
    });
}

function addArchiving(project: Command, context: CliContext): void {
  project
    .command('archive')
    .summary('archive a project: its keys are refused until it is restored')
    .argument('<project>', PROJECT)
    .addHelpText('after', example('project archive acme/bot'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const archived = await context.connect(options).archiveProject(reference);
      const undo = `faregate project restore ${archived.workspace_id} ${archived.id}`;
      context.print(options, archived, `Archived. To undo it: ${undo}\n`);
    });

  project
    .command('restore')
    .summary('restore an archived project')
    .argument('<workspace>', 'id or name')
    .argument('<project>', 'its id')
    .addHelpText('after', example('project restore acme 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11'))
    .action(async (workspace: string, id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const restored = await context.connect(options).restoreProject(workspace, id);
      context.print(options, restored, projectText(restored));
    });
}

function projectText(project: Project): string {
  return pairs([
    ['id', project.id],
    ['name', project.name],
    ['requests a minute', project.requests_per_minute ?? 'no limit'],
    ['tokens a minute', project.tokens_per_minute ?? 'no limit'],
    ['concurrency', project.concurrency ?? 'no limit'],
    ['budget', budgetText(project)],
    ['used', `${project.used_usd} USD`],
    ['held', `${project.held_usd} USD`],
    ['leased', `${project.leased_usd} USD, with what is held`],
    ['left', project.left_usd === null ? null : `${project.left_usd} USD${untilText(project)}`],
    ['models', project.models?.join(', ') ?? 'all'],
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
