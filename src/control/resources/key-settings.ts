import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about a key. */
export const KEY_SETTINGS = {
  name: {
    kind: 'name',
    wire: 'name',
    label: 'Name',
    help: 'What calls with it: “search service”.',
    option: '--name <name>',
    optionHelp: 'its name',
  },
  spendLimit: {
    kind: 'usd',
    wire: 'spend_limit',
    label: 'Spend limit a month',
    help: "It resets on the first of each month, UTC. Empty: only its project's budget and the credit limit it.",
    option: '--spend-limit <usd>',
    optionHelp: 'its spend limit per calendar month, or none',
  },
  models: {
    kind: 'models',
    wire: 'models',
    label: 'Models it may call',
    help: 'Ids, or the beginning of ids and "*", as in openai/*. Without any, it may call what its project allows.',
    option: '--models <ids>',
    optionHelp: 'comma-separated model ids, or prefixes ending in *; none allows all',
  },
  expiresAt: {
    kind: 'time',
    wire: 'expires_at',
    label: 'Expires on',
    help: 'It is refused from the beginning of this day on, UTC. Empty: it does not expire.',
    option: '--expires <date>',
    optionHelp: 'when it expires, or none; a date means its start in UTC',
  },
  allowedNetworks: {
    kind: 'networks',
    wire: 'allowed_networks',
    description: 'The networks from which it is accepted; null: from anywhere. Those of its workspace apply besides.',
    label: 'Accepted from',
    help: 'One network a line: 203.0.113.0/24, 2001:db8::/32. Empty: from anywhere.',
    option: '--networks <cidrs>',
    optionHelp: 'comma-separated networks from which it is accepted, or none',
  },
  metadata: {
    kind: 'notes',
    wire: 'metadata',
    description: 'Your own notes about the key.',
    label: 'Metadata',
    help: 'One note a line: team=search. Up to 16; for you, not for models.',
    option: '--metadata <notes...>',
    optionHelp: 'all notes about it, such as team=search; none removes them',
  },
} as const satisfies SettingTable;

/** The settings of a key: its limit in nano-USD a month. */
export type KeySettings = SettingsOf<typeof KEY_SETTINGS>;
