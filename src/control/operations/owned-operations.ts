import type { OperationId } from './operations.ts';

/** Operations on what belongs to a workspace, each with the one on what is the operator's own, or everybody's. */
export const OWNED_OPERATIONS = {
  listAlerts: 'listInstanceAlerts',
  listAlertRules: 'listInstanceAlertRules',
  updateAlertRule: 'updateInstanceAlertRule',
  listWebhooks: 'listInstanceWebhooks',
  createWebhook: 'createInstanceWebhook',
  updateWebhook: 'updateInstanceWebhook',
  rotateWebhookSecret: 'rotateInstanceWebhookSecret',
  deleteWebhook: 'deleteInstanceWebhook',
  testWebhook: 'testInstanceWebhook',
  listDeliveries: 'listInstanceDeliveries',
  showDelivery: 'showInstanceDelivery',
  resendDelivery: 'resendInstanceDelivery',
  listTopUps: 'listPayments',
  showUsage: 'showUsageOfAll',
} as const satisfies Partial<Record<OperationId, OperationId>>;

export type OwnedOperationId = keyof typeof OWNED_OPERATIONS;
