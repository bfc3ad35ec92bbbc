import { changedFields, recordAudit } from '../audit/audit.ts';
import type { Act } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { endAccessTokensOf } from './access-tokens.ts';
import { endResetLinks } from './links.ts';
import { endUnbacked } from './makers.ts';
import { endSessionsOf, IS_LIVE } from './sessions.ts';
import { newId } from '../../lib/uuid7.ts';

/** A person's account. */
export interface User {
  readonly id: string;
  readonly email: string;
  /** Whether it is proven that the address is the user's. */
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly hasPassword: boolean;
  /** Whether a code is needed in addition to the password. */
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
  readonly isOperator: boolean;
  readonly disabledAt: Date | null;
  /** When the person was erased; null: they were not. */
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
  readonly version: number;
}

const SELECT_USERS = `
  select users.id, email, email_verified_at is not null as "isEmailVerified", name,
    password_hash is not null as "hasPassword", is_operator as "isOperator", disabled_at as "disabledAt", erased_at as "erasedAt",
    users.created_at as "createdAt", version, authenticators.confirmed_at is not null as "hasAuthenticator",
    exists (select from passkeys where passkeys.user_id = users.id) as "hasPasskey"
  from users left join authenticators on authenticators.user_id = users.id`;

/** One user; null if there is none. */
export async function showUser(sql: SqlRunner, userId: string): Promise<User | null> {
  const [user] = await sql.query<User>(`${SELECT_USERS} where users.id = $1`, [userId]);
  return user ?? null;
}

/** A user as operators see them. */
export interface ListedUser extends User {
  /** When a session of theirs was last used; null if they have none. */
  readonly lastSeenAt: Date | null;
  readonly sessions: bigint;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

/** A page of users, oldest first; with a text, only those whose address or name contains it. */
export async function listUsers(
  sql: SqlRunner,
  _scope: OperatorScope,
  search: string | null,
  page: PageRequest = {},
): Promise<Page<ListedUser>> {
  return await readPage(page, (after, count) =>
    sql.query<ListedUser>(
      `select listed.*, coalesce(workspaces, '[]') as workspaces, "lastSeenAt", sessions
       from (${SELECT_USERS}
       where ($1::uuid is null or users.id > $1)
         and ($2::text is null or strpos(email, lower($2)) > 0 or strpos(lower(name), lower($2)) > 0)
       order by users.id limit $3) listed
       cross join lateral (
         select max(last_seen_at) as "lastSeenAt", count(*) as sessions from sessions
         where user_id = listed.id and ${IS_LIVE}
       ) seen
       cross join lateral (
         select jsonb_agg(jsonb_build_object('id', workspaces.id, 'name', workspaces.name, 'role', role)
           order by lower(workspaces.name)) as workspaces
         from members join workspaces on workspaces.id = members.workspace_id
         where user_id = listed.id and archived_at is null
       ) joined
       order by listed.id`,
      [after, search, count],
    ),
  );
}

/** What a new account is made of. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly isEmailVerified: boolean;
  readonly isOperator?: boolean;
}

/** Makes an account; null if the address has one. */
export async function insertUser(tx: SqlRunner, user: NewUser): Promise<string | null> {
  const { email, name, passwordHash, isEmailVerified, isOperator = false } = user;
  const [row] = await tx.query<{ id: string }>(
    `insert into users (id, email, name, password_hash, email_verified_at, is_operator)
     values ($1, $2, $3, $4, case when $5 then now() end, $6)
     on conflict (email) do nothing returning id`,
    [newId(), email, name, passwordHash, isEmailVerified, isOperator],
  );
  return row?.id ?? null;
}

/** What an operator may change of an account. */
export interface UserChange {
  readonly isDisabled?: boolean;
  readonly isOperator?: boolean;
}

/** Disables or enables an account, or makes its user an operator or none. A disabled user's sessions and access tokens end. */
export async function changeUser(
  sql: Sql,
  scope: OperatorScope,
  userId: string,
  { isDisabled, isOperator }: UserChange,
): Promise<User | Refusal> {
  return await sql.transaction(async (tx) => {
    const [before] = await tx.query<{ email: string; operator: boolean; disabled: boolean; erased: boolean }>(
      `select email, is_operator as operator, disabled_at is not null as disabled, erased_at is not null as erased
       from users where id = $1 for update`,
      [userId],
    );
    if (before === undefined) return refuse('NOT_FOUND', 'There is no such user.');
    if (before.erased) return refuse('CONFLICT', 'This person was erased: the account stays disabled.');
    const after = { operator: isOperator ?? before.operator, disabled: isDisabled ?? before.disabled };
    await tx.query(
      `update users set is_operator = $2, disabled_at = case when $3 then coalesce(disabled_at, now()) end,
         version = version + 1
       where id = $1`,
      [userId, after.operator, after.disabled],
    );
    if (after.disabled) {
      await endSessionsOf(tx, userId, null);
      await endAccessTokensOf(tx, userId);
    }
    await endResetLinks(tx, userId);
    await endUnbacked(tx, scope.act, userId);
    await recordAudit(tx, scope, {
      action: 'user.update',
      target: { kind: 'user', id: userId, name: before.email },
      ...changedFields({ operator: before.operator, disabled: before.disabled }, after),
    });
    return (await showUser(tx, userId)) ?? refuse('NOT_FOUND', 'There is no such user.');
  });
}

/** Ends all sessions of a user; returns how many. */
export async function signUserOut(sql: Sql, scope: OperatorScope, userId: string): Promise<number | Refusal> {
  return await sql.transaction(async (tx) => {
    const user = await showUser(tx, userId);
    if (user === null) return refuse('NOT_FOUND', 'There is no such user.');
    const ended = await endSessionsOf(tx, userId, null);
    await recordAudit(tx, scope, {
      action: 'session.end_all',
      target: { kind: 'user', id: userId, name: user.email },
      after: { ended },
    });
    return ended;
  });
}

/** Renames the user. */
export async function renameUser(sql: Sql, act: Act, userId: string, name: string): Promise<User | Refusal> {
  return await sql.transaction(async (tx) => {
    const before = await showUser(tx, userId);
    if (before === null) return refuse('NOT_FOUND', 'There is no such user.');
    await tx.query('update users set name = $2, version = version + 1 where id = $1', [userId, name]);
    await recordAudit(tx, act, {
      action: 'user.update',
      target: { kind: 'user', id: userId, name: before.email },
      ...changedFields({ name: before.name }, { name }),
    });
    return { ...before, name, version: before.version + 1 };
  });
}
