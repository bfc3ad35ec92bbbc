import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { changeRemains } from '../audit/remains.ts';
import { type ErasedPerson, eventsFrom, redactAll, redactSlice } from '../audit/redact-events.ts';
import { actingUser } from '../../domain/actor.ts';
import { erasedAddress, ERASED_NAME } from '../../domain/erased.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import { authorise, type OperatorScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { type Sql, type SqlRunner, UNHURRIED } from '../../lib/sql.ts';
import { endInvitations } from './ended-invitations.ts';
import { knownAs } from './known-as.ts';
import { endUnbacked } from './makers.ts';
import { dropMembership, ownedAlone } from './members.ts';

// The erasure of a person. The account's row stays without anything that leads to the person: keys, receipts and audit events
// name its id. First the person loses all access; then their name goes out of the audit events, slice by slice; and last out of
// everything else. The address is what all of it is found by, so an erasure that was broken off goes on when it is repeated.

export interface Erasure {
  readonly userId: string;
  /** The replacement of the address. */
  readonly placeholder: string;
  /** How many audit events, and postings of credit, named the person. */
  readonly auditEvents: number;
  readonly postings: number;
}

interface EraseParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
}

/**
 * Erases a person. Refused for the only owner of a workspace, unless it may be left without one, for the person themselves, and
 * for somebody who was erased before. @throws DatabaseUnavailable
 */
export async function eraseUser(
  { sql, pacer }: EraseParts,
  scope: OperatorScope,
  userId: string,
  { leavesOwnerless }: { readonly leavesOwnerless: boolean },
): Promise<Erasure | Refusal> {
  const begunMs = Date.now();
  const person = await makeChange(sql, (tx) => endAccess(tx, scope, userId, leavesOwnerless));
  if (isRefusal(person)) return person;
  const found = await redactAll({ sql, pacer }, scope.act, person);
  return await makeChange(sql, async (tx) => {
    await changeRemains(tx);
    const isLocked = await lockPerson(tx, userId);
    if (isRefusal(isLocked)) return isLocked;
    // A sign-in that had begun before may have left something, and another may have invited the person again.
    await deleteProofs(tx, userId);
    await endInvitationsTo(tx, scope, person);
    const postings = await eraseCopies(tx, person);
    await tx.query('update users set email = $2, name = $3, erased_at = now(), version = version + 1 where id = $1', [
      userId,
      erasedAddress(userId),
      ERASED_NAME,
    ]);
    const latest = await redactLatest(tx, scope, person, eventsFrom(begunMs));
    await recordAudit(tx, scope, { action: 'user.erase', target: { kind: 'user', id: userId } });
    return { userId, placeholder: erasedAddress(userId), auditEvents: found + latest, postings };
  });
}

async function lockPerson(tx: SqlRunner, userId: string): Promise<{ readonly email: string } | Refusal> {
  const [user] = await tx.query<{ email: string; isErased: boolean }>(
    `select email, erased_at is not null as "isErased" from users where id = $1 for update`,
    [userId],
  );
  if (user === undefined) return refuse('NOT_FOUND', 'There is no such user.');
  if (user.isErased) return refuse('CONFLICT', 'This person was erased already.');
  return user;
}

/** Ends all that the person may do, and deletes what proves who they are. */
async function endAccess(
  tx: SqlRunner,
  scope: OperatorScope,
  userId: string,
  leavesOwnerless: boolean,
): Promise<ErasedPerson | Refusal> {
  if (actingUser(scope.act.actor) === userId) {
    return refuse('CONFLICT', 'You cannot erase yourself: another operator can, or an operator token.');
  }
  await changeRemains(tx);
  const memberships = await lockMemberships(tx, userId);
  const locked = await lockPerson(tx, userId);
  if (isRefusal(locked)) return locked;
  const person = await knownAs(tx, userId, locked.email);
  const owned = leavesOwnerless ? [] : await ownedAlone(tx, userId);
  if (owned.length > 0) {
    const names = owned.map(({ name }) => `"${name}"`).join(', ');
    const message = `The user is the only owner of ${names}: make another member an owner first, or say that it may be left without one.`;
    return refuse('CONFLICT', message, { param: 'leave_without_owner' });
  }
  await tx.query(
    `update users set disabled_at = coalesce(disabled_at, now()), is_operator = false, password_hash = null,
       email_verified_at = null, version = version + 1
     where id = $1`,
    [userId],
  );
  await deleteProofs(tx, userId);
  await tx.query('delete from one_time_links where user_id = $1 or lower(email) = any ($2) or made_by_user = $1', [
    userId,
    person.addresses,
  ]);
  for (const { workspaceId, role } of memberships) {
    const inWorkspace = authorise(scope.act, 'members:write', workspaceId);
    assert(!isRefusal(inWorkspace), 'an operator may do everything');
    await dropMembership(tx, inWorkspace, { userId, role, name: null });
  }
  await endInvitationsTo(tx, scope, person);
  await endUnbacked(tx, scope.act, userId);
  return person;
}

