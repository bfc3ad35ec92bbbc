import type { Command } from 'commander';
import { WORKSPACE_FILE_COMMANDS } from '../../../control/operations/workspace-commands.ts';
import { type CliContext, type GlobalOptions } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { table } from '../text-layout.ts';
import type { Change } from '../workspace-file/change.ts';
import type { WorkspacePlan } from '../workspace-file/plan.ts';

interface Given {
  readonly files: readonly string[];
  readonly prune: boolean;
}

/** Says that something differs: 1 is a failure. */
const DIFFERS = 2;

/** `diff|apply`: workspaces as files say. */
export function addWorkspaceFileCommands(program: Command, context: CliContext): void {
  const commands = new DeclaredCommands(program, context, WORKSPACE_FILE_COMMANDS);
  commands.run('diff', async ({ given, options }) => {
    const plans = await plansOf(context, given, options);
    context.print(options, plansJson(plans), plansText(plans));
    if (isChange(plans)) context.exitCode = DIFFERS;
  });
  commands.run('apply', async ({ given, options, confirm }) => {
    const plans = await plansOf(context, given, options);
    if (!isChange(plans)) return context.print(options, { ...plansJson(plans), made: 0, notes: [] }, plansText(plans));
    if (options.json !== true) context.print(options, null, plansText(plans));
    await confirm(`This makes the changes of the plan: ${plans.flatMap(({ changes }) => changes).length}.`);
    const { makeChanges } = await import('../workspace-file/plan.ts');
    const made = await makeChanges((version) => context.connect(options, { version }), plans, given.prune);
    const text = [`Made ${made.count} changes.`, ...made.notes].map((line) => `${line}\n`).join('');
    context.print(options, { ...plansJson(plans), made: made.count, notes: made.notes }, text);
  });
}

async function plansOf(context: CliContext, { files, prune }: Given, options: GlobalOptions) {
  // They read a file by the schemas of the admin API, which other commands need not load.
  const { readWorkspaceFiles } = await import('../workspace-file/read-file.ts');
  const { planWorkspace } = await import('../workspace-file/plan.ts');
  const declared = readWorkspaceFiles(files, context.surroundings);
  const client = context.connect(options);
  const plans: WorkspacePlan[] = [];
  for (const each of declared) plans.push(await planWorkspace(client, each, prune));
  return plans;
}

function isChange(plans: readonly WorkspacePlan[]): boolean {
  return plans.some(({ changes }) => changes.length > 0);
}

function plansJson(plans: readonly WorkspacePlan[]) {
  const jsonOf = (of: 'changes' | 'kept') =>
    plans.flatMap(({ declared, [of]: changes }) =>
      changes.map(({ kind, name, change, fields }) => ({ workspace: declared.name, kind, name, change, fields })),
    );
  return {
    changes: jsonOf('changes'),
    kept: jsonOf('kept').map(({ workspace, kind, name }) => ({ workspace, kind, name })),
  };
}

/** One line for each field that changes. */
function plansText(plans: readonly WorkspacePlan[]): string {
  const rows = plans.flatMap(({ declared, changes }) => changes.flatMap((change) => rowsOf(declared.name, change)));
  const headings = ['WORKSPACE', 'KIND', 'NAME', 'CHANGE', 'FIELD', 'FROM', 'TO'];
  const kept = plans.flatMap(({ declared, kept: left }) =>
    left.map(({ kind, name }) => `Not in the files, and stays: ${kind} "${name}" of ${declared.name}.\n`),
  );
  const text = table(headings, rows, 'The workspaces are as the files say.');
  return kept.length === 0 ? text : `${text}${kept.join('')}--prune takes them away.\n`;
}

function rowsOf(workspace: string, { kind, name, change, fields }: Change): readonly (readonly (string | null)[])[] {
  const start = [workspace, kind, name, change];
  return fields.length === 0
    ? [start]
    : fields.map(({ field, from, to }) => [...start, field, from ?? 'none', to ?? 'none']);
}
