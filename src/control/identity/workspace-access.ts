import { changedFields, recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { versionConflict } from '../audit/versions.ts';
import { placeIn, readEncrypted } from '../encryption/encrypted-column.ts';
import type { EncryptedColumn } from '../encryption/encrypted-column.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { ACCESS_SETTINGS, type AccessSettings } from '../resources/access-settings.ts';
import {
  auditedSettings,
  columnNames,
  columnsOf,
  initialSettings,
  settingsFromRow,
} from '../resources/setting-values.ts';
import { isOperator } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { NetworkList } from '../../lib/network-list.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { type TargetNetwork, TargetRefused } from '../../lib/target-network.ts';
import { DOMAIN_OF_USER } from './emails.ts';

/** The access to a workspace: how its people sign in, and from where it may be used. */
export interface WorkspaceAccess extends AccessSettings {
  readonly hasClientSecret: boolean;
  readonly version: number;
}

/** What a change of it may change. The secret is null to remove it. */
export type AccessChange = Partial<AccessSettings> & { readonly clientSecret?: string | null };

/** The secrets by which this instance shows itself to workspaces' providers. No version has written them in clear. */
export const CLIENT_SECRET: Omit<EncryptedColumn, 'clearColumn'> = {
  table: 'workspace_access',
  rowColumn: 'workspace_id',
  column: 'encrypted_client_secret',
};

/**
 * SQL: whether a row of `users` has an account at the provider of a row of `access`. A provider may end its issuer with a slash that
 * nobody has entered.
 */
export const IS_LINKED = `exists (
  select from user_identities
  where user_identities.user_id = users.id and rtrim(user_identities.issuer, '/') = rtrim(access.issuer, '/')
)`;

const COLUMNS = columnNames(ACCESS_SETTINGS).join(', ');

type AccessRow = Readonly<Record<string, unknown>> & {
  readonly encrypted: Buffer | null;
  readonly version: number;
};

async function readRow(sql: SqlRunner, workspaceId: string, lock = ''): Promise<AccessRow | null> {
  const [row] = await sql.query<AccessRow>(
    `select ${COLUMNS}, encrypted_client_secret as encrypted, version from workspace_access where workspace_id = $1 ${lock}`,
    [workspaceId],
  );
  return row ?? null;
}

/** A workspace without access settings has the version 0. */
function toAccess(row: AccessRow | null): WorkspaceAccess {
  if (row === null) return { ...initialSettings(ACCESS_SETTINGS), hasClientSecret: false, version: 0 };
  return {
    ...settingsFromRow(ACCESS_SETTINGS, row),
    hasClientSecret: row.encrypted !== null,
    version: row.version,
  };
}

/** How the workspace's people sign in, and from where it may be used. */
export async function showAccess(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<WorkspaceAccess> {
  return toAccess(await readRow(sql, workspaceId));
}

/** The access of a workspace, and the secret of its client; for a sign-in. @throws KeyEncryptionFault */
export async function readProviderSettings(
  sql: SqlRunner,
  keyring: Keyring,
  workspaceId: string,
): Promise<{ readonly access: WorkspaceAccess; readonly clientSecret: string | null } | null> {
  const row = await readRow(sql, workspaceId);
  if (row === null) return null;
  const place = placeIn({ ...CLIENT_SECRET, clearColumn: '' }, workspaceId);
  const secret = await readEncrypted(keyring, place, { encrypted: row.encrypted, clear: null });
  return { access: toAccess(row), clientSecret: secret?.toString() ?? null };
}

/** Locks the access of a workspace against changes, and returns it. */
export async function lockAccess(tx: SqlRunner, workspaceId: string): Promise<WorkspaceAccess> {
  return toAccess(await readRow(tx, workspaceId, 'for share'));
}

interface AccessParts {
  readonly sql: Sql;
  readonly keyring: Keyring;
  /** Where workspaces' providers may be. */
  readonly network: TargetNetwork;
}

/**
 * Changes the given settings and leaves the rest. `version` is the one that the change is based on; null: any. Another provider ends
 * the sessions that the former one has begun, save the one that makes the change.
 */
export async function changeAccess(
  { sql, keyring, network }: AccessParts,
  scope: WorkspaceScope,
  { version, change }: { readonly version: number | null; readonly change: AccessChange },
): Promise<WorkspaceAccess | Refusal> {
  const { workspaceId } = scope;
  const { clientSecret, ...settings } = change;
  const place = placeIn({ ...CLIENT_SECRET, clearColumn: '' }, workspaceId);
  const encrypted =
    clientSecret === undefined || clientSecret === null
      ? null
      : await keyring.encrypt(place, Buffer.from(clientSecret));
  return await makeChange(sql, async (tx) => {
    const [workspace] = await tx.query<{ name: string }>(
      'select name from workspaces where id = $1 and closing_at is null for no key update',
      [workspaceId],
    );
    if (workspace === undefined) return refuse('CONFLICT', 'The workspace has been closed, which is for good.');
    const before = toAccess(await readRow(tx, workspaceId));
    const conflict = versionConflict(before.version, version);
    if (conflict !== null) return conflict;
    const after = { ...before, ...definedFields(settings) };
    const refused = refusalOf(after, scope, network);
    if (refused !== null) return refused;
    const columns = columnsOf(ACCESS_SETTINGS, after);
    const names = Object.keys(columns).join(', ');
    await tx.query(
      `insert into workspace_access (workspace_id, ${names}, encrypted_client_secret)
       select $1, ${names}, $3 from jsonb_populate_record(null::workspace_access, $2::jsonb)
       on conflict (workspace_id) do update
         set (${names}) = (select ${names} from jsonb_populate_record(null::workspace_access, $2::jsonb)),
           encrypted_client_secret = case when $4 then $3 else workspace_access.encrypted_client_secret end`,
      [workspaceId, JSON.stringify(columns), encrypted, clientSecret !== undefined],
    );
    if (after.issuer !== before.issuer || after.clientId !== before.clientId) await endSessionsOfProvider(tx, scope);
    // Keys are looked up again, since the networks may be others.
    await tx.query(`insert into changes (kind, subject_id) values ('workspace', $1)`, [workspaceId]);
    const isSecretChanged = clientSecret !== undefined;
    await recordAudit(tx, scope, {
      action: 'access.update',
      target: { kind: 'access', id: workspaceId, name: workspace.name },
      ...changedFields(
        { ...auditedSettings(ACCESS_SETTINGS, before), client_secret: before.hasClientSecret ? 'set' : null },
        {
          ...auditedSettings(ACCESS_SETTINGS, after),
          client_secret: isSecretChanged
            ? encrypted === null
              ? null
              : 'replaced'
            : before.hasClientSecret
              ? 'set'
              : null,
        },
      ),
    });
    return toAccess(await readRow(tx, workspaceId));
  });
}

/** What contradicts itself, or would shut out the person who decides it. */
function refusalOf(access: WorkspaceAccess, { act }: WorkspaceScope, network: TargetNetwork): Refusal | null {
  const { issuer, clientId, onlyOpenid, allowedNetworks } = access;
  if (issuer !== null) {
    const refused = refusalOfIssuer(issuer, network);
    if (refused !== null) return refused;
    if (clientId === null) return refuse('INVALID_REQUEST', 'A provider needs a client id.', { param: 'client_id' });
  }
  if (onlyOpenid && issuer === null) {
    return refuse('INVALID_REQUEST', 'Name a provider first: without one nobody could sign in.', {
      param: 'only_openid',
    });
  }
  if (allowedNetworks === null || isOperator(act.actor) || act.address === null) return null;
  if (new NetworkList(allowedNetworks).has(act.address)) return null;
  return refuse('INVALID_REQUEST', `Your own address, ${act.address}, is in none of these networks.`, {
    param: 'allowed_networks',
  });
}

function refusalOfIssuer(issuer: string, network: TargetNetwork): Refusal | null {
  try {
    const { search } = network.readUrl(issuer);
    if (search === '' && !issuer.includes('/.well-known/')) return null;
    return refuse('INVALID_REQUEST', 'Write the issuer alone, not the address of its metadata.', { param: 'issuer' });
  } catch (fault) {
    if (fault instanceof TargetRefused) {
      return refuse('INVALID_REQUEST', `This issuer ${fault.message}.`, { param: 'issuer' });
    }
    throw fault;
  }
}

/** Ends the sessions that the workspace's provider has begun: of people with an address of this domain, or all; not the actor's own. */
export async function endSessionsOfProvider(
  tx: SqlRunner,
  { workspaceId, act: { actor } }: WorkspaceScope,
  domain: string | null = null,
): Promise<void> {
  await tx.query(
    `delete from sessions using users
     where users.id = sessions.user_id and provider_workspace_id = $1 and sessions.id is distinct from $2::uuid
       and ($3::text is null or ${DOMAIN_OF_USER} = $3)`,
    [workspaceId, actor.kind === 'session' ? actor.sessionId : null, domain],
  );
}

/** The refusal of a workspace without a provider. */
export function noProvider(): Refusal {
  return refuse('NOT_FOUND', 'There is no OpenID provider for this.');
}
