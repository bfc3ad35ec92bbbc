import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about one end user of a project. */
export const END_USER_SETTINGS = {
  limit: {
    kind: 'usd',
    wire: 'limit',
    description:
      "What this end user may spend in each period of the project's limit of end users, in the place of that limit; null: they have none.",
    label: 'Limit',
    help: 'In the place of the limit of each end user, and with its period. Empty: no limit.',
    option: '--limit <usd>',
    optionHelp: 'what they may spend in one period, or none',
  },
} as const satisfies SettingTable;

export type EndUserSettings = SettingsOf<typeof END_USER_SETTINGS>;
