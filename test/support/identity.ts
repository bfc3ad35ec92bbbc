import { randomUUID } from 'node:crypto';
import { createWorkspace } from '../../src/control/accounts/workspaces.ts';
import type { Role } from '../../src/domain/roles.ts';
import { AttemptLimits } from '../../src/control/identity/attempts.ts';
import type { IdentityParts, Mail } from '../../src/control/identity/identity-parts.ts';
import { PasswordHasher } from '../../src/control/identity/password-hasher.ts';
import { openSession } from '../../src/control/identity/sessions.ts';
import { insertUser } from '../../src/control/identity/users.ts';
import type { UserAct, Visitor } from '../../src/control/identity/visitor.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import { siteOf } from '../../src/lib/network.ts';
import type { Sql, SqlRunner } from '../../src/lib/sql.ts';
import { openWorkspace } from './accounts.ts';
import { testKeyring } from './keyring.ts';
import { operatorScope } from './scopes.ts';

// People as tests want them: users with sessions, who are members of workspaces.

export const PASSWORD = 'a long enough secret';

/** A request from nowhere in particular, or from this network. */
export function visitor(network = '192.0.2.1'): Visitor {
  return { address: network, network, site: siteOf(network), requestId: randomUUID(), userAgent: 'a browser' };
}

/** An address that no other test uses. */
export function someEmail(): string {
  return `user-${randomUUID()}@example.com`;
}

/** The parts of identity over a database, and the mails that it has sent. `hasMail`: false by default. */
export function identityParts(
  sql: Sql,
  { hasMail = false, ...own }: Partial<IdentityParts> & { readonly hasMail?: boolean } = {},
): { readonly parts: IdentityParts; readonly mails: Mail[]; readonly hasher: PasswordHasher } {
  const mails: Mail[] = [];
  const hasher = new PasswordHasher();
  const parts: IdentityParts = {
    sql,
    keyring: testKeyring(sql),
    hasher,
    limits: new AttemptLimits(new SystemClock()),
    sendMail: hasMail ? (_tx, mail) => Promise.resolve(void mails.push(mail)) : null,
    publicUrl: () => 'https://gateway.example',
    allowsSignUp: false,
    openWorkspace: (tx, _act, name) => createWorkspace(tx, operatorScope(), { name }),
    ...own,
  };
  return { parts, mails, hasher };
}

/** The bytes of what an app is shown in base 32. */
export function seedOf(base32: string): Buffer {
  const bits = Array.from(base32, (digit) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The secret behind the "#" of a link in a text. */
export function secretIn(text: string): string {
  const secret = /#([\w-]{43})/.exec(text)?.[1];
  if (secret === undefined) throw new Error(`no link in: ${text}`);
  return secret;
}

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly act: UserAct;
  /** Of the session's cookie. */
  readonly secret: string;
}

export interface PersonOptions {
  readonly email?: string;
  readonly passwordHash?: string;
  readonly isEmailVerified?: boolean;
  readonly isOperator?: boolean;
  /** The role in each workspace, by its id. */
  readonly roles?: Readonly<Record<string, Role>>;
}

/** A signed-in user. */
export async function signedIn(sql: Sql, options: PersonOptions = {}): Promise<Person> {
  const { email = someEmail(), passwordHash = null, isEmailVerified = false, isOperator = false, roles = {} } = options;
  return await sql.transaction(async (tx) => {
    const user = { email, name: 'A user', passwordHash, isEmailVerified, isOperator };
    const userId = await insertUser(tx, user);
    if (userId === null) throw new Error(`there is a user ${email} already`);
    for (const [workspaceId, role] of Object.entries(roles)) await addMember(tx, workspaceId, userId, role);
    const { act, secret } = await openSession(tx, userId, visitor());
    return { userId, email, act, secret };
  });
}

/** Makes a user a member. */
export async function addMember(sql: SqlRunner, workspaceId: string, userId: string, role: Role): Promise<void> {
  await sql.query('insert into members (workspace_id, user_id, role) values ($1, $2, $3)', [workspaceId, userId, role]);
}

/** A workspace that no other test uses. */
export async function newWorkspace(sql: Sql): Promise<string> {
  return (await openWorkspace(sql, `workspace ${randomUUID()}`)).id;
}

/** A workspace with one signed-in member of each of these roles. */
export async function team<const Roles extends readonly Role[]>(sql: Sql, ...roles: Roles) {
  const workspaceId = await newWorkspace(sql);
  const people: Person[] = [];
  for (const role of roles) people.push(await signedIn(sql, { roles: { [workspaceId]: role } }));
  return { workspaceId, people: people as { [Index in keyof Roles]: Person } };
}
