import { ACCESS_OPERATIONS } from './workspace-access-operations.ts';
import { ALERT_OPERATIONS } from './alert-operations.ts';
import { CELL_OPERATIONS } from './cell-operations.ts';
import { CATALOGUE_OPERATIONS } from './catalogue-operations.ts';
import { INSTANCE_OPERATIONS } from './instance-operations.ts';
import { KEY_OPERATIONS } from './key-operations.ts';
import { LEDGER_OPERATIONS } from './ledger-operations.ts';
import { MEMBER_OPERATIONS } from './member-operations.ts';
import { MOVE_OPERATIONS } from './move-operations.ts';
import { OFFER_OPERATIONS } from './offer-operations.ts';
import { OWN_ACCOUNT_OPERATIONS } from './own-account-operations.ts';
import { PAYMENT_OPERATIONS } from './payment-operations.ts';
import { PLAYGROUND_OPERATIONS } from './playground-operations.ts';
import { PROJECT_OPERATIONS } from './project-operations.ts';
import { REQUEST_OPERATIONS } from './request-operations.ts';
import { SIGN_IN_OPERATIONS } from './sign-in-operations.ts';
import { SINK_OPERATIONS } from './sink-operations.ts';
import { USAGE_OPERATIONS } from './usage-operations.ts';
import { USER_OPERATIONS } from './user-operations.ts';
import { WEBHOOK_OPERATIONS } from './webhook-operations.ts';
import { WORKSPACE_OPERATIONS } from './workspace-operations.ts';

/** All operations of the admin API, by the names that the document and clients call them. */
export const OPERATIONS = {
  ...SIGN_IN_OPERATIONS,
  ...OWN_ACCOUNT_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...ACCESS_OPERATIONS,
  ...USER_OPERATIONS,
  ...LEDGER_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...SINK_OPERATIONS,
  ...PLAYGROUND_OPERATIONS,
  ...CATALOGUE_OPERATIONS,
  ...OFFER_OPERATIONS,
  ...INSTANCE_OPERATIONS,
  ...CELL_OPERATIONS,
  ...MOVE_OPERATIONS,
};

export type OperationId = keyof typeof OPERATIONS;

type IdByRoute = { readonly [Id in OperationId as (typeof OPERATIONS)[Id]['route']]: Id };

/** The method and the path of an operation. */
export type OperationRoute = keyof IdByRoute;

/** The name of the operation with this route. */
export type IdAt<Route extends OperationRoute> = IdByRoute[Route];
