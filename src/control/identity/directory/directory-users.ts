import { changedFields, recordAudit } from '../../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { newId } from '../../../lib/uuid7.ts';
import { accountOf, isDomainOf } from '../domain-accounts.ts';
import { normalisedEmail } from '../emails.ts';
import { changeByDirectory, type DirectoryChange, type DirectoryRequest } from './directory-change.ts';
import { followGroups } from './directory-members.ts';
import { endRightsOf, type LockedAccount } from './leaving.ts';

// People as a directory names them. Each has the account with their address, which must be of a domain that the workspace has
// proven; active people are members with the role of their groups, if they have one.

const PEOPLE_MAX = 20_000;
const NAME_MAX = 100;

/** What a directory says of a person. */
export interface PersonFields {
  readonly userName: string;
  readonly externalId: string | null;
  readonly displayName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** Null: the name of the user is the address. */
  readonly email: string | null;
  readonly active: boolean;
}

/** A person of a directory. */
export interface DirectoryUser extends PersonFields {
  readonly id: string;
  readonly userId: string;
  /** The account's. */
  readonly email: string;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

const SELECT_USERS = `
  select directory_users.id, directory_users.user_id as "userId", user_name as "userName", directory_users.external_id as "externalId",
    directory_users.display_name as "displayName", given_name as "givenName", family_name as "familyName", users.email, active,
    directory_users.created_at as "createdAt", directory_users.changed_at as "changedAt",
    coalesce((
      select jsonb_agg(jsonb_build_object('id', directory_groups.id, 'name', directory_groups.display_name)
        order by directory_groups.id)
      from directory_group_members joined join directory_groups
        on directory_groups.workspace_id = joined.workspace_id and directory_groups.id = joined.group_id
      where joined.workspace_id = directory_users.workspace_id and joined.directory_user_id = directory_users.id
    ), '[]') as groups
  from directory_users join users on users.id = directory_users.user_id
  where directory_users.workspace_id = $1`;

/** The people that a list shows; what is left out lets all through. */
export interface PersonFilter {
  readonly id?: string;
  readonly userName?: string;
  readonly externalId?: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly active?: boolean;
}

/** A part of a list, from an offset on. */
export interface ListPart {
  readonly offset: number;
  readonly count: number;
}

/** Some of the people whom the filter lets through, and how many there are. */
export async function listPeople(
  sql: SqlRunner,
  workspaceId: string,
  { filter, part }: { readonly filter: PersonFilter; readonly part: ListPart },
): Promise<{ readonly total: number; readonly people: readonly DirectoryUser[] }> {
  const { id, userName, externalId, displayName, email, active } = filter;
  const given = [id, userName, externalId, displayName, email, active].map((value) => value ?? null);
  const passes = `($2::text is null or directory_users.id::text = lower($2)) and ($3::text is null or lower(user_name) = lower($3))
    and ($4::text is null or directory_users.external_id = $4) and ($5::text is null or directory_users.display_name = $5)
    and ($6::text is null or users.email = lower($6)) and ($7::boolean is null or active = $7)`;
  const [{ total } = { total: 0n }] = await sql.query<{ total: bigint }>(
    `select count(*) as total from directory_users join users on users.id = directory_users.user_id
     where directory_users.workspace_id = $1 and ${passes}`,
    [workspaceId, ...given],
  );
  const people = await sql.query<DirectoryUser>(
    `${SELECT_USERS} and ${passes} order by directory_users.id offset $8 limit $9`,
    [workspaceId, ...given, part.offset, part.count],
  );
  return { total: Number(total), people };
}

/** One person. */
export async function showPerson(sql: SqlRunner, workspaceId: string, id: string): Promise<DirectoryUser | Refusal> {
  const [person] = await sql.query<DirectoryUser>(`${SELECT_USERS} and directory_users.id::text = lower($2)`, [
    workspaceId,
    id,
  ]);
  return person ?? refuse('NOT_FOUND', 'There is no such user.');
}

/** Adds a person: makes their account if there is none, and makes them a member if they have a role. */
export async function addPerson(request: DirectoryRequest, fields: PersonFields): Promise<DirectoryUser | Refusal> {
  return await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const { workspaceId } = scope;
    const email = normalisedEmail(fields.email ?? fields.userName);
    if (email === null) return noAddress();
    if (!(await isDomainOf(tx, workspaceId, email))) return ofOthers(email);
    const [{ count } = { count: 0n }] = await tx.query<{ count: bigint }>(
      'select count(*) as count from directory_users where workspace_id = $1',
      [workspaceId],
    );
    if (count >= BigInt(PEOPLE_MAX)) return refuse('CONFLICT', `A directory has ${PEOPLE_MAX} users at most.`);
    const taken = await refusalOfName(tx, workspaceId, { id: null, userName: fields.userName });
    if (taken !== null) return taken;
    const account = await accountOf(tx, { email, name: shownNameOf(fields) });
    if (account === null) return refuse('CONFLICT', 'Another request is making this account: try again.');
    if (account.isOperator) return ofOperator();
    const [known] = await tx.query('select from directory_users where workspace_id = $1 and user_id = $2', [
      workspaceId,
      account.userId,
    ]);
    if (known !== undefined) return refuse('CONFLICT', `There is a user with the address ${email}.`, UNIQUE_EMAIL);
    const id = newId();
    await tx.query(
      `insert into directory_users (workspace_id, id, user_id, user_name, external_id, display_name, given_name, family_name, active)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [workspaceId, id, account.userId, ...columnsOf(fields)],
    );
    await recordAudit(tx, scope, {
      action: 'directory_user.add',
      target: { kind: 'directory_user', id, name: fields.userName },
      after: { email, external_id: fields.externalId, active: fields.active },
    });
    const refused = await applyActive(change, { id, account, active: fields.active, userName: fields.userName });
    return refused ?? (await showPerson(tx, workspaceId, id));
  });
}

const UNIQUE_EMAIL = { param: 'emails' } as const;

function noAddress(): Refusal {
  return refuse('INVALID_REQUEST', 'Neither "emails" nor "userName" is a mail address.', { param: 'emails' });
}

function ofOthers(email: string): Refusal {
  const message = `The address ${email} is not of a domain that this workspace has proven: see "Domains" on its page of access.`;
  return refuse('INVALID_REQUEST', message, { param: 'emails' });
}

function ofOperator(): Refusal {
  return refuse('FORBIDDEN', 'Operators of this instance are not managed by the directory of a workspace.');
}

function shownNameOf({ displayName, givenName, familyName }: PersonFields): string | null {
  const parts = [givenName, familyName].filter((part) => part !== null);
  return displayName ?? (parts.length === 0 ? null : parts.join(' '));
}

function columnsOf({ userName, externalId, displayName, givenName, familyName, active }: PersonFields) {
  return [userName, externalId, displayName, givenName, familyName, active];
}

async function refusalOfName(
  tx: SqlRunner,
  workspaceId: string,
  { id, userName }: { readonly id: string | null; readonly userName: string },
): Promise<Refusal | null> {
  const [taken] = await tx.query(
    'select from directory_users where workspace_id = $1 and lower(user_name) = lower($2) and id is distinct from $3::uuid',
    [workspaceId, userName, id],
  );
  return taken === undefined ? null : refuse('CONFLICT', `There is a user "${userName}".`, { param: 'userName' });
}

/** What follows of whether a person is active: a role by their groups, or the end of all that they have here. */
async function applyActive(
  change: DirectoryChange,
  person: { readonly id: string; readonly account: LockedAccount; readonly active: boolean; readonly userName: string },
): Promise<Refusal | null> {
  const { tx, scope } = change;
  const { id, account, active, userName } = person;
  if (active) {
    if (!(await isDomainOf(tx, scope.workspaceId, account.email))) return ofOthers(account.email);
    await tx.query('delete from directory_leavers where workspace_id = $1 and user_id = $2', [
      scope.workspaceId,
      account.userId,
    ]);
    await followGroups(change, [id]);
    return null;
  }
  const ended = await endRightsOf(change, account);
  if (isRefusal(ended)) return ofLastOwner(ended);
  await recordAudit(tx, scope, {
    action: 'directory_user.deactivate',
    target: { kind: 'directory_user', id, name: userName },
    after: { ...ended },
  });
  return null;
}

function ofLastOwner(refused: Refusal): Refusal {
  if (refused.code !== 'CONFLICT') return refused;
  const message = 'They are the only owner of the workspace: make another member an owner first.';
  return refuse('CONFLICT', message, { param: 'active' });
}

/** What changes of a person; what is left out stays. */
export type PersonChange = Partial<PersonFields>;

/** Changes a person as the function says. The account gets another address, and another name, if the directory changes it. */
export async function changePerson(
  request: DirectoryRequest,
  id: string,
  changeOf: (before: DirectoryUser) => PersonChange | Refusal,
): Promise<DirectoryUser | Refusal> {
  return await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const before = await showPerson(tx, scope.workspaceId, id);
    if (isRefusal(before)) return before;
    const given = changeOf(before);
    if (isRefusal(given)) return given;
    const after: PersonFields = { ...before, ...definedFields(given) };
    const account = await lockAccountOf(tx, before.userId);
    const refused =
      (await refusalOfName(tx, scope.workspaceId, { id: before.id, userName: after.userName })) ??
      (await changeAccount(change, account, { before, given, after }));
    if (refused !== null) return refused;
    await noteChange(change, before, after);
    if (after.active || before.active) {
      const last = await applyActive(change, { ...after, id: before.id, account });
      if (last !== null) return last;
    }
    return await showPerson(tx, scope.workspaceId, before.id);
  });
}

async function lockAccountOf(tx: SqlRunner, userId: string): Promise<LockedAccount> {
  const [account] = await tx.query<LockedAccount>(
    'select id as "userId", email, is_operator as "isOperator" from users where id = $1 for no key update',
    [userId],
  );
  if (account === undefined) throw new Error('accounts are never deleted');
  return account;
}

async function noteChange({ tx, scope }: DirectoryChange, before: DirectoryUser, after: PersonFields): Promise<void> {
  const fields = changedFields(auditedOf(before), auditedOf(after));
  if (Object.keys(fields.after).length === 0) return;
  await tx.query(
    `update directory_users set user_name = $3, external_id = $4, display_name = $5, given_name = $6, family_name = $7,
       active = $8, changed_at = now()
     where workspace_id = $1 and id = $2`,
    [scope.workspaceId, before.id, ...columnsOf(after)],
  );
  await recordAudit(tx, scope, {
    action: 'directory_user.update',
    target: { kind: 'directory_user', id: before.id, name: after.userName },
    ...fields,
  });
}

function auditedOf({ userName, externalId, displayName, givenName, familyName, active }: PersonFields) {
  return {
    user_name: userName,
    external_id: externalId,
    display_name: displayName,
    given_name: givenName,
    family_name: familyName,
    active,
  };
}

interface AccountChange {
  readonly before: DirectoryUser;
  readonly given: PersonChange;
  readonly after: PersonFields;
}

/** The workspace decides over accounts of its domains alone, and over no operator's. */
async function changeAccount(
  change: DirectoryChange,
  account: LockedAccount,
  { before, given, after }: AccountChange,
): Promise<Refusal | null> {
  const { tx, scope } = change;
  const address = addressAfter(before, given);
  if (address !== null && normalisedEmail(address) === null) return noAddress();
  const email = address === null ? account.email : (normalisedEmail(address) ?? account.email);
  const name = shownNameOf(after);
  const isRenamed = name !== null && name !== shownNameOf(before);
  if (email === account.email && !isRenamed) return null;
  if (account.isOperator) return ofOperator();
  if (!(await isDomainOf(tx, scope.workspaceId, account.email))) return ofOthers(account.email);
  if (!(await isDomainOf(tx, scope.workspaceId, email))) return ofOthers(email);
  const [changed] = await tx.query(
    `update users set email = $2, name = coalesce($3, name), version = version + 1
     where id = $1 and not exists (select from users others where others.email = $2 and others.id <> $1) returning id`,
    [account.userId, email, isRenamed ? name.slice(0, NAME_MAX) : null],
  );
  if (changed === undefined) return refuse('CONFLICT', `There is an account with the address ${email}.`, UNIQUE_EMAIL);
  if (email === account.email) return null;
  await recordAudit(tx, scope, {
    action: 'directory_user.readdress',
    target: { kind: 'directory_user', id: before.id, name: after.userName },
    ...changedFields({ email: account.email }, { email }),
  });
  return null;
}

/** The address that the directory gives; null if it gives none, and the name of the user is none or as it was. */
function addressAfter(before: DirectoryUser, { email, userName }: PersonChange): string | null {
  if (email !== undefined && email !== null) return email;
  const isNewName = userName !== undefined && userName !== before.userName;
  // The display name is the address.
  return isNewName && normalisedEmail(before.userName) === before.email ? userName : null;
}

/** Removes a person from the directory: they leave the workspace. */
export async function removePerson(request: DirectoryRequest, id: string): Promise<Refusal | null> {
  const removed = await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const before = await showPerson(tx, scope.workspaceId, id);
    if (isRefusal(before)) return before;
    const account = await lockAccountOf(tx, before.userId);
    const ended = await endRightsOf(change, account);
    if (isRefusal(ended)) return ofLastOwner(ended);
    await tx.query('delete from directory_users where workspace_id = $1 and id = $2', [scope.workspaceId, before.id]);
    await recordAudit(tx, scope, {
      action: 'directory_user.remove',
      target: { kind: 'directory_user', id: before.id, name: before.userName },
      before: { email: before.email },
      after: { ...ended },
    });
    return before;
  });
  return isRefusal(removed) ? removed : null;
}
