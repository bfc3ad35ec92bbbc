import { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import type * as account from './account-contract.ts';
import type * as wire from './contract.ts';
import type * as people from './identity-contract.ts';
import type * as ledger from './ledger-contract.ts';
import type * as payment from './payment-contract.ts';
import type * as price from './price-contract.ts';
import type { CatalogueModelJson, ModelJson } from './model-contract.ts';
import type { RefusalJson, RefusalListJson, RefusalQuery } from './refusal-contract.ts';
import type { RequestJson } from './request-contract.ts';
import type { UsageJson, UsageQueryInput } from './usage-contract.ts';
import { alertCalls } from './alert-client.ts';
import { memberCalls } from './member-client.ts';
import { publicIdOf } from '../domain/key.ts';
import { withoutTrailingSlashes } from '../lib/trailing-slashes.ts';

// The admin API's client, for the commands. It shares the contract with the server, and no code.

/** The admin API refused the request. The message is for people, `code` and `param` are for programs. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, { message, code, param }: wire.ErrorBody['error']) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** Nothing that speaks the admin API answered at the address. */
export class AdminUnreachable extends Error {
  override readonly name = 'AdminUnreachable';
}

export interface AdminClientOptions {
  /** The instance's address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  /** The time in which an answer must begin, in milliseconds. Default: enough to verify a long ledger. */
  readonly answerMsMax?: number;
}

/** The requested page of a list, by the `next_cursor` of the previous page; 200 items at most. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page of a list; on the last page, `next_cursor` is null. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** Which changes of a workspace an audit shows. */
export interface AuditQuery {
  readonly action?: string;
  readonly target?: string;
  readonly user?: string;
  readonly from?: string;
  readonly to?: string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const PAGE_ITEMS = 200;

/** Verifying a long ledger takes minutes. */
const ANSWER_MS_MAX = 1_800_000;

/** Joins values into a path; each is encoded, so a name may contain any character. */
function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/** The defined values, as a query string. */
function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** The part of a key that may be in a URL: never its secret, even if the argument is the whole key. */
function keyReference(key: string): string {
  return publicIdOf(key) ?? key;
}

function isErrorBody(body: unknown): body is wire.ErrorBody {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

async function send(
  { url, token, answerMsMax = ANSWER_MS_MAX }: AdminClientOptions,
  method: Method,
  at: string,
  body?: object,
): Promise<Dispatcher.ResponseData> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const target = `${withoutTrailingSlashes(url)}/admin/v1${at}`;
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await request(target, { method, headers, body: text, headersTimeout: answerMsMax }).catch(
    (cause: unknown) => {
      throw new AdminUnreachable(`no instance answers at ${url}`, { cause });
    },
  );
  if (response.statusCode < 300) return response;
  const answer: unknown = await response.body.json().catch(() => null);
  if (isErrorBody(answer)) throw new AdminRefused(response.statusCode, answer.error);
  throw new AdminUnreachable(`the server at ${url} is not a Faregate instance (HTTP ${response.statusCode})`);
}

/**
 * Creates a client. Workspaces, projects and keys are referred to by id or by name, as in the API's reference. Every
 * method @throws AdminRefused, AdminUnreachable
 */
export function createAdminClient(options: AdminClientOptions) {
  const call = async <Answer>(method: Method, at: string, body?: object): Promise<Answer> => {
    const response = await send(options, method, at, body);
    return (await response.body.json()) as Answer;
  };
  const locate = (query: Readonly<Record<string, string>>) =>
    call<account.LocationJson>('GET', '/look-up' + queryOf(query));
  const projectPath = async (project: string): Promise<string> => {
    const { workspace_id, id } = await locate({ project });
    return path`/workspaces/${workspace_id}/projects/${id}`;
  };
  const keyPath = async (key: string): Promise<string> => {
    const { workspace_id, id } = await locate({ key: keyReference(key) });
    return path`/workspaces/${workspace_id}/keys/${id}`;
  };
  const receiptPath = async (requestId: string): Promise<string> => {
    const { workspace_id, id } = await locate({ request_id: requestId });
    return path`/workspaces/${workspace_id}/receipts/${id}`;
  };
  return {
    ...workspaceMethods(call),
    ...instanceMethods(call),
    ...alertCalls(call),
    ...memberCalls(call),
    ...paymentMethods(call),
    ...priceMethods(call),
    postCredit: (workspace: string, body: ledger.PostingCreation) =>
      call<ledger.PostedJson>('POST', path`/workspaces/${workspace}/postings`, body),
    grantCredit: (workspace: string, body: { readonly amount_usd: string; readonly reason: string }) =>
      call<ledger.PostedJson>('POST', path`/workspaces/${workspace}/postings`, { kind: 'grant', ...body }),
    creditHistory: (workspace: string, page: PageQuery = {}) =>
      call<Page<ledger.PostingJson>>('GET', path`/workspaces/${workspace}/history` + queryOf({ ...page })),
    createProject: (workspace: string, body: account.ProjectCreation) =>
      call<account.ChangedProjectJson>('POST', path`/workspaces/${workspace}/projects`, body),
    listProjects: (workspace: string, page: PageQuery = {}) =>
      call<Page<account.ProjectJson>>('GET', path`/workspaces/${workspace}/projects` + queryOf({ ...page })),
    updateProject: async (project: string, body: account.ProjectUpdate) =>
      await call<account.ChangedProjectJson>('PATCH', await projectPath(project), body),
    createKey: async (project: string, body: account.KeyCreation) =>
      await call<account.CreatedKeyJson>('POST', `${await projectPath(project)}/keys`, body),
    listKeys: async (project: string, page: PageQuery = {}) =>
      await call<Page<account.KeyJson>>('GET', `${await projectPath(project)}/keys${queryOf({ ...page })}`),
    listWorkspaceKeys: async (workspace: string, query: PageQuery & { readonly search?: string } = {}) =>
      await call<Page<account.KeyJson>>('GET', path`/workspaces/${workspace}/keys` + queryOf({ ...query })),
    showKey: async (key: string) => await call<account.KeyJson>('GET', await keyPath(key)),
    updateKey: async (key: string, body: account.KeyUpdate) =>
      await call<account.ChangedKeyJson>('PATCH', await keyPath(key), body),
    rotateKey: async (key: string, body: account.KeyRotation) =>
      await call<account.RotatedKeyJson>('POST', `${await keyPath(key)}/rotate`, body),
    endFormerSecret: async (key: string) =>
      await call<account.KeyJson>('POST', `${await keyPath(key)}/end-former-secret`),
    revokeKey: async (key: string) => await call<account.KeyJson>('POST', `${await keyPath(key)}/revoke`),
    archiveProject: async (project: string) =>
      await call<account.ProjectJson>('POST', `${await projectPath(project)}/archive`),
    restoreProject: (workspace: string, projectId: string) =>
      call<account.ProjectJson>('POST', path`/workspaces/${workspace}/projects/${projectId}/restore`),
    ...receiptMethods(call, receiptPath),
    ...refusalMethods(call),
    ...usageMethods(call),
    ...streamMethods(async (at) => Readable.toWeb((await send(options, 'GET', at)).body)),
  };
}

type Call = <Answer>(method: Method, at: string, body?: object) => Promise<Answer>;

/** The calls whose answers are read as they arrive. */
function streamMethods(open: (at: string) => Promise<ReadableStream<Uint8Array>>) {
  return {
    /** The bytes of CSV, or of lines of JSON, as they arrive. */
    exportAuditEvents: async (workspace: string, query: AuditQuery & { readonly format?: 'csv' | 'ndjson' } = {}) => {
      const at = path`/workspaces/${workspace}/audit/export` + queryOf({ ...query });
      return await open(at);
    },
    /** The bytes of CSV, or of lines of JSON, as they arrive. */
    exportRecords: async (what: 'receipts' | 'entries', workspace: string, query: ledger.ExportQuery = {}) => {
      const at = path`/workspaces/${workspace}/export/${what}` + queryOf(query);
      return await open(at);
    },
    /** The backup's bytes, as they arrive. */
    backup: async () => open('/backup'),
  };
}

/** The calls about users and operator tokens. */
function identityMethods(call: Call) {
  return {
    createOperatorToken: (body: people.OperatorTokenCreation) =>
      call<people.CreatedOperatorTokenJson>('POST', '/operator-tokens', body),
    listOperatorTokens: (page: PageQuery = {}) =>
      call<Page<people.OperatorTokenJson>>('GET', '/operator-tokens' + queryOf({ ...page })),
    revokeOperatorToken: (token: string) =>
      call<people.OperatorTokenJson>('POST', path`/operator-tokens/${token}/revoke`),
    rotateOwnToken: () => call<people.RotatedTokenJson>('POST', '/operator-tokens/rotate'),
    listUsers: (query: PageQuery & { readonly search?: string } = {}) =>
      call<Page<people.UserJson>>('GET', '/users' + queryOf({ ...query })),
    createUserResetLink: (user: string) => call<people.LinkJson>('POST', path`/users/${user}/reset-link`),
    createSetUpLink: () => call<people.LinkJson>('POST', '/set-up-links'),
  };
}

function workspaceMethods(call: Call) {
  return {
    createWorkspace: (body: account.WorkspaceCreation) => call<account.WorkspaceJson>('POST', '/workspaces', body),
    listWorkspaces: (page: PageQuery = {}) =>
      call<Page<account.WorkspaceJson>>('GET', '/workspaces' + queryOf({ ...page })),
    showWorkspace: (workspace: string) => call<account.WorkspaceJson>('GET', path`/workspaces/${workspace}`),
    renameWorkspace: (workspace: string, body: account.WorkspaceUpdate) =>
      call<account.WorkspaceJson>('PATCH', path`/workspaces/${workspace}`, body),
    suspendWorkspace: (workspace: string, body: account.Suspension) =>
      call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/suspend`, body),
    resumeWorkspace: (workspace: string) => call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/resume`),
    closeWorkspace: (workspace: string) => call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/close`),
    listAuditEvents: (workspace: string, query: PageQuery & AuditQuery = {}) =>
      call<Page<account.AuditEventJson>>('GET', path`/workspaces/${workspace}/audit` + queryOf({ ...query })),
  };
}

function paymentMethods(call: Call) {
  return {
    listTopUps: (workspace: string, page: PageQuery = {}) =>
      call<Page<payment.TopUpJson>>('GET', path`/workspaces/${workspace}/top-ups` + queryOf({ ...page })),
    listPayments: (page: PageQuery = {}) => call<Page<payment.TopUpJson>>('GET', '/payments' + queryOf({ ...page })),
    createCodeBatch: (body: payment.CodeBatchCreation) =>
      call<payment.CreatedCodeBatchJson>('POST', '/code-batches', body),
    listCodes: (query: PageQuery & { readonly batch?: string } = {}) =>
      call<Page<payment.RedemptionCodeJson>>('GET', '/codes' + queryOf({ ...query })),
  };
}

function priceMethods(call: Call) {
  return {
    listCatalogue: (query: { readonly history?: 'true' | 'false' } = {}) =>
      call<{ readonly data: readonly CatalogueModelJson[] }>('GET', '/catalogue/models' + queryOf({ ...query })),
    listModels: (workspace: string) =>
      call<{ readonly data: readonly ModelJson[] }>('GET', path`/workspaces/${workspace}/models`),
    showModel: (workspace: string, model: string) =>
      call<ModelJson>('GET', path`/workspaces/${workspace}/models/${model}`),
    listPriceAdjustments: (workspace: string, page: PageQuery = {}) =>
      call<Page<price.PriceAdjustmentJson>>('GET', path`/workspaces/${workspace}/prices` + queryOf({ ...page })),
    adjustPrices: (workspace: string, body: price.PriceAdjustmentChange) =>
      call<price.PriceAdjustmentJson>('POST', path`/workspaces/${workspace}/prices`, body),
  };
}

function instanceMethods(call: Call) {
  return {
    verifyLedger: () => call<ledger.LedgerReportJson>('POST', '/ledger/verify'),
    sealReceipts: (body: ledger.SealCreation) => call<ledger.SealingJson>('POST', '/ledger/seal', body),
    diffCatalogue: () => call<wire.CatalogueDiffJson>('GET', '/catalogue/diff'),
    applyCatalogue: (body: wire.CatalogueApplication) =>
      call<wire.AppliedCatalogueJson>('POST', '/catalogue/apply', body),
    ...identityMethods(call),
    status: () => call<wire.StatusJson>('GET', '/status'),
    examine: () => call<wire.ExaminationJson>('GET', '/doctor'),
    beginRestart: () => call<wire.RestartJson>('POST', '/restart'),
    showRestart: () => call<wire.RestartJson>('GET', '/restart'),
  };
}

function receiptMethods(call: Call, receiptPath: (requestId: string) => Promise<string>) {
  return {
    listReceipts: (workspace: string, query: ledger.ReceiptQuery = {}) =>
      call<Page<ledger.ReceiptSummaryJson> & { readonly searched_until: string | null }>(
        'GET',
        path`/workspaces/${workspace}/receipts` + queryOf({ ...query }),
      ),
    showRequest: (workspace: string, requestId: string) =>
      call<RequestJson>('GET', path`/workspaces/${workspace}/requests/${requestId}`),
    showReceipt: async (requestId: string) => await call<ledger.ReceiptJson>('GET', await receiptPath(requestId)),
    showLastReceipt: () => call<ledger.ReceiptJson>('GET', '/receipts/last'),
    correctReceipt: async (requestId: string, body: ledger.CorrectionCreation) =>
      await call<ledger.CorrectionJson>('POST', `${await receiptPath(requestId)}/corrections`, body),
  };
}

function refusalMethods(call: Call) {
  return {
    /** The workspace of a request, and whether it has a receipt or was refused. */
    locateRequest: (requestId: string) =>
      call<account.LocationJson>('GET', '/look-up' + queryOf({ request_id: requestId })),
    listRefusals: (workspace: string, query: RefusalQuery = {}) =>
      call<RefusalListJson>('GET', path`/workspaces/${workspace}/refusals` + queryOf({ ...query })),
    listAllRefusals: (query: Omit<RefusalQuery, 'key' | 'project'> = {}) =>
      call<RefusalListJson>('GET', '/refusals' + queryOf({ ...query })),
    showRefusal: (workspace: string, requestId: string) =>
      call<RefusalJson>('GET', path`/workspaces/${workspace}/refusals/${requestId}`),
  };
}

function usageMethods(call: Call) {
  return {
    /** The usage of a workspace; null: of all. */
    showUsage: (workspace: string | null, query: UsageQueryInput = {}) => {
      const words = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
      const at = workspace === null ? '/usage' : path`/workspaces/${workspace}/usage`;
      return call<UsageJson>('GET', at + queryOf(Object.fromEntries(words)));
    },
    rebuildUsage: () => call<{ readonly recounted: true }>('POST', '/ledger/rebuild-usage'),
  };
}

/** All items of a list, read page by page. */
export async function readAllPages<Item>(readPage: (page: PageQuery) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage({ limit: PAGE_ITEMS, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

export type AdminClient = ReturnType<typeof createAdminClient>;
