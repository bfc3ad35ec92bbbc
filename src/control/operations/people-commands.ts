import { ROLES } from '../../domain/roles.ts';
import { RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { MEMBER_SETTINGS } from '../resources/member-settings.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, WORKSPACE } from './words.ts';

const EMAIL = { word: '<email>' } as const;
const MEMBER = { word: '<member>', help: 'email address or id' } as const;
const ROLE = { word: '--role <role>', kind: 'choice', of: ROLES, required: true, help: 'what they may do' } as const;

export const USER_COMMANDS = {
  'user list': {
    calls: 'listUsers',
    summary: 'list the users',
    takes: { search: { word: '--search <text>', help: 'a part of the email address or the name' } },
    example: '--search ada',
  },
  'user disable': {
    calls: 'changeUser',
    summary: 'end the sessions of a user, and let nobody sign in as them',
    takes: { user: EMAIL },
    gives: { disabled: true },
    example: 'ada@example.com',
  },
  'user enable': {
    calls: 'changeUser',
    summary: 'let a disabled user sign in again',
    takes: { user: EMAIL },
    gives: { disabled: false },
    example: 'ada@example.com',
  },
  'user make-operator': {
    calls: 'changeUser',
    summary: 'let a user do everything that the operator may',
    takes: { user: EMAIL },
    gives: { operator: true },
    example: 'ada@example.com',
  },
  'user unmake-operator': {
    calls: 'changeUser',
    summary: 'leave a user with their workspaces alone',
    takes: { user: EMAIL },
    gives: { operator: false },
    example: 'ada@example.com',
  },
  'user erase': {
    calls: 'eraseUser',
    summary: 'erase a person: name, address, password and all that says who an account belonged to',
    takes: {
      user: { word: '<user>', help: 'email address or id' },
      leave_without_owner: {
        word: '--leave-without-owner',
        kind: 'flag',
        help: 'even if a workspace has no owner then',
      },
    },
    isConfirmed: true,
    example: 'ada@example.com --yes',
  },
  'user sign-out': {
    calls: 'signUserOut',
    summary: 'end all sessions of a user',
    takes: { user: EMAIL },
    example: 'ada@example.com',
  },
  'user reset-link': {
    calls: 'createUserResetLink',
    summary: 'make a link by which a user sets a new password',
    takes: { user: EMAIL },
    example: 'ada@example.com',
  },
  'user set-up-link': {
    calls: 'createSetUpLink',
    summary: 'make a link by which the first owner creates an account',
    example: '',
  },
} as const satisfies CommandTable;

export const MEMBER_COMMANDS = {
  'member list': {
    calls: 'listMembers',
    summary: 'list the members of a workspace',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'member invite': {
    calls: 'createInvitation',
    summary: 'invite somebody to a workspace; the link is mailed, or shown once if there is no mail',
    takes: { workspace: WORKSPACE, email: EMAIL, role: ROLE, once: ONCE },
    example: 'acme ada@example.com --role developer',
  },
  'member invite-all': {
    calls: 'inviteColleagues',
    summary: 'invite several people together, all of them or none; links and keys are shown once',
    takes: {
      workspace: WORKSPACE,
      emails: { word: '<email...>', help: 'email addresses' },
      role: ROLE,
      monthly_limit_usd: {
        word: '--monthly-limit <usd>',
        kind: 'usd',
        help: 'what each may spend in a calendar month over all their keys',
      },
      key_project: { word: '--key-project <project>', help: 'the project in which a key is made for each' },
      once: ONCE,
    },
    example: 'acme ada@example.com grace@example.com --role member --monthly-limit 20 --key-project bot',
  },
  'member show': {
    calls: 'getMember',
    summary: 'show a member of a workspace',
    takes: { workspace: WORKSPACE, user: MEMBER },
    example: 'acme ada@example.com',
  },
  'member role': {
    calls: 'changeMember',
    summary: "change a member's role",
    takes: { workspace: WORKSPACE, user: MEMBER, role: ROLE },
    example: 'acme ada@example.com --role admin',
  },
  'member update': {
    calls: 'changeMember',
    summary: "change a member's monthly limit over all keys that they have made",
    settings: { ...MEMBER_SETTINGS, ...RAISE_SETTINGS },
    takes: { workspace: WORKSPACE, user: MEMBER },
    nothing: 'nothing to change; name a flag such as --monthly-limit 20',
    example: 'acme ada@example.com --monthly-limit 20',
  },
  'member reset-link': {
    calls: 'createMemberResetLink',
    summary: 'make a link by which a member sets a new password',
    takes: { workspace: WORKSPACE, user: MEMBER },
    example: 'acme ada@example.com',
  },
  'member remove': {
    calls: 'removeMember',
    summary: 'remove a member from a workspace; the account stays',
    takes: { workspace: WORKSPACE, user: MEMBER },
    isConfirmed: true,
    example: 'acme ada@example.com',
  },
} as const satisfies CommandTable;

export const INVITATION_COMMANDS = {
  'invitation list': {
    calls: 'listInvitations',
    summary: 'list the open invitations of a workspace',
    takes: { workspace: WORKSPACE },
    example: 'acme',
  },
  'invitation revoke': {
    calls: 'revokeInvitation',
    summary: 'revoke an invitation: its link ends',
    takes: { workspace: WORKSPACE, invitation: { word: '<invitation>', help: 'its id' } },
    example: `acme ${ID}`,
  },
} as const satisfies CommandTable;
