import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/domain/roles.ts';
import { Browser } from './browser.ts';
import { PASSWORD, secretIn, someEmail } from './identity.ts';
import type { Site } from './site.ts';

/** A user of a started program who is signed in. */
export interface SignedInPerson {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
  readonly role: Role;
  /** Their session, for requests without a page. */
  readonly session: Browser;
}

export interface SignInOptions {
  /** Owner by default. */
  readonly role?: Role;
  /** The workspace to join; a new one by default. */
  readonly workspaceId?: string;
  /** Whether they operate the instance as well. */
  readonly isOperator?: boolean;
  readonly name?: string;
  /** One that no other test uses by default. */
  readonly email?: string;
}

/** Makes a user by an invitation, which signs them in. */
export async function signedIn(site: Site, options: SignInOptions = {}): Promise<SignedInPerson> {
  const { role = 'owner', isOperator = false, name = 'Ada Example', email = someEmail() } = options;
  const workspaceId =
    options.workspaceId ?? (await site.admin.createWorkspace({ name: `workspace ${randomUUID()}` })).id;
  const { link } = await asOperator<{ link: string }>(site, 'POST', `/workspaces/${workspaceId}/invitations`, {
    email,
    role,
  });
  const session = new Browser(fetch, site.url);
  const joined = await session.post('/invitations/join', { token: secretIn(link), name, password: PASSWORD });
  if (joined.status !== 200) throw new Error(`the invitation was refused: ${JSON.stringify(joined.body)}`);
  const { id: userId } = (await session.get('/me')).body['user'] as { id: string };
  if (isOperator) await asOperator(site, 'PATCH', `/users/${userId}`, { operator: true });
  return { userId, email, password: PASSWORD, workspaceId, role, session };
}

async function asOperator<Result>(site: Site, method: string, path: string, body: object): Promise<Result> {
  const headers = { authorization: `Bearer ${site.operatorToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${site.url}/admin/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${await answer.text()}`);
  return (await answer.json()) as Result;
}
