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
  billingName: {
    kind: 'text',
    max: 200,
    wire: 'billing_name',
    description: 'The company or person that statements are addressed to; null: the name of the workspace.',
    label: 'Name on statements',
    help: 'The company or person that pays. Empty: the name of the workspace.',
    option: '--billing-name <text>',
    optionHelp: 'the company or person that statements are addressed to, or none',
  },
  billingAddress: {
    kind: 'text',
    max: 500,
    wire: 'billing_address',
    description: 'The address on statements, in one line; null: none.',
    label: 'Address on statements',
    help: 'In one line, such as "1 Main Street, 12345 Springfield, Germany".',
    option: '--billing-address <text>',
    optionHelp: 'the address on statements, in one line, or none',
  },
  billingTaxId: {
    kind: 'text',
    max: 50,
    wire: 'billing_tax_id',
    description: 'The tax number on statements; null: none.',
    label: 'Tax number on statements',
    help: 'Such as a VAT number.',
    option: '--billing-tax-id <text>',
    optionHelp: 'the tax number on statements, or none',
  },
} as const satisfies SettingTable;

export type WorkspaceSettings = SettingsOf<typeof WORKSPACE_SETTINGS>;
