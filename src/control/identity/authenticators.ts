import { randomBytes } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import { type EncryptedColumn, placeIn, readEncrypted, type ReadValue } from '../encryption/encrypted-column.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import { randomDigits } from '../../lib/random-digits.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { authenticatorUri, base32, isAppCode, stepsOf } from './one-time-passwords.ts';
import { secretHash } from './secrets.ts';
import type { UserAct } from './visitor.ts';

// The second factor of a password: codes of an authenticator app, and recovery codes for when the app is lost.

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_DIGITS = 16;
const ISSUER = 'Faregate';

/** The seeds of authenticator apps. */
export const AUTHENTICATOR_SECRET: EncryptedColumn = {
  table: 'authenticators',
  rowColumn: 'user_id',
  column: 'encrypted_secret',
  clearColumn: 'secret',
};
const SEED = 'encrypted_secret as encrypted, secret as clear';

/** What an app needs to make codes; shown once. */
export interface AuthenticatorSecret {
  /** In base 32. */
  readonly secret: string;
  /** For a QR code. */
  readonly uri: string;
}

/** The refusal of a code, wrong or used. */
export function wrongCode(): Refusal {
  return refuse('UNAUTHENTICATED', 'The code is wrong, or was used before.', { param: 'code' });
}

function hasOne(): Refusal {
  return refuse('CONFLICT', 'There is an authenticator already: remove it first.');
}

/** Begins to set up an authenticator: it counts once a code of it is confirmed. */
export async function beginAuthenticator(
  sql: Sql,
  keyring: Keyring,
  { actor }: UserAct,
): Promise<AuthenticatorSecret | Refusal> {
  const secret = randomBytes(SECRET_BYTES);
  const encrypted = await keyring.encrypt(placeIn(AUTHENTICATOR_SECRET, actor.userId), secret);
  const [row] = await sql.query(
    `insert into authenticators (user_id, encrypted_secret) values ($1, $2)
     on conflict (user_id) do update
       set encrypted_secret = excluded.encrypted_secret, secret = null, created_at = now(), last_step = 0
       where authenticators.confirmed_at is null
     returning user_id`,
    [actor.userId, encrypted],
  );
  if (row === undefined) return hasOne();
  return { secret: base32(secret), uri: authenticatorUri(secret, actor.email, ISSUER) };
}

/** Confirms the authenticator by a code of it, and returns the recovery codes, which are shown once. */
export async function confirmAuthenticator(
  tx: SqlRunner,
  keyring: Keyring,
  act: UserAct,
  code: string,
): Promise<readonly string[] | Refusal> {
  const { userId, email } = act.actor;
  const [row] = await tx.query<ReadValue & { readonly confirmed: boolean }>(
    `select ${SEED}, confirmed_at is not null as confirmed from authenticators where user_id = $1 for update`,
    [userId],
  );
  if (row === undefined) return refuse('NOT_FOUND', 'No authenticator is being set up: begin again.');
  if (row.confirmed) return hasOne();
  const step = stepsOf(await readSeed(keyring, userId, row), code, Date.now()).at(-1);
  if (step === undefined) return wrongCode();
  await tx.query('update authenticators set confirmed_at = now(), last_step = $2 where user_id = $1', [userId, step]);
  await recordAudit(tx, act, { action: 'authenticator.add', target: { kind: 'user', id: userId, name: email } });
  return await makeRecoveryCodes(tx, userId);
}

/** Replaces the user's recovery codes. */
export async function replaceRecoveryCodes(sql: Sql, act: UserAct): Promise<readonly string[] | Refusal> {
  const { userId, email } = act.actor;
  return await sql.transaction(async (tx) => {
    const [row] = await tx.query(
      'select from authenticators where user_id = $1 and confirmed_at is not null for update',
      [userId],
    );
    if (row === undefined) return refuse('NOT_FOUND', 'There is no authenticator.');
    await recordAudit(tx, act, {
      action: 'recovery_codes.replace',
      target: { kind: 'user', id: userId, name: email },
    });
    return await makeRecoveryCodes(tx, userId);
  });
}

/** Removes the user's authenticator and recovery codes. */
export async function removeAuthenticator(tx: SqlRunner, act: UserAct): Promise<Refusal | null> {
  const { userId, email } = act.actor;
  const [removed] = await tx.query('delete from authenticators where user_id = $1 returning user_id', [userId]);
  if (removed === undefined) return refuse('NOT_FOUND', 'There is no authenticator.');
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await recordAudit(tx, act, { action: 'authenticator.remove', target: { kind: 'user', id: userId, name: email } });
  return null;
}

/**
 * Uses a code of the user's app, or a recovery code. False if it is wrong, or was used before.
 * @throws KeyEncryptionFault for a code of the app, if its seed can't be decrypted now
 */
export async function useCode(sql: SqlRunner, keyring: Keyring, userId: string, code: string): Promise<boolean> {
  const given = code.replaceAll(/[\s-]/g, '');
  return isAppCode(given) ? await useAppCode(sql, keyring, userId, given) : await useRecoveryCode(sql, userId, given);
}

async function useAppCode(sql: SqlRunner, keyring: Keyring, userId: string, code: string): Promise<boolean> {
  const [row] = await sql.query<ReadValue>(
    `select ${SEED} from authenticators where user_id = $1 and confirmed_at is not null`,
    [userId],
  );
  if (row === undefined) return false;
  for (const step of stepsOf(await readSeed(keyring, userId, row), code, Date.now())) {
    // Of two requests with the same code, one finds the step used.
    const [used] = await sql.query(
      `update authenticators set last_step = $2
       where user_id = $1 and confirmed_at is not null and last_step < $2 returning user_id`,
      [userId, step],
    );
    if (used !== undefined) return true;
  }
  return false;
}

async function readSeed(keyring: Keyring, userId: string, value: ReadValue): Promise<Buffer> {
  const seed = await readEncrypted(keyring, placeIn(AUTHENTICATOR_SECRET, userId), value);
  assert(seed !== null, 'an authenticator has a seed');
  return seed;
}

async function useRecoveryCode(sql: SqlRunner, userId: string, code: string): Promise<boolean> {
  const [used] = await sql.query(
    `update recovery_codes set used_at = now()
     where user_id = $1 and code_sha256 = $2 and used_at is null returning user_id`,
    [userId, secretHash(code)],
  );
  return used !== undefined;
}

async function makeRecoveryCodes(tx: SqlRunner, userId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomDigits(RECOVERY_DIGITS));
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await tx.query('insert into recovery_codes (user_id, code_sha256) select $1, unnest($2::bytea[])', [
    userId,
    codes.map(secretHash),
  ]);
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code);
}
