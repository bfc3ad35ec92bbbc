import type {
  AlertRuleCreation,
  AlertRuleUpdate,
  WebhookUpdate,
} from '../../../src/control/admin/alerts/alert-contract.ts';
import type { AlertListing, AlertOwner, DeliveryListing } from '../api/alerts.ts';

// The commands of alerts, their rules, webhook endpoints and deliveries. `none` clears a list.

const ofOwner = (owner: AlertOwner): readonly string[] => (owner === null ? [] : ['--workspace', owner]);
const given = (option: string, value: string | number | null | undefined): readonly string[] =>
  value === undefined || value === null ? [] : [option, String(value)];

function enabling(enabled: boolean | undefined): readonly string[] {
  if (enabled === undefined) return [];
  return [enabled ? '--enable' : '--disable'];
}

function listed(option: string, values: readonly string[] | undefined): readonly string[] {
  if (values === undefined) return [];
  return [option, ...(values.length === 0 ? ['none'] : values)];
}

function optionsFor({ threshold_usd: below, percent, days, ...rest }: AlertRuleUpdate): readonly string[] {
  return [
    ...given('--below', below),
    ...given('--percent', percent),
    ...given('--days', days),
    ...listed('--mail-role', rest.mail_roles),
    ...listed('--mail-to', rest.mail_to),
    ...enabling(rest.enabled),
  ];
}

export const alertCommand = {
  list: (owner: AlertOwner, { isOpen, rule }: AlertListing) => [
    'alert',
    'list',
    ...(owner === null ? [] : [owner]),
    ...(isOpen ? ['--open'] : []),
    ...given('--rule', rule),
  ],
  rules: (owner: AlertOwner) => ['alert-rule', 'list', ...(owner === null ? [] : [owner])],
  createRule: (workspace: string, { name, kind, subject_id: subject, ...settings }: AlertRuleCreation) => [
    'alert-rule',
    'create',
    workspace,
    '--name',
    name,
    '--kind',
    kind,
    ...given('--subject', subject),
    // Nobody is mailed unless they are named.
    ...optionsFor({
      ...settings,
      mail_roles: settings.mail_roles?.length === 0 ? undefined : settings.mail_roles,
      mail_to: settings.mail_to?.length === 0 ? undefined : settings.mail_to,
    }),
  ],
  updateRule: (owner: AlertOwner, id: string, { name, ...settings }: AlertRuleUpdate) => [
    'alert-rule',
    'update',
    id,
    ...ofOwner(owner),
    ...given('--name', name),
    ...optionsFor(settings),
  ],
  deleteRule: (workspace: string, id: string) => ['alert-rule', 'delete', workspace, id],
};

export const webhookCommand = {
  list: (owner: AlertOwner) => ['webhook', 'list', ...(owner === null ? [] : [owner])],
  create: (owner: AlertOwner, url: string, description: string) => [
    'webhook',
    'create',
    url === '' ? 'URL' : url,
    ...ofOwner(owner),
    ...given('--description', description === '' ? null : description),
  ],
  update: (owner: AlertOwner, id: string, { url, description, enabled }: WebhookUpdate) => [
    'webhook',
    'update',
    id,
    ...ofOwner(owner),
    ...given('--url', url),
    ...given('--description', description),
    ...enabling(enabled),
  ],
  rotate: (owner: AlertOwner, id: string, overlapHours: string) => [
    'webhook',
    'rotate',
    id,
    ...ofOwner(owner),
    '--overlap',
    overlapHours,
  ],
  remove: (owner: AlertOwner, id: string) => ['webhook', 'delete', id, ...ofOwner(owner)],
  test: (owner: AlertOwner, id: string) => ['webhook', 'test', id, ...ofOwner(owner)],
  resend: (owner: AlertOwner, delivery: string) => ['delivery', 'resend', delivery, ...ofOwner(owner)],
  deliveries: (owner: AlertOwner, { state, webhook }: DeliveryListing) => [
    'delivery',
    'list',
    ...(owner === null ? [] : [owner]),
    ...given('--webhook', webhook),
    ...given('--state', state),
  ],
};
