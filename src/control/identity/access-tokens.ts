import { recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';
import type { TokenActor } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { type Permission, reachOf, type Role } from '../../domain/roles.ts';
import type { Withheld } from '../../domain/withheld.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { makeChange } from '../audit/change.ts';
import { HAS_SECOND_FACTOR } from './second-factors.ts';
import { ACCESS_TOKEN_PREFIX, isToken, makeToken, secretHash } from './secrets.ts';
import { withheldAt } from './sessions.ts';
import type { UserAct } from './visitor.ts';
import { IS_LINKED } from './workspace-access.ts';
import { newId } from '../../lib/uuid7.ts';

// Tokens of members' programs. A token never has more than its member has: the role counts at each request.

const LIFETIME_DAYS_MAX = 365;
const DAY_MS = 86_400_000;

/** A token as its user sees it. */
export interface AccessToken {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scopes: readonly Permission[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** One that was made, by this request or by the one that this one repeats. */
export interface NewAccessToken extends AccessToken {
  /** It is not stored. Null: the answer to an earlier request had it. */
  readonly secret: string | null;
}

export interface AccessTokenRequest {
  readonly workspaceId: string;
  readonly name: string;
  readonly scopes: readonly Permission[];
  readonly expiresAt: Date;
  readonly once?: string | null;
}

const COLUMNS = `id, workspace_id as "workspaceId", name, last_four as "lastFour", scopes, created_at as "createdAt",
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/**
 * Makes a token of the signed-in user's in one workspace, with scopes that the user's role there has. A repetition under the
 * same `once` makes none, and has no secret.
 */
export async function createAccessToken(
  sql: Sql,
  act: UserAct,
  { workspaceId, name, scopes, expiresAt, once = null }: AccessTokenRequest,
): Promise<NewAccessToken | Refusal> {
  const scope = authorise(act, 'workspace:read', workspaceId);
  if (isRefusal(scope)) return scope;
  const refused = refusalOfRequest(act.actor.roles.get(workspaceId), scopes, expiresAt);
  if (refused !== null) return refused;
  const { secret, sha256, lastFour } = makeToken(ACCESS_TOKEN_PREFIX);
  const { userId } = act.actor;
  return await makeChange(sql, async (tx) => {
    const id = newId();
    const request = { userId, name, scopes, expiresAt };
    const former = await reserveCreation(tx, scope, { kind: 'access_token', id, once, request });
    if (isRefusal(former)) return former;
    if (former !== null) return await showMadeToken(tx, act, former);
    const [token] = await tx.query<AccessToken>(
      `insert into access_tokens (workspace_id, id, user_id, name, secret_sha256, last_four, scopes, expires_at)
       select workspace_id, $2, user_id, $4, $5, $6, $7, $8 from members where workspace_id = $1 and user_id = $3
       -- The removal of the member, which ends their tokens, waits for this one.
       for share
       returning ${COLUMNS}`,
      [workspaceId, id, userId, name, sha256, lastFour, scopes, expiresAt],
    );
    if (token === undefined) return notAMember();
    await recordAudit(tx, scope, {
      action: 'access_token.create',
      target: { kind: 'access_token', id: token.id, name },
      after: { scopes, expires_at: expiresAt.toISOString() },
    });
    return { ...token, secret };
  });
}

async function showMadeToken(tx: SqlRunner, { actor }: UserAct, id: string): Promise<NewAccessToken | Refusal> {
  const [token] = await tx.query<AccessToken>(`select ${COLUMNS} from access_tokens where id = $1 and user_id = $2`, [
    id,
    actor.userId,
  ]);
  return token === undefined ? noToken() : { ...token, secret: null };
}

function noToken(): Refusal {
  return refuse('NOT_FOUND', 'There is no such access token.');
}

function notAMember(): Refusal {
  return refuse('FORBIDDEN', 'Access tokens are for members of a workspace: operators use operator tokens.');
}

function refusalOfRequest(role: Role | undefined, scopes: readonly Permission[], expiresAt: Date): Refusal | null {
  if (role === undefined) return notAMember();
  const beyond = scopes.find((scope) => reachOf(role, scope) === 'none');
  if (beyond !== undefined) {
    return refuse('INVALID_REQUEST', `Your role, ${role}, does not include ${beyond}.`, { param: 'scopes' });
  }
  const lifetimeMs = expiresAt.getTime() - Date.now();
  if (lifetimeMs > 0 && lifetimeMs <= LIFETIME_DAYS_MAX * DAY_MS) return null;
  const message = `"expires_at" must be in the future, and within ${LIFETIME_DAYS_MAX} days.`;
  return refuse('INVALID_REQUEST', message, { param: 'expires_at' });
}

/** A page of the signed-in user's tokens, revoked and expired ones included. */
export async function listAccessTokens(
  sql: SqlRunner,
  { actor }: UserAct,
  page: PageRequest = {},
): Promise<Page<AccessToken>> {
  return await readPage(page, (after, count) =>
    sql.query<AccessToken>(
      `select ${COLUMNS} from access_tokens
       where user_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
      [actor.userId, after, count],
    ),
  );
}

