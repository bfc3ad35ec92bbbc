import type { SqlRunner } from '../../lib/sql.ts';
import { normalisedEmail } from './emails.ts';

// The networks from which users have signed in. A guess from one of them is counted apart from those of strangers, who
// could otherwise keep the owner of an account out by guessing.

/** SQL for whether a user has signed in from the network that the parameter names. */
export const isKnownNetwork = (parameter: string): string =>
  `exists (select from sign_in_networks s where s.user_id = users.id and s.network = ${parameter})`;

/** Notes that a user has just signed in from a network. */
export async function noteSignInNetwork(tx: SqlRunner, userId: string, network: string): Promise<void> {
  if (network === '') return;
  await tx.query(
    `insert into sign_in_networks (user_id, network) values ($1, $2)
     on conflict (user_id, network) do update set used_at = now()`,
    [userId, network],
  );
}

/** Whether the account with this address has signed in from the network. */
export async function hasSignedInFrom(sql: SqlRunner, email: string, network: string): Promise<boolean> {
  const rows = await sql.query(`select from users where email = $1 and ${isKnownNetwork('$2')}`, [
    normalisedEmail(email),
    network,
  ]);
  return rows.length > 0;
}

/** Forgets all of a user's networks: another person may have known the previous password. */
export async function forgetSignInNetworks(tx: SqlRunner, userId: string): Promise<void> {
  await tx.query('delete from sign_in_networks where user_id = $1', [userId]);
}
