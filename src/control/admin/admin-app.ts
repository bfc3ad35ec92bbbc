import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { findWorkspaceId } from '../accounts/references.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { authoriseOperator } from '../../domain/workspace-scope.ts';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import { DatabaseUnavailable, SqlFault, type UnavailableReason } from '../../lib/sql.ts';
import { Unanswered } from '../../lib/unanswered.ts';
import { addAccessRoutes } from './identity/access-routes.ts';
import { addDirectoryRoutes } from './identity/directory-routes.ts';
import { addAccountRoutes } from './identity/account-routes.ts';
import { addAlertRoutes } from './alerts/alert-routes.ts';
import { AdminPlaces } from './admin-places.ts';
import { makeApiDocument } from './api-document.ts';
import type { ExportDependencies } from './answer-export.ts';
import { answerRefusal } from './answers.ts';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { onlyIdentified, onlyJson, onlyOwnPages, onlySmallBodies, namesVisitor } from './guards.ts';
import type { Identify } from './identify.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { IdentityDependencies } from './identity/identity-dependencies.ts';
import { addInstanceRoutes, type InstanceDependencies } from './instance-routes.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addKeyRoutes } from './accounts/key-routes.ts';
import { addLedgerRecordRoutes } from './ledger/ledger-record-routes.ts';
import { addExportRoutes } from './ledger/export-routes.ts';
import { addLedgerRoutes, type LedgerDependencies } from './ledger/ledger-routes.ts';
import { addLiveRoutes } from './live/live-routes.ts';
import type { LiveUpdates } from './live/live-updates.ts';
import { addLookUpRoutes } from './accounts/look-up-routes.ts';
import { addMemberRoutes } from './identity/member-routes.ts';
import { refusalOfMoved } from '../cells/moved-workspaces.ts';
import { addMoveRoutes, type MoveParts } from './moves/move-routes.ts';
import { addCellRoutes, type CellParts } from './cells/cell-routes.ts';
import { addModelRoutes } from './catalogue/model-routes.ts';
import { addOpenIdRoutes } from './identity/openid-routes.ts';
import { addCodeRoutes } from './payments/code-routes.ts';
import { addOwnFactorRoutes } from './identity/own-factor-routes.ts';
import { addOwnPasskeyRoutes, addPasskeySignInRoutes } from './identity/passkey-routes.ts';
import { addOwnSessionRoutes } from './identity/own-session-routes.ts';
import { addOwnTokenRoutes } from './identity/own-token-routes.ts';
import { addOverviewRoutes } from './accounts/overview-routes.ts';
import { addPaymentRoutes, type PaymentDependencies } from './payments/payment-routes.ts';
import { addPlaygroundRoutes, type PlaygroundDependencies } from './playground/playground-routes.ts';
import { addPriceRoutes } from './catalogue/price-routes.ts';
import { addOfferRoutes, type OfferParts } from './offer/offer-routes.ts';
import { addProviderRoutes, type ProviderParts } from './providers/provider-routes.ts';
import { addProjectRoutes } from './accounts/project-routes.ts';
import { addReceiptListRoutes } from './requests/receipt-list-routes.ts';
import { addRefusalRoutes } from './requests/refusal-routes.ts';
import { createScimApp, SCIM_ROOT } from './scim/scim-app.ts';
import { addSecretsRoutes, type SecretsDependencies } from './secrets-routes.ts';
import { addRequestRoutes } from './requests/request-routes.ts';
import type { AdminApp, AdminEnv } from './route-access.ts';
import { referencePage } from './reference/reference-page.ts';
import { addSignInRoutes } from './identity/sign-in-routes.ts';
import { addSinkRoutes, type SinkParts } from './sinks/sink-routes.ts';
import type { Party } from './ledger/statement-parties.ts';
import { addGrantRoutes } from './ledger/grant-routes.ts';
import { addStatementRoutes, type StatementDependencies } from './ledger/statement-routes.ts';
import { addRecountRoute, addUsageRoutes } from './usage/usage-routes.ts';
import { addUserRoutes } from './identity/user-routes.ts';
import { addWebhookRoutes, type WebhookParts } from './alerts/webhook-routes.ts';
import { addWorkspaceRoutes } from './accounts/workspace-routes.ts';

export interface AdminDependencies
  extends
    ExportDependencies,
    InstanceDependencies,
    LedgerDependencies,
    PaymentDependencies,
    PlaygroundDependencies,
    CellParts,
    MoveParts,
    OfferParts,
    ProviderParts,
    SecretsDependencies,
    SinkParts,
    WebhookParts {
  /** Where lists, exports and reports are read: a replica, which may be behind. Left out: where all else is read. */
  readonly reports?: ControlSql;
  /** Resolves the caller of each request. */
  readonly identify: Identify;
  readonly identity: IdentityDependencies;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** The seller of credit; left out or null: statements name none. */
  readonly seller?: Party | null;
  readonly metrics: { render(): Promise<string>; readonly contentType: string };
  /** Host names, besides addresses and `localhost`, by which browsers may reach the instance; lower-case. */
  readonly hostNames?: readonly string[];
  readonly live: LiveUpdates;
  /** Called with the cause of each INTERNAL_ERROR. */
  readonly onFault: (error: unknown) => void;
}

