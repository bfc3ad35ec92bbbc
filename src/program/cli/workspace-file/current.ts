import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { AdminRefused } from '../../../control/admin/client/send.ts';

// A workspace as it is now, as far as files say how it is to be.

type Item<List extends 'listProjects' | 'listMembers' | 'listInvitations' | 'listAlertRules' | 'listEndUserLimits'> =
  Awaited<ReturnType<AdminClient[List]>>['data'][number];

export type Project = Item<'listProjects'>;
export type EndUser = Item<'listEndUserLimits'>;
export type Member = Item<'listMembers'>;
export type Invitation = Item<'listInvitations'>;
export type AlertRule = Item<'listAlertRules'>;

export interface CurrentWorkspace {
  /** Its id; of one that is yet to be created, its name. */
  readonly reference: string;
  readonly projects: readonly Project[];
  /** The newest first: of several with one name, that is restored. */
  readonly archivedProjects: readonly Project[];
  /** End users with limits of their own, by the ids of those projects that were to be read. */
  readonly endUsers: ReadonlyMap<string, readonly EndUser[]>;
  readonly members: readonly Member[];
  /** Those that can still be accepted. */
  readonly invitations: readonly Invitation[];
  readonly alertRules: readonly AlertRule[];
}

/** A workspace that is yet to be created. */
export function absentWorkspace(name: string): CurrentWorkspace {
  return {
    reference: name,
    projects: [],
    archivedProjects: [],
    endUsers: new Map(),
    members: [],
    invitations: [],
    alertRules: [],
  };
}

/**
 * Reads the workspace with this id or name, and says what it is called; null if there is none. The end users of projects with these
 * names alone are read, which is a request for each project. @throws AdminRefused, AdminUnreachable
 */
export async function readWorkspace(
  client: AdminClient,
  reference: string,
  readsEndUsersOf: (project: string) => boolean,
): Promise<(CurrentWorkspace & { readonly name: string }) | null> {
  const shown = await client.showWorkspace(reference).catch((fault: unknown) => {
    if (fault instanceof AdminRefused && fault.code === 'NOT_FOUND') return null;
    throw fault;
  });
  if (shown === null) return null;
  const { id, name } = shown;
  const [projects, archived, members, invitations, alertRules] = await Promise.all([
    readAllPages((page) => client.listProjects(id, page)),
    readAllPages((page) => client.listProjects(id, { ...page, archived: 'true' })),
    readAllPages((page) => client.listMembers(id, page)),
    readAllPages((page) => client.listInvitations(id, page)),
    readAllPages((page) => client.listAlertRules(id, page)),
  ]);
  const endUsers = new Map<string, readonly EndUser[]>();
  for (const project of [...projects, ...archived]) {
    if (!readsEndUsersOf(project.name)) continue;
    endUsers.set(project.id, await readAllPages((page) => client.listEndUserLimits(project.id, page)));
  }
  return {
    reference: id,
    name,
    projects,
    endUsers,
    archivedProjects: archived.toReversed(),
    members,
    invitations: invitations.filter(({ expires_at: until }) => Date.parse(until) > Date.now()),
    alertRules,
  };
}
