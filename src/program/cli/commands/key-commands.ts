import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { KEY_COMMANDS } from '../../../control/operations/key-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { raisedText } from '../raised-limit.ts';
import { notes, pairs } from '../text-layout.ts';
import { addKeyListing, stateOf } from './key-listing.ts';

const KEEP_IT = '\nKeep the key now: it is not shown again.\n';

type Key = Awaited<ReturnType<AdminClient['showKey']>>;

/** `key create|list|find|show|update|disable|enable|rotate|end-former|revoke`. */
export function addKeyCommands(program: Command, context: CliContext): void {
  const key = program.command('key').summary('API keys of callers');
  const commands = new DeclaredCommands(key, context, KEY_COMMANDS);
  commands.say('key create', ({ id, name, key: secret, masked_key: masked, warnings }) => {
    const facts = pairs(Object.entries({ id, name, key: secret ?? masked }));
    return facts + (secret === null ? '\nIt was created before, and shown then.\n' : KEEP_IT) + notes(warnings);
  });
  addKeyListing(commands, context);
  commands.say('key show', keyText);
  commands.say('key update', (changed) => keyText(changed) + notes(changed.warnings));
  commands.say('key disable', () => 'Disabled; it is refused within a second, until it is enabled again.\n');
  commands.say('key enable', () => 'Enabled; it works again within a second.\n');
  commands.say('key rotate', ({ id, name, key: secret, former_secret_until: until }) => {
    return (
      pairs(Object.entries({ id, name, key: secret, 'former secret': until ? `until ${until}` : 'ended' })) + KEEP_IT
    );
  });
  commands.say('key end-former', () => 'Ended; only the present secret works within a second.\n');
  commands.say('key revoke', () => 'Revoked; it stops working within a second.\n');
}

function keyText(key: Key): string {
  return pairs([
    ['id', key.id],
    ['name', key.name],
    ['key', key.masked_key],
    ['owner', ownerOf(key)],
    ['state', stateOf(key)],
    ['limit', key.spend_limit_usd === null ? 'no limit' : `${key.spend_limit_usd} USD a month${raisedText(key)}`],
    ['used', `${key.used_usd} USD`],
    ['held', `${key.held_usd} USD`],
    ['leased', `${key.leased_usd} USD, including holds`],
    ['left', key.left_usd === null ? null : `${key.left_usd} USD until ${key.resets_at}`],
    ['models', key.models?.join(', ') ?? 'all'],
    ['notes', notesOf(key)],
    ['accepted from', key.allowed_networks?.join(', ') ?? null],
    ['expires', key.expires_at ?? 'never'],
    ['last used', key.last_used_at ?? 'never'],
    ['former secret', key.former_secret_until === null ? null : `until ${key.former_secret_until}`],
  ]);
}

/** Whose key it is, or will be; null: nobody's, or the operator's. */
function ownerOf({ created_by_name: name, invited_email: invited }: Key): string | null {
  return name ?? (invited === null ? null : `${invited} (invited)`);
}

function notesOf({ metadata }: Key): string | null {
  const given = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return given.length === 0 ? null : given.join(', ');
}