/** Revokes a token of the signed-in user's. One that is revoked stays as it was. */
export async function revokeAccessToken(sql: Sql, act: UserAct, id: string): Promise<AccessToken | Refusal> {
  return await makeChange(sql, async (tx) => {
    const [token] = await tx.query<AccessToken>(
      `update access_tokens set revoked_at = coalesce(revoked_at, now()) where id = $1 and user_id = $2
       returning ${COLUMNS}`,
      [id, act.actor.userId],
    );
    if (token === undefined) return noToken();
    const scope = authorise(act, 'workspace:read', token.workspaceId);
    if (isRefusal(scope)) return scope;
    await recordAudit(tx, scope, {
      action: 'access_token.revoke',
      target: { kind: 'access_token', id, name: token.name },
    });
    return token;
  });
}

/** Revokes all tokens of a user: an intruder who had the account for a while may have made some. */
export async function endAccessTokensOf(tx: SqlRunner, userId: string): Promise<void> {
  await tx.query('update access_tokens set revoked_at = now() where user_id = $1 and revoked_at is null', [userId]);
}

/** Revokes the tokens of a user in one workspace; returns how many. */
export async function endAccessTokensIn(tx: SqlRunner, workspaceId: string, userId: string): Promise<number> {
  const ended = await tx.query(
    `update access_tokens set revoked_at = now() where workspace_id = $1 and user_id = $2 and revoked_at is null
     returning id`,
    [workspaceId, userId],
  );
  return ended.length;
}

interface TokenRow {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly workspace_id: string;
  readonly role: Role;
  readonly scopes: readonly Permission[];
  readonly is_fresh: boolean;
  readonly lacks: Withheld | null;
  readonly networks: readonly string[] | null;
}

/**
 * The actor whose token this is; null if it is none, or counts no more. Where members need a second factor, a token counts once its
 * user has one, or an account at the workspace's provider.
 */
export async function findAccessToken(
  sql: SqlRunner,
  secret: string,
  address: string | null,
): Promise<TokenActor | null> {
  if (!isToken(secret, ACCESS_TOKEN_PREFIX)) return null;
  const [row] = await sql.query<TokenRow>(
    `select access_tokens.id, access_tokens.user_id, users.email, access_tokens.workspace_id, members.role, scopes,
       access.allowed_networks as networks,
       case when access.second_factor
         and not ${HAS_SECOND_FACTOR} and not ${IS_LINKED}
         then 'second_factor' end as lacks,
       coalesce(last_used_at > now() - interval '1 minute', false) as is_fresh
     from access_tokens
       join members on members.workspace_id = access_tokens.workspace_id and members.user_id = access_tokens.user_id
       join users on users.id = access_tokens.user_id
       join workspaces on workspaces.id = access_tokens.workspace_id
       left join workspace_access access on access.workspace_id = access_tokens.workspace_id
     where secret_sha256 = $1 and revoked_at is null and expires_at > now() and users.disabled_at is null
       and workspaces.archived_at is null and workspaces.moved_to is null`,
    [secretHash(secret)],
  );
  if (row === undefined) return null;
  if (!row.is_fresh) await sql.query('update access_tokens set last_used_at = now() where id = $1', [row.id]);
  const { id, user_id: userId, workspace_id: workspaceId, email, role, scopes } = row;
  const withheld = withheldAt(address, row);
  return { kind: 'access_token', tokenId: id, userId, email, workspaceId, role, withheld, scopes: new Set(scopes) };
}
