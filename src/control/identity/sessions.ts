import { recordAudit } from '../audit/audit.ts';
import type { SessionActor } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import type { Withheld } from '../../domain/withheld.ts';
import { NetworkList } from '../../lib/network-list.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { makeChange } from '../audit/change.ts';
import { HAS_SECOND_FACTOR } from './second-factors.ts';
import { linkSecretHash, makeLinkSecret } from './secrets.ts';
import { noteSignInNetwork } from './sign-in-networks.ts';
import type { UserAct, Visitor } from './visitor.ts';
import { newId } from '../../lib/uuid7.ts';
import { DOMAIN_OF_USER } from './emails.ts';

/** A session ends after this time, or after this time without a request. */
const LIFETIME = '30 days';
const IDLE = '7 days';
/** A request notes its time and address this often at most. */
const TOUCH_MS = 60_000;
const USER_AGENT_MAX = 300;

/** SQL for whether a session still works. */
export const IS_LIVE = `sessions.expires_at > now() and sessions.last_seen_at > now() - interval '${IDLE}'`;

/** A session that has just begun, or has got a new secret. */
export interface OpenedSession {
  /** For the cookie, and nowhere else. */
  readonly secret: string;
  readonly expiresAt: Date;
  readonly act: UserAct;
}

/** A session as its user sees it. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly authenticated_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly address: string | null;
  readonly provider_workspace_id: string | null;
  readonly memberships: Readonly<Record<string, SessionMembership>>;
}

/** A role of the session's user, and what the workspace asks for. */
interface SessionMembership {
  readonly role: Role;
  readonly lacks: Withheld | null;
  readonly networks: readonly string[] | null;
}

/** SQL: whether the user's address is of a domain that this workspace has proven. */
export const isOfDomains = (workspace: string): string => `exists (
  select from workspace_domains
  where workspace_domains.workspace_id = ${workspace} and workspace_domains.proven_at is not null
    and workspace_domains.domain = ${DOMAIN_OF_USER}
)`;

/** SQL: what a session lacks that its workspace asks for. */
const LACKS = `
  case
    when access.only_openid and access.issuer is not null and not sessions.is_recovery
      and sessions.provider_workspace_id is distinct from access.workspace_id and ${isOfDomains('access.workspace_id')}
      then 'company_sign_in'
    when access.second_factor and sessions.provider_workspace_id is distinct from access.workspace_id
      and (sessions.second_factor_at is null or not ${HAS_SECOND_FACTOR})
      then 'second_factor'
  end`;

const SELECT_ACTOR = `
  select sessions.id, sessions.user_id, users.email, users.is_operator, sessions.authenticated_at,
    sessions.last_seen_at, sessions.expires_at, sessions.address, sessions.provider_workspace_id,
    coalesce((
      select jsonb_object_agg(members.workspace_id, jsonb_build_object(
        'role', members.role, 'lacks', ${LACKS}, 'networks', access.allowed_networks
      ))
      from members join workspaces on workspaces.id = members.workspace_id
        left join workspace_access access on access.workspace_id = members.workspace_id
      where members.user_id = users.id and workspaces.archived_at is null and workspaces.moved_to is null
    ), '{}') as memberships
  from sessions join users on users.id = sessions.user_id`;

/** Why a role does not count from this address; null if it does. */
export function withheldAt(
  address: string | null,
  { lacks, networks }: Pick<SessionMembership, 'lacks' | 'networks'>,
): Withheld | null {
  if (lacks !== null || networks === null) return lacks;
  return address !== null && new NetworkList(networks).has(address) ? null : 'network';
}

/** The actor of a session that is used from this address. Operators have their rights whatever a workspace asks for. */
function toActor(row: SessionRow, address: string | null): SessionActor {
  const roles = new Map<string, Role>();
  const withheld = new Map<string, Withheld>();
  for (const [workspaceId, membership] of Object.entries(row.memberships)) {
    const why = row.is_operator ? null : withheldAt(address, membership);
    if (why === null) roles.set(workspaceId, membership.role);
    else withheld.set(workspaceId, why);
  }
  return {
    kind: 'session',
    sessionId: row.id,
    userId: row.user_id,
    email: row.email,
    isOperator: row.is_operator,
    authenticatedAtMs: row.authenticated_at.getTime(),
    roles,
    withheld,
    providerId: row.provider_workspace_id,
  };
}

/** What has shown who the user of a session is, besides a password or a link. */
export interface SessionProof {
  /** The workspace at whose provider they have signed in. */
  readonly providerId?: string;
  readonly hasSecondFactor?: boolean;
  /** Whether an operator's link has let in an owner whom the workspace's provider does not. */
  readonly isRecovery?: boolean;
}

/** Begins a session for a user who has just proved who they are. */
export async function openSession(
  tx: SqlRunner,
  userId: string,
  visitor: Visitor,
  { providerId, hasSecondFactor = false, isRecovery = false }: SessionProof = {},
): Promise<OpenedSession> {
  const id = newId();
  const { secret, sha256 } = makeLinkSecret();
  await tx.query(
    `insert into sessions (id, user_id, token_sha256, expires_at, address, user_agent, provider_workspace_id,
       second_factor_at, is_recovery)
     values ($1, $2, $3, now() + interval '${LIFETIME}', $4, $5, $6, case when $7 then now() end, $8)`,
    [
      id,
      userId,
      sha256,
      visitor.address,
      visitor.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      providerId ?? null,
      hasSecondFactor,
      isRecovery,
    ],
  );
  await noteSignInNetwork(tx, userId, visitor.network);
  return await openedSession(tx, id, secret, visitor);
}

