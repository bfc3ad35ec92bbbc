import type { SqlRunner } from '../../lib/sql.ts';
import { endAccessTokensOf } from './access-tokens.ts';
import { lockAccount, type OpenIdOwner, shownName } from './openid-sign-in.ts';
import { endSessionsOf } from './sessions.ts';
import { insertUser } from './users.ts';
import { domainOf } from './emails.ts';

// Accounts of people with an address of a workspace's proven domains, about whom the workspace is believed.

/** Whether the workspace has proven the domain of this address; it stays so until the transaction ends. */
export async function isDomainOf(tx: SqlRunner, workspaceId: string, email: string): Promise<boolean> {
  const [proven] = await tx.query(
    'select from workspace_domains where workspace_id = $1 and domain = $2 and proven_at is not null for share',
    [workspaceId, domainOf(email)],
  );
  return proven !== undefined;
}

/** The account of a person for whom a workspace vouches. */
interface VouchedAccount extends OpenIdOwner {
  readonly hasAuthenticator: boolean;
}

/**
 * The account of a person with this address, for whom the workspace vouches, locked: the one there is, or a new one. One with an address
 * that nobody had proven until now is cleansed. Null: another request has just made one.
 */
export async function accountOf(
  tx: SqlRunner,
  { email, name }: { readonly email: string; readonly name: string | null },
): Promise<VouchedAccount | null> {
  const known = await lockAccount(tx, email);
  if (known !== null) {
    const { isVerified, ...account } = known;
    if (isVerified || account.isOperator) return account;
    await cleanse(tx, account);
    return { ...account, hasAuthenticator: false };
  }
  const user = { email, name: shownName({ name }, email), passwordHash: null, isEmailVerified: true };
  const userId = await insertUser(tx, user);
  return userId === null ? null : { userId, email, isDisabled: false, isOperator: false, hasAuthenticator: false };
}

/**
 * Takes from an account all that proves somebody to be its user: nobody has ever proven its address, so it may have been made by
 * another person than whose address it is, and that person would share it.
 */
async function cleanse(tx: SqlRunner, { userId }: OpenIdOwner): Promise<void> {
  await tx.query(
    'update users set password_hash = null, email_verified_at = now(), version = version + 1 where id = $1',
    [userId],
  );
  await tx.query('delete from user_identities where user_id = $1', [userId]);
  await tx.query('delete from authenticators where user_id = $1', [userId]);
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await tx.query('delete from passkeys where user_id = $1', [userId]);
  await endSessionsOf(tx, userId, null);
  await endAccessTokensOf(tx, userId);
}
