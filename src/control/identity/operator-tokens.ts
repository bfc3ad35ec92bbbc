import { recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';
import { actorName, type OperatorAccess, type OperatorActor } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { makeChange } from '../audit/change.ts';
import { endMadeByOwnToken } from './makers.ts';
import { isToken, makeToken, OPERATOR_TOKEN_PREFIX, secretHash } from './secrets.ts';
import { newId } from '../../lib/uuid7.ts';

// The operator's tokens in addition to the instance's own: each has a name, can be limited to reading, or to reading and backups, and is revoked separately.

/** A token as operators see it. */
export interface OperatorToken {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly access: OperatorAccess;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** One that was made, by this request or by the one that this one repeats. */
export interface NewOperatorToken extends OperatorToken {
  /** It is not stored. Null: the answer to an earlier request had it. */
  readonly secret: string | null;
}

const ACCESS = `case when not read_only then 'all' when downloads_backups then 'read_and_backup' else 'read' end`;
const COLUMNS = `id, name, last_four as "lastFour", ${ACCESS} as access, created_by as "createdBy",
  created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** Makes a token. Its name is taken until it is revoked. A repetition under the same `once` makes none, and has no secret. */
export async function createOperatorToken(
  sql: Sql,
  scope: OperatorScope,
  request: { readonly name: string; readonly access: OperatorAccess; readonly once?: string | null },
): Promise<NewOperatorToken | Refusal> {
  const { name, access, once = null } = request;
  const { secret, sha256, lastFour } = makeToken(OPERATOR_TOKEN_PREFIX);
  return await makeChange(sql, async (tx) => {
    const id = newId();
    const creation = { kind: 'operator_token', id, once, request: { name, access } };
    const former = await reserveCreation(tx, scope, creation);
    if (isRefusal(former)) return former;
    if (former !== null) {
      const [made] = await tx.query<OperatorToken>(`select ${COLUMNS} from operator_tokens where id = $1`, [former]);
      assert(made !== undefined, 'operator tokens are never deleted');
      return { ...made, secret: null };
    }
    const [token] = await tx.query<OperatorToken>(
      `insert into operator_tokens (id, name, secret_sha256, last_four, read_only, downloads_backups, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (name) where revoked_at is null do nothing returning ${COLUMNS}`,
      [id, name, sha256, lastFour, access !== 'all', access === 'read_and_backup', actorName(scope.act.actor)],
    );
    if (token === undefined) {
      return refuse('CONFLICT', `There is an operator token named "${name}" already.`, { param: 'name' });
    }
    await recordAudit(tx, scope, {
      action: 'operator_token.create',
      target: { kind: 'operator_token', id: token.id, name },
      after: { access },
    });
    return { ...token, secret };
  });
}

/** A page of the tokens, revoked ones included, oldest first. */
export async function listOperatorTokens(
  sql: SqlRunner,
  _scope: OperatorScope,
  page: PageRequest = {},
): Promise<Page<OperatorToken>> {
  return await readPage(page, (after, count) =>
    sql.query<OperatorToken>(
      `select ${COLUMNS} from operator_tokens where $1::uuid is null or id > $1 order by id limit $2`,
      [after, count],
    ),
  );
}

/** Revokes a token, by its id or by the name that it has had alone since it was made. */
export async function revokeOperatorToken(
  sql: Sql,
  scope: OperatorScope,
  reference: string,
): Promise<OperatorToken | Refusal> {
  return await makeChange(sql, async (tx) => {
    const [token] = await tx.query<OperatorToken>(
      `update operator_tokens set revoked_at = now() where (id::text = $1 or name = $1) and revoked_at is null
       returning ${COLUMNS}`,
      [reference],
    );
    if (token === undefined) return refuse('NOT_FOUND', `There is no operator token "${reference}".`);
    await recordAudit(tx, scope, {
      action: 'operator_token.revoke',
      target: { kind: 'operator_token', id: token.id, name: token.name },
    });
    return token;
  });
}

/** The actor whose token this is; null if it is none, or was revoked. */
export async function findOperatorToken(sql: SqlRunner, secret: string): Promise<OperatorActor | null> {
  if (!isToken(secret, OPERATOR_TOKEN_PREFIX)) return null;
  const [row] = await sql.query<{ id: string; name: string; access: OperatorAccess; isFresh: boolean }>(
    `select id, name, ${ACCESS} as access,
       coalesce(last_used_at > now() - interval '1 minute', false) as "isFresh"
     from operator_tokens where secret_sha256 = $1 and revoked_at is null`,
    [secretHash(secret)],
  );
  if (row === undefined) return null;
  const { id, name, access, isFresh } = row;
  if (!isFresh) await sql.query('update operator_tokens set last_used_at = now() where id = $1', [id]);
  return { kind: 'operator', tokenId: id, name, access };
}

/**
 * Records that the instance's own token was replaced, and ends the links and invitations that were made with it. It stands
 * in no table, so this is after the fact.
 */
export async function recordRotation(sql: Sql, scope: OperatorScope): Promise<void> {
  await sql.transaction(async (tx) => {
    await endMadeByOwnToken(tx, scope.act);
    await recordAudit(tx, scope, { action: 'operator_token.rotate', target: { kind: 'operator_token', id: 'own' } });
  });
}