const RETRY_AFTER_MS = 1_000;

const UNANSWERED = "The instance's supervisor did not answer in time: try again in a moment.";

const NO_KEY =
  "The key of the database's secrets is missing, so authenticator codes, webhook secrets and keys of stored providers can't be used: recovery codes can. The operator's status says what to do.";

/** Messages for a database that can't be used now. */
const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
  away: "The database can't be reached: try again in a moment.",
  busy: "All of the control plane's connections to the database are in use: try again in a moment, or raise database.control_connections_max.",
  stopped:
    'The database stopped the statement because it took too long, and nothing was changed: ask for less, or try again later.',
  contended: 'Another request was changing the same records, and nothing was changed: try again in a moment.',
  exhausted: 'The database ran out of memory, disk space or connections: see its log.',
};

/** The SQL states for texts with a null character, alone and in JSON: most schemas allow it, PostgreSQL does not. */
const UNSTORABLE: readonly string[] = ['22021', '22P05'];

/** The SQL state of a change of what a workspace has left here: keep_paused.sql. */
const MOVED_AWAY = 'FG004';

function refusalOf(target: string, error: z.ZodError): Refusal {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const said = issue?.message ?? '';
  if (unknownField !== undefined) {
    // A schema may have words of its own for a field that others have.
    const message = said.startsWith('Unrecognized key') ? `Unknown field "${unknownField}".` : said;
    return refuse('INVALID_REQUEST', message, { param: unknownField });
  }
  const message = said.startsWith('must be') ? said : `is not valid: ${said}`;
  if (path === '') return refuse('INVALID_REQUEST', `${target === 'query' ? 'The query' : 'The body'} ${message}.`);
  return refuse('INVALID_REQUEST', `"${path}" ${message}.`, { param: path });
}

/** The refusal for a thrown error. Its details go to the operator only. */
function refusalOfFault(error: unknown, onFault: (error: unknown) => void): Refusal {
  if (error instanceof DatabaseUnavailable) {
    return refuse('SERVICE_UNAVAILABLE', UNAVAILABLE[error.reason], { retryAfterMs: RETRY_AFTER_MS });
  }
  if (error instanceof Unanswered) {
    return refuse('SERVICE_UNAVAILABLE', UNANSWERED, { retryAfterMs: RETRY_AFTER_MS });
  }
  if (error instanceof KeyEncryptionFault) {
    return refuse('SERVICE_UNAVAILABLE', NO_KEY, { retryAfterMs: RETRY_AFTER_MS });
  }
  if (error instanceof SqlFault && error.sqlState === MOVED_AWAY) {
    return refuse('CONFLICT', 'The workspace lives in another cell: change it there.');
  }
  if (error instanceof SqlFault && UNSTORABLE.includes(error.sqlState)) {
    return refuse('INVALID_REQUEST', 'A text has a null character, which can not be stored.');
  }
  if (error instanceof HTTPException && error.status < 500)
    return refuse('INVALID_REQUEST', 'The body is not valid JSON.');
  onFault(error);
  return refuse('INTERNAL_ERROR', 'The gateway failed: see its log.');
}