/** Gives a session a new secret, because its user has proved again who they are, or has got other rights. */
export async function renewSession(
  tx: SqlRunner,
  sessionId: string,
  visitor: Visitor,
  {
    isAuthenticated,
    hasSecondFactor = false,
  }: { readonly isAuthenticated: boolean; readonly hasSecondFactor?: boolean },
): Promise<OpenedSession | null> {
  const { secret, sha256 } = makeLinkSecret();
  const [row] = await tx.query(
    `update sessions set token_sha256 = $2, authenticated_at = case when $3 then now() else authenticated_at end,
       second_factor_at = case when $4 then now() else second_factor_at end
     where id = $1 returning id`,
    [sessionId, sha256, isAuthenticated, hasSecondFactor],
  );
  return row === undefined ? null : await openedSession(tx, sessionId, secret, visitor);
}

async function openedSession(
  tx: SqlRunner,
  id: string,
  secret: string,
  { address, requestId }: Visitor,
): Promise<OpenedSession> {
  const [row] = await tx.query<SessionRow>(`${SELECT_ACTOR} where sessions.id = $1`, [id]);
  if (row === undefined) throw new Error('a session ended while it was opened');
  return { secret, expiresAt: row.expires_at, act: { actor: toActor(row, address), address, requestId } };
}

/** The actor whose session's secret this is; null if there is no such session, or it has ended. */
export async function findSession(
  sql: SqlRunner,
  secret: string,
  address: string | null,
): Promise<SessionActor | null> {
  const sha256 = linkSecretHash(secret);
  if (sha256 === null) return null;
  const [row] = await sql.query<SessionRow>(
    `${SELECT_ACTOR} where sessions.token_sha256 = $1 and ${IS_LIVE} and users.disabled_at is null`,
    [sha256],
  );
  if (row === undefined) return null;
  if (Date.now() - row.last_seen_at.getTime() > TOUCH_MS) {
    await sql.query('update sessions set last_seen_at = now(), address = $2 where id = $1', [row.id, address]);
  }
  return toActor(row, address);
}

/** The actors of those of these sessions that have not ended, by the session's id. It does not count as their use. */
export async function findStandingSessions(
  sql: SqlRunner,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, SessionActor>> {
  const rows = await sql.query<SessionRow>(
    `${SELECT_ACTOR} where sessions.id = any($1::uuid[]) and ${IS_LIVE} and users.disabled_at is null`,
    [sessionIds],
  );
  return new Map(rows.map((row) => [row.id, toActor(row, row.address)]));
}

/** A page of the user's own sessions, oldest first. */
export async function listSessions(sql: SqlRunner, { actor }: UserAct, page: PageRequest = {}): Promise<Page<Session>> {
  return await readPage(page, (after, count) =>
    sql.query<Session>(
      `select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", address,
         user_agent as "userAgent"
       from sessions where user_id = $1 and ($2::uuid is null or id > $2) and ${IS_LIVE} order by id limit $3`,
      [actor.userId, after, count],
    ),
  );
}

/** Ends one of the user's own sessions. */
export async function endSession(sql: Sql, act: UserAct, sessionId: string): Promise<Refusal | null> {
  const { userId, email } = act.actor;
  return await sql.transaction(async (tx) => {
    const [ended] = await tx.query('delete from sessions where id = $1 and user_id = $2 returning id', [
      sessionId,
      userId,
    ]);
    if (ended === undefined) return refuse('NOT_FOUND', 'There is no such session.');
    await recordAudit(tx, act, { action: 'session.end', target: { kind: 'session', id: sessionId, name: email } });
    return null;
  });
}

/** Ends all of the user's own sessions, except this one if it is to stay. Returns how many ended. */
export async function endOwnSessions(sql: Sql, act: UserAct, { keepsThis }: { keepsThis: boolean }): Promise<number> {
  const { userId, email, sessionId } = act.actor;
  return await sql.transaction(async (tx) => {
    const count = await endSessionsOf(tx, userId, keepsThis ? sessionId : null);
    await recordAudit(tx, act, {
      action: 'session.end_all',
      target: { kind: 'user', id: userId, name: email },
      after: { ended: count },
    });
    return count;
  });
}

/** Ends all sessions of a user but this one. */
export async function endSessionsOf(tx: SqlRunner, userId: string, keptId: string | null): Promise<number> {
  const ended = await tx.query(
    'delete from sessions where user_id = $1 and ($2::uuid is null or id <> $2) returning id',
    [userId, keptId],
  );
  return ended.length;
}

/** Ends the session that a browser brings along when another one begins in it. */
export async function endPresented(sql: SqlRunner, secret: string): Promise<void> {
  const sha256 = linkSecretHash(secret);
  if (sha256 !== null) await sql.query('delete from sessions where token_sha256 = $1', [sha256]);
}

/** Runs a change of what proves who the user is, and gives their session a new secret, in one transaction. */
export async function renewedIn<Value>(
  sql: Sql,
  { actor }: UserAct,
  visitor: Visitor,
  change: (tx: SqlRunner) => Promise<Value | Refusal>,
  { hasSecondFactor = false }: Pick<SessionProof, 'hasSecondFactor'> = {},
): Promise<{ readonly value: Value; readonly session: OpenedSession } | Refusal> {
  return await makeChange(sql, async (tx) => {
    const value = await change(tx);
    if (isRefusal(value)) return value;
    const session = await renewSession(tx, actor.sessionId, visitor, { isAuthenticated: false, hasSecondFactor });
    return session === null ? endedSession() : { value, session };
  });
}

/** The refusal of what a session wants that ended in the same moment. */
export function endedSession(): Refusal {
  return refuse('UNAUTHENTICATED', 'This session has ended: sign in again.');
}
