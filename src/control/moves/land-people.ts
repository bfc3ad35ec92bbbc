import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { MOVED_TABLES } from './moved-tables.ts';

// The people of a workspace that arrives. Whose address is proven here has an account here, which gets the memberships; all others
// come with their passwords and authenticators. Passkeys are bound to the name of a console, and stay.

/** Ids of users here, by those there, where they differ. */
export type UserMap = Readonly<Record<string, string>>;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly hereId: string | null;
  readonly isProven: boolean;
  readonly isKnown: boolean;
}

/** Why a person can't come along. */
export function unprovenAddress(email: string): string {
  return `${email} has an account there whose address is not proven: prove it, or delete that account`;
}

/** Makes the accounts that are missing here. */
export async function landPeople(tx: SqlRunner, workspaceId: string): Promise<UserMap | Refusal> {
  const people = await tx.query<Person>(
    `select r.id, r.email, u.id as "hereId", u.email_verified_at is not null as "isProven",
       exists (select from users x where x.id = r.id) as "isKnown"
     from arriving_rows a cross join lateral jsonb_populate_record(null::users, a.row) r
     left join users u on u.email = r.email
     where a.workspace_id = $1 and a.table_name = 'users'`,
    [workspaceId],
  );
  const users: Record<string, string> = {};
  for (const { id, email, hereId, isProven, isKnown } of people) {
    if (isKnown || hereId === null) continue;
    if (!isProven) return refuse('CONFLICT', `${unprovenAddress(email)}.`);
    users[id] = hereId;
  }
  const made = people.filter(({ hereId, isKnown }) => !isKnown && hereId === null).map(({ id }) => id);
  for (const { table, account } of MOVED_TABLES) {
    if (account === undefined) continue;
    await tx.query(
      `insert into ${table} select r.* from arriving_rows a cross join lateral jsonb_populate_record(null::${table}, a.row) r
       where a.workspace_id = $1 and a.table_name = $2 and r.${account} = any ($3::uuid[]) on conflict do nothing`,
      [workspaceId, table, made],
    );
  }
  return users;
}
