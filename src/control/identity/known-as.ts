import type { ErasedPerson } from '../audit/redact-events.ts';
import { type SqlRunner, UNHURRIED } from '../../lib/sql.ts';

// By what else a person is recorded: companies' directories name people by ids of their own, and may change addresses.

/** The ids that a directory has, or had, for people of these ids or addresses. */
const DIRECTORY_IDS = `
  select id::text as known from directory_users where user_id = $1
  union
  select target_id from audit_events
  where action like 'directory_user.%' and (target_id = any ($2) or lower(before ->> 'email') = any ($3)
    or lower(after ->> 'email') = any ($3))`;

/** The addresses that these ids have, or had; not those that are somebody else's by now. */
const ADDRESSES = `
  select lower(given.named) as known from audit_events
    cross join lateral (values (before ->> 'email'), (after ->> 'email')) given (named)
  where action = 'directory_user.readdress' and target_id = any ($1) and given.named is not null
    and not exists (select from users where email = lower(given.named) and id <> $2)`;

/** A person with all ids and addresses by which records name them. */
export async function knownAs(tx: SqlRunner, userId: string, email: string): Promise<ErasedPerson> {
  let ids: readonly string[] = [userId];
  let addresses: readonly string[] = [email];
  for (;;) {
    const more = [...ids, ...(await known(tx, DIRECTORY_IDS, [userId, ids, addresses]))];
    const also = [...addresses, ...(await known(tx, ADDRESSES, [more, userId]))];
    const [allIds, all] = [[...new Set(more)], [...new Set(also)]];
    if (allIds.length === ids.length && all.length === addresses.length) return { userId, ids, addresses };
    [ids, addresses] = [allIds, all];
  }
}

async function known(
  tx: SqlRunner,
  text: string,
  values: Parameters<SqlRunner['query']>[1],
): Promise<readonly string[]> {
  return (await tx.query<{ known: string }>(text, values, UNHURRIED)).map((row) => row.known);
}
