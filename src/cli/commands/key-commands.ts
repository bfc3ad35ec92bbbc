import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { instant, modelsOrNone, nullForNone, usdOrNone, type OrNone } from '../option-values.ts';
import { notes, pairs, table } from '../text-layout.ts';

interface KeyOptions {
  readonly name?: string;
  readonly spendLimit?: OrNone<string>;
  readonly models?: OrNone<string[]>;
  readonly expires?: string;
}

const PROJECT = 'id, workspace/project, or a name that only one project has';

/** `key create|list|revoke`. */
export function addKeyCommands(program: Command, context: CliContext): void {
  const key = program.command('key').summary('API keys of callers');

  key
    .command('create')
    .summary('create a key; it is shown once')
    .argument('<project>', PROJECT)
    .option('--name <name>', 'its name')
    .option('--spend-limit <usd>', 'its spend limit per calendar month', usdOrNone)
    .option('--models <ids>', 'comma-separated model ids, or prefixes ending in *', modelsOrNone)
    .option('--expires <date>', 'when it expires; a date means its start in UTC', instant)
    .action(async (project: string, own: KeyOptions, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createKey(project, keyBody(own));
      const facts = pairs([
        ['id', made.id],
        ['name', made.name],
        ['key', made.key],
      ]);
      context.print(options, made, `${facts}\nKeep the key now: it is not shown again.\n${notes(made.warnings)}`);
    });

  key
    .command('list')
    .summary('list the keys of a project')
    .argument('<project>', PROJECT)
    .action(async (project: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listKeys(project, page));
      const rows = data.map((each) => [
        each.name,
        each.masked_key,
        each.spend_limit_usd ?? 'no limit',
        each.models?.join(',') ?? 'all',
        each.expires_at ?? 'never',
        each.revoked_at ?? 'no',
        each.id,
      ]);
      const headings = ['NAME', 'KEY', 'USD A MONTH', 'MODELS', 'EXPIRES', 'REVOKED', 'ID'];
      context.print(options, { data }, table(headings, rows, 'The project has no key yet.'));
    });

  key
    .command('revoke')
    .summary('revoke a key permanently')
    .argument('<key>', 'id, or the key up to its public id')
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const revoked = await context.connect(options).revokeKey(reference);
      context.print(options, revoked, 'Revoked; it stops working within a second.\n');
    });
}

function keyBody({ name, spendLimit, models, expires }: KeyOptions): Parameters<AdminClient['createKey']>[1] {
  return {
    ...(name === undefined ? {} : { name }),
    ...(spendLimit === undefined ? {} : { spend_limit_usd: nullForNone(spendLimit) }),
    ...(models === undefined ? {} : { models: nullForNone(models) }),
    ...(expires === undefined ? {} : { expires_at: expires }),
  };
}