/** Ends the invitations to the person, with the keys that were made for them. */
async function endInvitationsTo(tx: SqlRunner, { act }: OperatorScope, { addresses }: ErasedPerson): Promise<void> {
  for (const address of addresses) {
    for (const { id, workspaceId, email, role } of await endInvitations(tx, 'email = $1', [address])) {
      const inWorkspace = authorise(act, 'members:write', workspaceId);
      assert(!isRefusal(inWorkspace), 'an operator may do everything');
      const target = { kind: 'invitation', id, name: email };
      await recordAudit(tx, inWorkspace, { action: 'invitation.revoke', target, before: { role } });
    }
  }
}

/** Deletes what proves who the person is, and where they are signed in. */
async function deleteProofs(tx: SqlRunner, userId: string): Promise<void> {
  for (const table of [
    'sessions',
    'authenticators',
    'passkeys',
    'recovery_codes',
    'sign_in_networks',
    'user_identities',
    'access_tokens',
    'directory_users',
    'directory_leavers',
  ]) {
    await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  }
}

/** Locks the owners of the person's workspaces before the person, as changes of members do. */
async function lockMemberships(
  tx: SqlRunner,
  userId: string,
): Promise<readonly { readonly workspaceId: string; readonly role: Role }[]> {
  await tx.query(
    `select from members
     where workspace_id in (select workspace_id from members where user_id = $1) and (role = 'owner' or user_id = $1)
     order by workspace_id, user_id for update`,
    [userId],
  );
  return await tx.query<{ workspaceId: string; role: Role }>(
    'select workspace_id as "workspaceId", role from members where user_id = $1 order by workspace_id',
    [userId],
  );
}

/** Where an address goes: $1. */
const FORGOTTEN = [
  `delete from notices where channel = 'mail' and lower(recipient) = $1`,
  `update alert_rules set mail_to = array(select each from unnest(mail_to) each where lower(each) <> $1),
     version = version + 1
   where exists (select from unnest(mail_to) each where lower(each) = $1)`,
] as const;

/** Where alerts about a member go, whose id is $1. */
const FORGOTTEN_ALERTS = [
  `delete from notices where channel = 'webhook' and strpos(body, $1) > 0`,
  `delete from alerts where subject_kind = 'member' and subject_id = $1`,
] as const;

/** Where $1 takes the place of an address: $2. */
const REPLACED = [
  'update invitations set email = $1 where email = $2',
  'update top_ups set actor = $1 where lower(actor) = $2',
  'update redemption_batches set actor = $1 where lower(actor) = $2',
  'update redemption_codes set redeemed_by = $1 where lower(redeemed_by) = $2',
  'update operator_tokens set created_by = $1 where lower(created_by) = $2',
  'update directories set created_by = $1 where lower(created_by) = $2',
  'update payment_settings set auto_consent_by = $1 where lower(auto_consent_by) = $2',
] as const;

/** Erases the person from all tables but the audit events; returns how many postings named them. */
async function eraseCopies(tx: SqlRunner, { userId, addresses }: ErasedPerson): Promise<number> {
  let postings = 0;
  // Alerts about their limit have their name, and so have the notices of them that webhooks got.
  for (const statement of FORGOTTEN_ALERTS) await tx.query(statement, [userId], UNHURRIED);
  for (const address of addresses) {
    const values = [erasedAddress(userId), address];
    for (const statement of FORGOTTEN) await tx.query(statement, [address], UNHURRIED);
    for (const statement of REPLACED) await tx.query(statement, values, UNHURRIED);
    const [posted] = await tx.query<{ count: bigint }>(
      `with erased as (update ledger_postings set actor = $1 where lower(actor) = $2 returning 1)
       select count(*) as count from erased`,
      values,
      UNHURRIED,
    );
    postings += Number(posted?.count ?? 0n);
  }
  return postings;
}

/** Erases the person from events of others that were recorded while the erasure went on. */
async function redactLatest(
  tx: SqlRunner,
  { act }: OperatorScope,
  person: ErasedPerson,
  from: string,
): Promise<number> {
  let events = 0;
  for (let slice = await redactSlice(tx, act, person, from); slice.last !== null;) {
    events += slice.events;
    slice = await redactSlice(tx, act, person, slice.last);
  }
  return events;
}
