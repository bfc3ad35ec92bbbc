import { versionConflict } from '../audit/versions.ts';
import { changedFields, recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { reserveCreation } from '../audit/once.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { type EncryptedColumn, placeIn, readEncrypted, type ReadValue } from '../encryption/encrypted-column.ts';
import { KeyEncryptionFault } from '../encryption/key-encryption.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { ownerOf } from './notice-owner.ts';
import { newWebhookSecret } from './signature.ts';
import { type TargetNetwork, TargetRefused } from '../../lib/target-network.ts';
import { newId } from '../../lib/uuid7.ts';

/** Where a workspace's alerts are sent by HTTP. Its secret is shown when it is made, and not kept for showing. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly version: number;
  readonly createdAt: Date;
  /** Until when the previous secret signs too; null: there is none. */
  readonly formerUntil: Date | null;
}

export interface WebhookSettings {
  readonly url: string;
  readonly description: string;
  readonly enabled: boolean;
}

export interface EndpointCreation extends Pick<WebhookSettings, 'url' | 'description'> {
  readonly once?: string | null;
}

/** An endpoint that was made, by this request or by the one that this one repeats. */
export interface CreatedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Null: the answer to an earlier request had it. */
  readonly secret: string | null;
}

/** An endpoint with the secret that receivers check signatures with, the only time that it is shown. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** The endpoints that a workspace may have. */
const ENDPOINTS_MAX = 20;

const COLUMNS = `id, url, description, enabled, version, created_at as "createdAt",
  case when former_until > now() then former_until end as "formerUntil"`;

const TABLE = { table: 'webhook_endpoints', rowColumn: 'id' } as const;
/** The secrets that sign webhooks. */
export const WEBHOOK_SECRET: EncryptedColumn = { ...TABLE, column: 'encrypted_secret', clearColumn: 'secret' };
/** The previous secrets, which sign too for a while. */
export const FORMER_WEBHOOK_SECRET: EncryptedColumn = {
  ...TABLE,
  column: 'encrypted_former_secret',
  clearColumn: 'former_secret',
};

type Scope = WorkspaceScope | OperatorScope;

const noEndpoint = (): Refusal => refuse('NOT_FOUND', 'There is no such webhook endpoint.');

function audited({ url, description, enabled }: WebhookSettings): Record<string, string | boolean> {
  return { url, description, enabled };
}

function target({ id, url }: WebhookEndpoint): { readonly kind: string; readonly id: string; readonly name: string } {
  return { kind: 'webhook', id, name: url };
}

/**
 * Makes an endpoint with a fresh secret. A repetition under the same `once` makes none, and has no secret. Refused if
 * webhooks may not go there, or the workspace has many already.
 */
export async function createWebhookEndpoint(
  sql: Sql,
  scope: Scope,
  { url, description, once = null }: EndpointCreation,
  { network, keyring }: { readonly network: TargetNetwork; readonly keyring: Keyring },
): Promise<CreatedEndpoint | Refusal> {
  const refusal = refuseUrl(network, url);
  if (refusal !== null) return refusal;
  const secret = newWebhookSecret();
  const id = newId();
  const encrypted = await keyring.encrypt(placeIn(WEBHOOK_SECRET, id), Buffer.from(secret));
  return await makeChange(sql, async (tx) => {
    const former = await reserveCreation(tx, scope, { kind: 'webhook', id, once, request: { url, description } });
    if (isRefusal(former)) return former;
    if (former !== null) {
      const made = await showWebhookEndpoint(tx, scope, former);
      return made === null ? noEndpoint() : { endpoint: made, secret: null };
    }
    const [endpoint] = await tx.query<WebhookEndpoint>(
      `insert into webhook_endpoints (workspace_id, id, url, description, encrypted_secret)
       select $1, $2, $3, $4, $5
       where (select count(*) from webhook_endpoints where workspace_id = $1) < ${ENDPOINTS_MAX}
       returning ${COLUMNS}`,
      [ownerOf(scope), id, url, description, encrypted],
    );
    if (endpoint === undefined) {
      return refuse('CONFLICT', `There are ${ENDPOINTS_MAX} webhook endpoints already: delete one first.`);
    }
    await recordAudit(tx, scope, { action: 'webhook.create', target: target(endpoint), after: audited(endpoint) });
    return { endpoint, secret };
  });
}

