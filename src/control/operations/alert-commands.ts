import { WORKSPACE_KINDS } from '../../domain/alert-kinds.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, OWNED_BY, OWNER_LISTED, WORKSPACE } from './words.ts';

const RULE = { word: '<rule>', help: 'its id' } as const;

const SETTINGS = {
  threshold_usd: { word: '--below <usd>', kind: 'usd', help: 'for balance_below: the amount' },
  percent: {
    word: '--percent <number>',
    kind: 'count',
    max: 100,
    help: 'for balance_share, project_budget and the kinds of limits',
  },
  days: { word: '--days <number>', kind: 'count', max: 365, help: 'for runway' },
  mail_roles: {
    word: '--mail-role <role...>',
    kind: 'names',
    help: 'members with these roles get a mail; none: no role',
  },
  mail_to: { word: '--mail-to <address...>', kind: 'names', help: 'so do these addresses; none: no address' },
  enabled: { kind: 'switch', word: '--enable', help: 'turn it on', offHelp: 'turn it off' },
} as const;

export const ALERT_COMMANDS = {
  'alert list': {
    calls: 'listAlerts',
    summary: 'list the alerts of a workspace, newest first',
    takes: {
      workspace: OWNER_LISTED,
      open: { word: '--open', kind: 'flag', help: 'only those whose value is not back yet' },
      rule: { word: '--rule <id>', help: 'only those of this rule' },
    },
    example: 'acme --open',
  },
} as const satisfies CommandTable;

export const ALERT_RULE_COMMANDS = {
  'alert-rule list': {
    calls: 'listAlertRules',
    summary: 'list the alert rules of a workspace',
    takes: { workspace: OWNER_LISTED },
    example: 'acme',
  },
  'alert-rule create': {
    calls: 'createAlertRule',
    summary: 'create an alert rule of a workspace',
    takes: {
      ...SETTINGS,
      workspace: WORKSPACE,
      name: { word: '--name <name>', required: true, help: 'what it is called' },
      kind: { word: '--kind <kind>', kind: 'choice', of: WORKSPACE_KINDS, required: true, help: 'what it watches' },
      subject_id: { word: '--subject <id>', help: 'the one project or key that it is about (default: each)' },
      once: ONCE,
    },
    example: 'acme --name low --kind balance_below --below 20 --mail-role owner',
  },
  'alert-rule update': {
    calls: 'updateAlertRule',
    summary: "change an alert rule, of a workspace or of the operator's",
    takes: {
      ...SETTINGS,
      rule: RULE,
      workspace: OWNED_BY,
      name: { word: '--name <name>', help: 'a new name' },
    },
    nothing: 'nothing to change; give an option such as --disable',
    example: `${ID} --workspace acme --disable`,
  },
  'alert-rule delete': {
    calls: 'deleteAlertRule',
    summary: 'delete an alert rule of a workspace; its alerts stay in the history',
    takes: { workspace: WORKSPACE, rule: RULE },
    example: `acme ${ID}`,
  },
} as const satisfies CommandTable;
