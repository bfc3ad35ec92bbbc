import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { KEY_SETTINGS } from '../../../control/resources/key-settings.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { hoursUpTo, onceOption } from '../option-values.ts';
import { addSettingOptions, type GivenOptions, settingsFromOptions } from '../setting-options.ts';
import { notes, pairs } from '../text-layout.ts';
import { addKeyListing, stateOf } from './key-listing.ts';

type Key = Awaited<ReturnType<AdminClient['showKey']>>;

const KEY = 'id, or the key as it is shown';
const PROJECT = 'id, workspace/project, or a name that only one project has';

/** `key create|list|find|show|update|disable|enable|rotate|end-former|revoke`. */
export function addKeyCommands(program: Command, context: CliContext): void {
  const key = program.command('key').summary('API keys of callers');

  addSettingOptions(key.command('create').summary('create a key; it is shown once'), KEY_SETTINGS)
    .argument('<project>', PROJECT)
    .addOption(onceOption())
    .addHelpText('after', example('key create acme/bot --name ci --spend-limit 50 --models small-chat'))
    .action(async (project: string, own: GivenOptions & { once?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { ...settingsFromOptions(KEY_SETTINGS, own), ...definedFields({ once: own.once }) };
      const made = await context.connect(options).createKey(project, body);
      const facts = pairs([
        ['id', made.id],
        ['name', made.name],
        ['key', made.key ?? made.masked_key],
      ]);
      const advice =
        made.key === null ? 'It was created before, and shown then.' : 'Keep the key now: it is not shown again.';
      context.print(options, made, `${facts}\n${advice}\n${notes(made.warnings)}`);
    });

  addKeyListing(key, context);

  key
    .command('show')
    .summary('show a key and how its limit stands')
    .argument('<key>', KEY)
    .addHelpText('after', example('key show fg_live_00a8Jk2LmQ9xYz…7Rt2'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showKey(reference);
      context.print(options, shown, keyText(shown));
    });

  addKeyChanges(key, context);
}

function addKeyChanges(key: Command, context: CliContext): void {
  addSettingOptions(key.command('update').summary("change a key's name, limit, models, expiry or notes"), KEY_SETTINGS)
    .argument('<key>', KEY)
    .addHelpText('after', example('key update fg_live_00a8Jk2LmQ9xYz…7Rt2 --spend-limit 75 --expires none'))
    .action(async (reference: string, own: GivenOptions, command: Command) => {
      const options = globalsOf(command);
      const body = settingsFromOptions(KEY_SETTINGS, own);
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
      .addHelpText('after', example(`key ${name} fg_live_00a8Jk2LmQ9xYz…7Rt2`))
      .action(async (reference: string, _own: unknown, command: Command) => {
        const options = globalsOf(command);
        context.print(options, await context.connect(options).updateKey(reference, { disabled }), done);
      });
  }

  key
    .command('rotate')
    .summary('give a key another secret, shown once; the former one works for a while longer')
    .argument('<key>', KEY)
    .option('--overlap <hours>', 'how long the former secret works too, 0 to 720; 24 unless given', hoursUpTo(720))
    .addHelpText('after', example('key rotate fg_live_00a8Jk2LmQ9xYz…7Rt2 --overlap 48'))
    .action(async (reference: string, own: { overlap?: number }, command: Command) => {
      const options = globalsOf(command);
      const body = definedFields({ overlap_hours: own.overlap });
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
    .addHelpText('after', example('key end-former fg_live_00a8Jk2LmQ9xYz…7Rt2'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const ended = await context.connect(options).endFormerSecret(reference);
      context.print(options, ended, 'Ended; only the present secret works within a second.\n');
    });

  key
    .command('revoke')
    .summary('revoke a key permanently')
    .argument('<key>', KEY)
    .addHelpText('after', example('key revoke fg_live_00a8Jk2LmQ9xYz…7Rt2'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const revoked = await context.connect(options).revokeKey(reference);
      context.print(options, revoked, 'Revoked; it stops working within a second.\n');
    });
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
    ['leased', `${key.leased_usd} USD, with what is held`],
    ['left', key.left_usd === null ? null : `${key.left_usd} USD until ${key.resets_at}`],
    ['models', key.models?.join(', ') ?? 'all'],
    ['notes', notesOf(key)],
    ['expires', key.expires_at ?? 'never'],
    ['last used', key.last_used_at ?? 'never'],
    ['former secret', key.former_secret_until === null ? null : `until ${key.former_secret_until}`],
  ]);
}

function notesOf({ metadata }: Key): string | null {
  const given = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return given.length === 0 ? null : given.join(', ');
}
