import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import {
  hours,
  instantOrNone,
  modelsOrNone,
  notesOrNone,
  nullForNone,
  usdOrNone,
  type OrNone,
} from '../option-values.ts';
import { notes, pairs, table } from '../text-layout.ts';

type Key = Awaited<ReturnType<AdminClient['showKey']>>;

interface KeyOptions {
  readonly name?: string;
  readonly spendLimit?: OrNone<string>;
  readonly models?: OrNone<string[]>;
  readonly expires?: OrNone<string>;
  readonly metadata?: Readonly<Record<string, string>>;
}

const KEY = 'id, or the key up to its public id';
const PROJECT = 'id, workspace/project, or a name that only one project has';

/** `key create|list|show|update|disable|enable|rotate|revoke`. */
export function addKeyCommands(program: Command, context: CliContext): void {
  const key = program.command('key').summary('API keys of callers');

  key
    .command('create')
    .summary('create a key; it is shown once')
    .argument('<project>', PROJECT)
    .option('--name <name>', 'its name')
    .option('--spend-limit <usd>', 'its spend limit per calendar month', usdOrNone)
    .option('--models <ids>', 'comma-separated model ids, or prefixes ending in *', modelsOrNone)
    .option('--expires <date>', 'when it expires; a date means its start in UTC', instantOrNone)
    .option('--metadata <notes...>', 'notes about it, such as team=search', notesOrNone)
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
        stateOf(each),
        each.spend_limit_usd ?? 'no limit',
        each.used_usd,
        each.models?.join(',') ?? 'all',
        each.expires_at ?? 'never',
        each.last_used_at ?? 'never',
        each.id,
      ]);
      const headings = ['NAME', 'KEY', 'STATE', 'USD A MONTH', 'USED', 'MODELS', 'EXPIRES', 'LAST USED', 'ID'];
      context.print(options, { data }, table(headings, rows, 'The project has no key yet.', ['USD A MONTH', 'USED']));
    });

  key
    .command('show')
    .summary('show a key and how its limit stands')
    .argument('<key>', KEY)
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showKey(reference);
      context.print(options, shown, keyText(shown));
    });

  addKeyChanges(key, context);
}

function addKeyChanges(key: Command, context: CliContext): void {
  key
    .command('update')
    .summary("change a key's name, limit, models, expiry or notes")
    .argument('<key>', KEY)
    .option('--name <name>', 'a new name')
    .option('--spend-limit <usd>', 'its spend limit per calendar month, or none', usdOrNone)
    .option('--models <ids>', 'comma-separated model ids, or prefixes ending in *; none allows all', modelsOrNone)
    .option('--expires <date>', 'when it expires; a date means its start in UTC; or none', instantOrNone)
    .option('--metadata <notes...>', 'notes in place of the former ones, such as team=search; or none', notesOrNone)
    .action(async (reference: string, own: KeyOptions, command: Command) => {
      const options = globalsOf(command);
      const body = keyBody(own);
      if (Object.keys(body).length === 0) command.error('nothing to change; name a flag such as --spend-limit 50');
      const changed = await context.connect(options).updateKey(reference, body);
      context.print(options, changed, keyText(changed) + notes(changed.warnings));
    });

  for (const [name, disabled, done] of [
    ['disable', true, 'Disabled; it is refused within a second, until it is enabled again.\n'],
    ['enable', false, 'Enabled; it works again within a second.\n'],
  ] as const) {
    key
      .command(name)
      .summary(disabled ? 'refuse a key until it is enabled again' : 'accept a disabled key again')
      .argument('<key>', KEY)
      .action(async (reference: string, _own: unknown, command: Command) => {
        const options = globalsOf(command);
        context.print(options, await context.connect(options).updateKey(reference, { disabled }), done);
      });
  }

  key
    .command('rotate')
    .summary('give a key another secret, shown once; the former one works for a while longer')
    .argument('<key>', KEY)
    .option('--overlap <hours>', 'how long the former secret works too, 0 to 720; 24 unless given', hours)
    .action(async (reference: string, own: { overlap?: number }, command: Command) => {
      const options = globalsOf(command);
      const body = own.overlap === undefined ? {} : { overlap_hours: own.overlap };
      const rotated = await context.connect(options).rotateKey(reference, body);
      const facts = pairs([
        ['id', rotated.id],
        ['name', rotated.name],
        ['key', rotated.key],
        ['former secret', rotated.former_secret_until === null ? 'ended' : `until ${rotated.former_secret_until}`],
      ]);
      context.print(options, rotated, `${facts}\nKeep the key now: it is not shown again.\n`);
    });

  key
    .command('end-former')
    .summary('end the former secret of a rotated key before its time')
    .argument('<key>', KEY)
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const ended = await context.connect(options).endFormerSecret(reference);
      context.print(options, ended, 'Ended; only the present secret works within a second.\n');
    });

  key
    .command('revoke')
    .summary('revoke a key permanently')
    .argument('<key>', KEY)
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const revoked = await context.connect(options).revokeKey(reference);
      context.print(options, revoked, 'Revoked; it stops working within a second.\n');
    });
}

function stateOf({ revoked_at, disabled_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return disabled_at === null ? 'active' : 'disabled';
}

function keyText(key: Key): string {
  return pairs([
    ['id', key.id],
    ['name', key.name],
    ['key', key.masked_key],
    ['state', stateOf(key)],
    ['limit', key.spend_limit_usd === null ? 'no limit' : `${key.spend_limit_usd} USD a month`],
    ['used', `${key.used_usd} USD`],
    ['held', `${key.held_usd} USD`],
    ['left', key.left_usd === null ? null : `${key.left_usd} USD until ${key.resets_at}`],
    ['models', key.models?.join(', ') ?? 'all'],
    ['expires', key.expires_at ?? 'never'],
    ['last used', key.last_used_at ?? 'never'],
    ['former secret', key.former_secret_until === null ? null : `until ${key.former_secret_until}`],
  ]);
}

function keyBody({ name, spendLimit, models, expires, metadata }: KeyOptions): Parameters<AdminClient['createKey']>[1] {
  return {
    ...(name === undefined ? {} : { name }),
    ...(spendLimit === undefined ? {} : { spend_limit_usd: nullForNone(spendLimit) }),
    ...(models === undefined ? {} : { models: nullForNone(models) }),
    ...(expires === undefined ? {} : { expires_at: nullForNone(expires) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
