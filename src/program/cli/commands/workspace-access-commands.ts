import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import {
  ACCESS_COMMANDS,
  DIRECTORY_COMMANDS,
  DOMAIN_COMMANDS,
} from '../../../control/operations/workspace-access-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, table } from '../text-layout.ts';

type Access = Awaited<ReturnType<AdminClient['showAccess']>>;
type Directory = Awaited<ReturnType<AdminClient['showDirectory']>>;
type Domain = Awaited<ReturnType<AdminClient['addDomain']>>;

/** `access show|update`. */
export function addAccessCommands(program: Command, context: CliContext): void {
  const access = program.command('access').summary('single sign-on, second factor and networks of workspaces');
  const commands = new DeclaredCommands(access, context, ACCESS_COMMANDS);
  commands.say('access show', accessText);
  commands.say('access update', accessText);
}

/** `directory show|connect|disconnect`. */
export function addDirectoryCommands(program: Command, context: CliContext): void {
  const directory = program.command('directory').summary('directories of companies, which send their people (SCIM)');
  const commands = new DeclaredCommands(directory, context, DIRECTORY_COMMANDS);
  commands.say('directory show', directoryText);
  commands.say(
    'directory connect',
    (made) => `${pairs([['token', made.secret]])}${directoryText(made)}\nKeep the token now: it is not shown again.\n`,
    {
      confirm: ({ workspace }) =>
        `The directory that has the token decides who is a member of ${workspace}; a former token stops counting.`,
    },
  );
  commands.say('directory disconnect', directoryText, {
    confirm: ({ workspace }) => `The directory of ${workspace} then changes nothing any more, also if somebody leaves.`,
  });
}

function directoryText(directory: Directory): string {
  return pairs([
    ['base URL', directory.base_url],
    ['token', directory.token?.masked_token ?? 'none: no directory is connected'],
    ['made', directory.token === null ? null : `${directory.token.created_at} by ${directory.token.created_by}`],
    ['last call', directory.token === null ? null : (directory.token.last_used_at ?? 'none yet')],
    ['users', `${directory.users}, of whom ${directory.active_users} are active`],
    ['groups', String(directory.groups)],
  ]);
}

/** `domain list|add|prove|approve|remove`. */
export function addDomainCommands(program: Command, context: CliContext): void {
  const domain = program.command('domain').summary('domains of mail addresses, whose people a workspace signs in');
  const commands = new DeclaredCommands(domain, context, DOMAIN_COMMANDS);
  commands.say('domain list', ({ data }) =>
    table(
      ['DOMAIN', 'PROVEN', 'TXT RECORD', 'WITH'],
      data.map((each) => [each.domain, provenText(each), each.record_name, each.record_value]),
      'The workspace has no domain yet.',
    ),
  );
  commands.say('domain add', (added) =>
    added.proven_at === null
      ? `Add this TXT record to the DNS, then run domain prove:\n${pairs([
          ['name', added.record_name],
          ['content', added.record_value],
        ])}`
      : `${added.domain} is proven.\n`,
  );
  commands.say('domain prove', provenLine);
  commands.say('domain approve', provenLine, {
    confirm: ({ workspace, domain: name }) =>
      `This lets ${workspace} decide who signs in with addresses of ${name}, and to which accounts.`,
  });
  commands.say('domain remove', () => 'Removed; its people sign in as others do.\n', {
    confirm: ({ workspace, domain: name }) =>
      `People with addresses of ${name} can't sign in at the provider of ${workspace} then.`,
  });
}

function provenLine({ domain }: Domain): string {
  return `${domain} is proven: its people sign in at the provider of the workspace, if it has one.\n`;
}

function provenText({ proven_at: at, proven_by: by }: Domain): string {
  return at === null ? 'no' : by === 'dns' ? `by DNS, ${at}` : `by the operator, ${at}`;
}

function accessText(access: Access): string {
  const groups = Object.entries(access.group_roles).map(([group, role]) => `${group}=${role}`);
  const isSet = access.issuer !== null;
  return pairs([
    ['issuer', access.issuer ?? 'none: members sign in by password, or at the provider of the instance'],
    ['client id', access.client_id],
    ['client secret', isSet ? (access.has_client_secret ? 'set' : 'not set') : null],
    ['callback', access.callback_url],
    ['addresses', isSet && access.trusts_addresses ? 'count without email_verified' : null],
    ['claim of groups', isSet ? (access.groups_claim ?? 'groups') : null],
    ['roles of groups', groups.length === 0 ? null : groups.join(', ')],
    ['role of others', isSet ? access.default_role : null],
    ['password sign-in', access.only_openid ? 'refused for people of its domains' : 'allowed'],
    ['second factor', access.second_factor ? 'demanded of members' : 'left to members'],
    ['keys of leavers', access.ends_leavers_keys ? 'end' : 'stay'],
    ['used from', access.allowed_networks?.join(', ') ?? 'anywhere'],
  ]);
}
