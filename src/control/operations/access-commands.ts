import type { CommandTable } from './command.ts';
import { ONCE, WORKSPACE } from './words.ts';

export const TOKEN_COMMANDS = {
  'token create': {
    calls: 'createOperatorToken',
    summary: 'create an operator token',
    description: 'Creates an operator token beside the one of the instance. It is shown once.',
    takes: {
      name: { word: '--name <name>', required: true, help: 'what it is for' },
      read_only: { word: '--read-only', kind: 'flag', initial: false, help: 'a token that changes nothing' },
      backup: { word: '--backup', kind: 'flag', help: 'a read-only token that downloads backups, too' },
      once: ONCE,
    },
    example: '--name terraform --read-only',
  },
  'token list': { calls: 'listOperatorTokens', summary: 'list the operator tokens', example: '' },
  'token revoke': {
    calls: 'revokeOperatorToken',
    summary: 'revoke an operator token',
    takes: { token: { word: '<token>', help: 'its name or id' } },
    example: 'terraform',
  },
  'token rotate': {
    calls: 'rotateOwnToken',
    summary: "replace the instance's own operator token",
    description: "Replaces the operator token in the instance's data directory; the former one stops within a second.",
    example: '',
  },
} as const satisfies CommandTable;

const FILTERS = {
  workspace: WORKSPACE,
  action: { word: '--action <name>', help: 'only this action, such as key.create' },
  target: { word: '--target <id>', help: 'only changes of the thing with this id' },
  user: { word: '--user <id>', help: 'only changes by this user' },
  from: { word: '--since <time>', kind: 'time since', help: 'from here on: 12h, 7d, a date or an instant' },
  to: { word: '--until <date>', kind: 'time', help: 'before this date or instant' },
} as const;

export const AUDIT_COMMANDS = {
  'audit list': {
    calls: 'listAuditEvents',
    summary: 'list the newest changes',
    takes: {
      ...FILTERS,
      limit: { word: '-n, --limit <number>', kind: 'count', max: 200, initial: 50, help: 'how many at most' },
    },
    example: 'acme --action key.create --since 7d',
  },
  'audit show': {
    calls: 'showAuditEvent',
    summary: 'show a change, with what was before and after',
    takes: { workspace: WORKSPACE, event: { word: '<event>', help: 'its id, as "audit list" prints it' } },
    example: 'acme 0199b2d4-7a51-7000-8000-000000000001',
  },
  'audit export': {
    summary: 'print all changes as CSV, or as lines of JSON',
    takes: FILTERS,
    example: 'acme --since 30d',
  },
} as const satisfies CommandTable;