/** The methods that any route has for this path. */
function methodsOf(app: AdminApp, path: string): readonly string[] {
  const methods = app.routes
    .filter((route) => route.method !== 'ALL' && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .map((route) => route.method);
  return [...new Set(methods)];
}

function refusalOfPath(app: AdminApp, c: Context): Refusal {
  const methods = methodsOf(app, c.req.path);
  if (methods.length === 0) return refuse('NOT_FOUND', 'There is no such path.');
  const allow = methods.join(', ');
  return refuse('METHOD_NOT_ALLOWED', `This path allows ${allow}.`, { allow });
}

/** The control plane: serves every path under `/admin` and `/scim`, and `/metrics`. */
export function createAdminApp(deps: AdminDependencies): AdminApp {
  const app = new OpenAPIHono<AdminEnv>({
    defaultHook: (result, c) => (result.success ? undefined : answerRefusal(c, refusalOf(result.target, result.error))),
  });
  app.onError((error, c) => answerRefusal(c, refusalOfFault(error, deps.onFault)));
  app.notFound((c) => answerRefusal(c, refusalOfPath(app, c)));
  app.use('*', async (c, next) => {
    await next();
    // It says that the answer is sent. The adapter would take a copy of it, with more headers, for another answer.
    if (c.res === RESPONSE_ALREADY_SENT) return;
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
  });
  app.use('*', onlyOwnPages(deps.hostNames ?? []));
  app.use('*', namesVisitor(new CallerAddresses(deps.trustedProxies ?? []), new AdminPlaces()));
  const identified = onlyIdentified(deps.identify, deps.identity.configuredUrl);
  app.get('/metrics', identified, async (c) => {
    const scope = authoriseOperator(c.get('act'), 'read');
    if (isRefusal(scope)) return answerRefusal(c, scope);
    return c.body(await deps.metrics.render(), 200, { 'content-type': deps.metrics.contentType });
  });
  app.route(
    SCIM_ROOT,
    createScimApp({
      sql: deps.sql,
      publicUrl: () => deps.identity.publicUrl(),
      refusalOfFault: (fault) => refusalOfFault(fault, deps.onFault),
    }),
  );
  app.use('/admin/*', onlyJson, onlySmallBodies);
  // What everybody may call is answered before callers are identified.
  addSignInRoutes(app, deps.identity, deps.identify);
  addPasskeySignInRoutes(app, deps.identity);
  addOpenIdRoutes(app, deps.identity, deps.identify);
  app.use('/admin/v1/*', identified);
  app.use('/admin/v1/*', async (c, next) => {
    c.set('findWorkspace', (reference, which) => findWorkspaceId(deps.sql, reference, which));
    c.set('refusalOfMoved', (workspaceId) => refusalOfMoved(deps.sql, workspaceId));
    await next();
  });
  const accounts = { sql: deps.sql, pacer: deps.pacer, ...modelIds(deps.catalogue) };
  addWorkspaceRoutes(app, accounts);
  addProjectRoutes(app, accounts);
  addKeyRoutes(app, accounts);
  addReports(app, { ...deps, sql: deps.reports ?? deps.sql, seller: deps.seller ?? null });
  addPeopleRoutes(app, { ...deps.identity, pacer: deps.pacer });
  addLiveRoutes(app, deps);
  addOverviewRoutes(app, deps);
  addLookUpRoutes(app, deps);
  addLedgerRoutes(app, deps);
  addLedgerRecordRoutes(app, deps);
  addRequestRoutes(app, deps);
  addRecountRoute(app, deps);
  addPlaygroundRoutes(app, deps);
  addPaymentRoutes(app, deps);
  addGrantRoutes(app, deps);
  addCodeRoutes(app, deps);
  addPriceRoutes(app, deps);
  addModelRoutes(app, deps);
  addProviderRoutes(app, deps);
  addOfferRoutes(app, deps);
  addInstance(app, deps);
  addAlertRoutes(app, deps);
  addWebhookRoutes(app, deps);
  addSinkRoutes(app, deps);
  addDocuments(app);
  return app;
}

function addInstance(app: AdminApp, deps: AdminDependencies): void {
  addInstanceRoutes(app, deps);
  addCellRoutes(app, deps);
  addMoveRoutes(app, deps);
  addSecretsRoutes(app, deps);
}

/** Adds what only reads, and may be behind. */
function addReports(app: AdminApp, reading: StatementDependencies): void {
  addAuditRoutes(app, reading);
  addReceiptListRoutes(app, reading);
  addExportRoutes(app, reading);
  addRefusalRoutes(app, reading);
  addUsageRoutes(app, reading);
  addStatementRoutes(app, reading);
}

function addPeopleRoutes(app: AdminApp, identity: IdentityDependencies & { readonly pacer: Pacer }): void {
  addAccountRoutes(app, identity);
  addOwnSessionRoutes(app, identity);
  addOwnFactorRoutes(app, identity);
  addOwnPasskeyRoutes(app, identity);
  addOwnTokenRoutes(app, identity);
  addMemberRoutes(app, identity);
  addAccessRoutes(app, identity);
  addDirectoryRoutes(app, identity);
  addUserRoutes(app, identity);
}

/** Adds the API's document and reference page. They are built on the first request for them, not at the start. */
function addDocuments(app: AdminApp): void {
  const document = once(() => makeApiDocument(app));
  const page = once(() => referencePage(document()));
  app.get('/admin/openapi.json', (c) => c.json(document()));
  app.get('/admin/reference', (c) => c.html(page().html, 200, { 'content-security-policy': page().policy }));
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The ids of the models on sale, and of those that answer chats. */
function modelIds(catalogue: Pick<AdminDependencies['catalogue'], 'list'>) {
  return {
    modelsOnSale: (): readonly string[] => catalogue.list().map(({ id }) => id),
    chatModelsOnSale: (): readonly string[] =>
      catalogue.list().flatMap(({ id, terms }) => (terms.kind === 'chat' ? [id] : [])),
  };
}
