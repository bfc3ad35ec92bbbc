import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about a workspace. */
export const WORKSPACE_SETTINGS = {
  name: {
    kind: 'name',
    wire: 'name',
    label: 'Name',
    option: '--name <name>',
    optionHelp: 'its name',
  },
  memberMonthlyLimit: {
    kind: 'usd',
    wire: 'member_monthly_limit',
    description:
      'The monthly limit of those who become members from now on; null: none. Members keep the limit that they have.',
    label: 'Limit a month for new members',
    help: 'What each of them may spend in a calendar month, over all keys that they make. Members keep the limit that they have. Empty: no limit.',
    option: '--member-monthly-limit <usd>',
    optionHelp: 'the monthly limit of those who become members from now on, or none',
  },
} as const satisfies SettingTable;

export type WorkspaceSettings = SettingsOf<typeof WORKSPACE_SETTINGS>;