/** A page of the endpoints, oldest first. */
export async function listWebhookEndpoints(
  sql: SqlRunner,
  scope: Scope,
  page: PageRequest = {},
): Promise<Page<WebhookEndpoint>> {
  return await readPage(page, async (after, count) =>
    sql.query<WebhookEndpoint>(
      `select ${COLUMNS} from webhook_endpoints
       where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
      [ownerOf(scope), after, count],
    ),
  );
}

/** One endpoint; null if there is none. */
export async function showWebhookEndpoint(sql: SqlRunner, scope: Scope, id: string): Promise<WebhookEndpoint | null> {
  const [endpoint] = await sql.query<WebhookEndpoint>(
    `select ${COLUMNS} from webhook_endpoints where workspace_id = $1 and id = $2`,
    [ownerOf(scope), id],
  );
  return endpoint ?? null;
}

/** Changes what is given. `version`, if given, must be the present one. What waits for a disabled endpoint is given up. */
export async function updateWebhookEndpoint(
  sql: Sql,
  scope: Scope,
  change: { readonly id: string; readonly given: Partial<WebhookSettings>; readonly version: number | null },
  network: TargetNetwork,
): Promise<WebhookEndpoint | Refusal> {
  const { id, given, version } = change;
  const refusal = given.url === undefined ? null : refuseUrl(network, given.url);
  if (refusal !== null) return refusal;
  return await changeEndpoint(sql, scope, { id, version }, async (tx, before) => {
    const { url, description, enabled } = { ...before, ...given };
    const [endpoint] = await tx.query<WebhookEndpoint>(
      `update webhook_endpoints set url = $3, description = $4, enabled = $5, version = version + 1
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [ownerOf(scope), id, url, description, enabled],
    );
    if (endpoint === undefined) return noEndpoint();
    if (!enabled) await giveUpWaiting(tx, scope, id, 'the endpoint was disabled');
    await recordAudit(tx, scope, {
      action: 'webhook.update',
      target: target(endpoint),
      ...changedFields(audited(before), audited(endpoint)),
    });
    return endpoint;
  });
}

/**
 * Gives the endpoint a fresh secret. The former one signs too for so many hours, in which receivers change over; with 0
 * hours it signs no more.
 */
export async function rotateWebhookSecret(
  sql: Sql,
  keyring: Keyring,
  scope: Scope,
  {
    id,
    overlapHours,
    version,
  }: { readonly id: string; readonly overlapHours: number; readonly version: number | null },
): Promise<EndpointWithSecret | Refusal> {
  const secret = newWebhookSecret();
  const encrypted = await keyring.encrypt(placeIn(WEBHOOK_SECRET, id), Buffer.from(secret));
  return await changeEndpoint(sql, scope, { id, version }, async (tx) => {
    const former = overlapHours > 0 ? await encryptedFormer(tx, keyring, { workspaceId: ownerOf(scope), id }) : null;
    const [endpoint] = await tx.query<WebhookEndpoint>(
      `update webhook_endpoints set former_secret = null, encrypted_former_secret = $5::bytea,
         former_until = case when $5 is not null then now() + make_interval(hours => $4) end,
         secret = null, encrypted_secret = $3, version = version + 1
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [ownerOf(scope), id, encrypted, overlapHours, former],
    );
    if (endpoint === undefined) return noEndpoint();
    await recordAudit(tx, scope, {
      action: 'webhook.rotate',
      target: target(endpoint),
      after: { overlap_hours: overlapHours },
    });
    return { endpoint, secret };
  });
}

/** The current secret of an endpoint, encrypted as its previous one; null if its key is lost, so that it can't sign. */
async function encryptedFormer(
  tx: SqlRunner,
  keyring: Keyring,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<Buffer | null> {
  const [row] = await tx.query<ReadValue>(
    'select encrypted_secret as encrypted, secret as clear from webhook_endpoints where workspace_id = $1 and id = $2',
    [workspaceId, id],
  );
  if (row === undefined) return null;
  try {
    const secret = await readEncrypted(keyring, placeIn(WEBHOOK_SECRET, id), row);
    return secret === null ? null : await keyring.encrypt(placeIn(FORMER_WEBHOOK_SECRET, id), secret);
  } catch (fault) {
    if (fault instanceof KeyEncryptionFault) return null;
    throw fault;
  }
}

/** Deletes the endpoint, and gives up what waits for it. */
export async function deleteWebhookEndpoint(
  sql: Sql,
  scope: Scope,
  { id, version }: { readonly id: string; readonly version: number | null },
): Promise<WebhookEndpoint | Refusal> {
  return await changeEndpoint(sql, scope, { id, version }, async (tx, before) => {
    await tx.query('delete from webhook_endpoints where workspace_id = $1 and id = $2', [ownerOf(scope), id]);
    await giveUpWaiting(tx, scope, id, 'the endpoint was deleted');
    await recordAudit(tx, scope, { action: 'webhook.delete', target: target(before), before: audited(before) });
    return before;
  });
}

/** Locks an endpoint's row, and runs the change if the version is the expected one. */
async function changeEndpoint<Result>(
  sql: Sql,
  scope: Scope,
  { id, version }: { readonly id: string; readonly version: number | null },
  change: (tx: SqlRunner, before: WebhookEndpoint) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return await makeChange(sql, async (tx) => {
    const [before] = await tx.query<WebhookEndpoint>(
      `select ${COLUMNS} from webhook_endpoints where workspace_id = $1 and id = $2 for update`,
      [ownerOf(scope), id],
    );
    if (before === undefined) return noEndpoint();
    return versionConflict(before.version, version) ?? (await change(tx, before));
  });
}

async function giveUpWaiting(tx: SqlRunner, scope: Scope, endpointId: string, reason: string): Promise<void> {
  await tx.query(
    `update notices set state = 'given_up', finished_at = now(), last_error = $3
     where workspace_id = $1 and endpoint_id = $2 and state = 'waiting'`,
    [ownerOf(scope), endpointId, reason],
  );
}

function refuseUrl(network: TargetNetwork, url: string): Refusal | null {
  try {
    network.readUrl(url);
    return null;
  } catch (fault) {
    if (fault instanceof TargetRefused)
      return refuse('INVALID_REQUEST', `This URL ${fault.message}.`, { param: 'url' });
    throw fault;
  }
}
