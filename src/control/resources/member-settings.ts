import type { SettingsOf, SettingTable } from './setting.ts';

/** What people decide about a member, beside the role. */
export const MEMBER_SETTINGS = {
  monthlyLimit: {
    kind: 'usd',
    wire: 'monthly_limit',
    description:
      'What all keys that the member has made may spend together in a calendar month, their playground included; null: no limit.',
    label: 'Limit a month',
    help: 'Over all keys that they have made, and their playground. It resets on the first of each month, UTC. Empty: no limit.',
    option: '--monthly-limit <usd>',
    optionHelp: 'what all keys that they have made may spend together in a calendar month, or none',
  },
} as const satisfies SettingTable;

export type MemberSettings = SettingsOf<typeof MEMBER_SETTINGS>;
