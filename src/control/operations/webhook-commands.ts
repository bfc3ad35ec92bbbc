import { DELIVERY_STATES } from '../../domain/delivery-states.ts';
import type { CommandTable } from './command.ts';
import { ID, ONCE, OWNED_BY, OWNER_LISTED } from './words.ts';

const ENDPOINT = { word: '<id>', help: 'id of the endpoint' } as const;
const DELIVERY = { word: '<id>', help: 'id of the delivery' } as const;
const DESCRIPTION = { word: '--description <text>', help: 'what it is for' } as const;

export const WEBHOOK_COMMANDS = {
  'webhook create': {
    calls: 'createWebhook',
    summary: 'create an endpoint; its secret is shown once',
    takes: {
      url: { word: '<url>', help: 'an https URL' },
      workspace: OWNED_BY,
      description: DESCRIPTION,
      once: ONCE,
    },
    example: 'https://hooks.example.com/faregate --workspace acme',
  },
  'webhook list': {
    calls: 'listWebhooks',
    summary: 'list the endpoints',
    takes: { workspace: OWNER_LISTED },
    example: 'acme',
  },
  'webhook update': {
    calls: 'updateWebhook',
    summary: 'change an endpoint, turn it off or on',
    takes: {
      webhook: ENDPOINT,
      workspace: OWNED_BY,
      // Not --url, which every command has: it names the instance.
      url: { word: '--to <url>', help: 'another https URL' },
      description: DESCRIPTION,
      enabled: { kind: 'switch', word: '--enable', help: 'send to it', offHelp: 'send nothing to it' },
    },
    nothing: 'nothing to change; give an option such as --disable',
    example: `${ID} --workspace acme --disable`,
  },
  'webhook rotate': {
    calls: 'rotateWebhookSecret',
    summary: 'give an endpoint another secret, shown once; the former one signs too for a while',
    takes: {
      webhook: ENDPOINT,
      workspace: OWNED_BY,
      overlap_hours: {
        word: '--overlap <hours>',
        kind: 'hours',
        max: 168,
        help: 'how long the former secret signs too, 0 to 168; 24 unless given',
      },
    },
    example: `${ID} --workspace acme --overlap 48`,
  },
  'webhook delete': {
    calls: 'deleteWebhook',
    summary: 'delete an endpoint, and give up what waits for it',
    takes: { webhook: ENDPOINT, workspace: OWNED_BY },
    example: `${ID} --workspace acme`,
  },
  'webhook test': {
    summary: 'send a test to an endpoint, and wait for its outcome',
    takes: { webhook: ENDPOINT, workspace: OWNED_BY },
    example: `${ID} --workspace acme`,
  },
} as const satisfies CommandTable;

export const DELIVERY_COMMANDS = {
  'delivery list': {
    calls: 'listDeliveries',
    summary: 'list the mails and webhook deliveries, newest first',
    takes: {
      workspace: OWNER_LISTED,
      webhook: { word: '--webhook <id>', help: 'only those of this endpoint' },
      state: { word: '--state <state>', kind: 'choice', of: DELIVERY_STATES, help: 'only those in this state' },
    },
    example: 'acme --state given_up',
  },
  'delivery show': {
    calls: 'showDelivery',
    summary: 'show a mail or a webhook: how often it was tried, and what came of it',
    takes: { delivery: DELIVERY, workspace: OWNED_BY },
    example: `${ID} --workspace acme`,
  },
  'delivery resend': {
    calls: 'resendDelivery',
    summary: 'send a mail or a webhook again',
    takes: { delivery: DELIVERY, workspace: OWNED_BY },
    example: `${ID} --workspace acme`,
  },
} as const satisfies CommandTable;
