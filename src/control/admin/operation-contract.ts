import type { z } from '@hono/zod-openapi';
import type { ParamNames } from '../operations/operation.ts';
import type { OperationId, OPERATIONS } from '../operations/operations.ts';
import { keyWire } from './accounts/key-wire.ts';
import { lookUpWire } from './accounts/look-up-wire.ts';
import { overviewWire } from './accounts/overview-wire.ts';
import { projectWire } from './accounts/project-wire.ts';
import { workspaceWire } from './accounts/workspace-wire.ts';
import { alertWire } from './alerts/alert-wire.ts';
import { webhookWire } from './alerts/webhook-wire.ts';
import { auditWire } from './audit-wire.ts';
import { cellWire } from './cells/cell-wire.ts';
import { modelWire } from './catalogue/model-wire.ts';
import { priceWire } from './catalogue/price-wire.ts';
import { accessWire } from './identity/access-wire.ts';
import { accountWire } from './identity/account-wire.ts';
import { memberWire } from './identity/member-wire.ts';
import { openidWire } from './identity/openid-wire.ts';
import { passkeyWire } from './identity/passkey-wire.ts';
import { ownFactorWire } from './identity/own-factor-wire.ts';
import { ownSessionWire } from './identity/own-session-wire.ts';
import { ownTokenWire } from './identity/own-token-wire.ts';
import { signInWire } from './identity/sign-in-wire.ts';
import { userWire } from './identity/user-wire.ts';
import { instanceWire } from './instance-wire.ts';
import { exportWire } from './ledger/export-wire.ts';
import { ledgerRecordWire } from './ledger/ledger-record-wire.ts';
import { ledgerWire } from './ledger/ledger-wire.ts';
import { grantWire } from './ledger/grant-wire.ts';
import { statementWire } from './ledger/statement-wire.ts';
import { liveWire } from './live/live-wire.ts';
import { moveWire } from './moves/move-wire.ts';
import { offerWire } from './offer/offer-wire.ts';
import { codeWire } from './payments/code-wire.ts';
import { paymentWire } from './payments/payment-wire.ts';
import { playgroundWire } from './playground/playground-wire.ts';
import { providerWire } from './providers/provider-wire.ts';
import { receiptListWire } from './requests/receipt-list-wire.ts';
import { refusalWire } from './requests/refusal-wire.ts';
import { requestWire } from './requests/request-wire.ts';
import { secretsWire } from './secrets-wire.ts';
import { sinkWire } from './sinks/sink-wire.ts';
import { usageWire } from './usage/usage-wire.ts';

// What each operation takes and answers: the schemas by which the server checks requests and the document describes them, and the
// types that clients have of both.

interface Content {
  readonly schema?: unknown;
  readonly example?: unknown;
}

export interface OperationWire {
  /** Parameters of the path whose schemas differ from the usual ones. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodType | undefined;
  readonly body?: { readonly required: boolean; readonly content: { readonly 'application/json': Content } };
  /** What the document says besides the summary. */
  readonly description?: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

export const WIRES = {
  ...workspaceWire,
  ...overviewWire,
  ...liveWire,
  ...auditWire,
  ...projectWire,
  ...keyWire,
  ...memberWire,
  ...accessWire,
  ...userWire,
  ...signInWire,
  ...openidWire,
  ...passkeyWire,
  ...accountWire,
  ...ownSessionWire,
  ...ownFactorWire,
  ...ownTokenWire,
  ...alertWire,
  ...webhookWire,
  ...sinkWire,
  ...modelWire,
  ...priceWire,
  ...providerWire,
  ...offerWire,
  ...paymentWire,
  ...codeWire,
  ...ledgerWire,
  ...ledgerRecordWire,
  ...grantWire,
  ...statementWire,
  ...exportWire,
  ...receiptListWire,
  ...requestWire,
  ...refusalWire,
  ...usageWire,
  ...playgroundWire,
  ...instanceWire,
  ...cellWire,
  ...moveWire,
  ...secretsWire,
  ...lookUpWire,
} satisfies Readonly<Record<OperationId, OperationWire>>;

type Wire<Id extends OperationId> = (typeof WIRES)[Id];

type PathOf<Id extends OperationId> = (typeof OPERATIONS)[Id]['route'];

/** The names of the parameters of an operation's path, in their order. */
export type ParamNamesOf<Id extends OperationId> = ParamNames<PathOf<Id>>;

type OwnParams<Id extends OperationId> =
  Wire<Id> extends { readonly params: infer Params extends Readonly<Record<string, z.ZodType>> }
    ? { readonly [Name in keyof Params]: z.output<Params[Name]> }
    : object;

/** The parameters of an operation's path. */
export type ParamsOf<Id extends OperationId> = Omit<
  { readonly [Name in ParamNamesOf<Id>[number]]: string },
  keyof OwnParams<Id>
> &
  OwnParams<Id>;

/** The schema of an operation's query; never if it takes none. */
export type QuerySchema<Id extends OperationId> =
  Wire<Id> extends { readonly query: infer Query extends z.ZodType } ? Query : never;

/** The schema of an operation's body; never if it takes none. */
export type BodySchema<Id extends OperationId> =
  Wire<Id> extends {
    readonly body: { readonly content: { readonly 'application/json': { readonly schema: infer Schema } } };
  }
    ? Schema
    : never;

type JsonSchema<Response> = Response extends {
  readonly content: { readonly 'application/json': { readonly schema: infer Schema extends z.ZodType } };
}
  ? Schema
  : never;

/** The schema of the JSON that an operation answers; never if it answers something else. */
export type AnswerSchema<Id extends OperationId> = {
  [Status in 200 | 201]: Wire<Id>['responses'] extends { readonly [At in Status]: infer Response }
    ? JsonSchema<Response>
    : never;
}[200 | 201];

/** Of what the server reads from any text, such as a number, clients give what it reads. */
type SentQuery<Input, Output> = {
  readonly [Name in keyof Input]: unknown extends Input[Name] ? Output[Name & keyof Output] : Input[Name];
};

/** What clients send as an operation's query. */
export type QueryOf<Id extends OperationId> = SentQuery<z.input<QuerySchema<Id>>, z.output<QuerySchema<Id>>>;

/** What clients send as an operation's body. */
export type BodyOf<Id extends OperationId> = BodySchema<Id> extends z.ZodType ? z.input<BodySchema<Id>> : object;

/** What clients are answered: JSON, or bytes as they arrive. */
export type AnswerOf<Id extends OperationId> = [AnswerSchema<Id>] extends [never]
  ? ReadableStream<Uint8Array>
  : z.output<AnswerSchema<Id>>;
