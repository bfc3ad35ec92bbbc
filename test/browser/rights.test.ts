import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Permission, reachOf, type Role, ROLES } from '../../src/domain/roles.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// What a role lacks stays on the page, disabled, and names the roles that have it: for each role, each action of the table.

const site = sharedSite();

interface Action {
  readonly button: string;
  readonly permission: Permission;
  /** How the reason goes on after "can". */
  readonly can: string;
  /** What the member may do only with their own things is about somebody else's here. */
  readonly isOwn?: boolean;
}

interface Places {
  readonly project: string;
  readonly member: string;
}

const ACTIONS: readonly {
  readonly at: (places: Places) => string;
  readonly ready: string;
  readonly actions: readonly Action[];
}[] = [
  {
    at: () => '/projects',
    ready: 'Projects',
    actions: [{ button: 'Create project', permission: 'projects:write', can: 'create projects' }],
  },
  {
    at: ({ project }) => `/projects/${project}`,
    ready: 'web',
    actions: [
      { button: 'Archive project', permission: 'projects:write', can: 'archive projects' },
      { button: 'Change project', permission: 'projects:write', can: 'change projects' },
    ],
  },
  {
    at: () => '/keys',
    ready: 'Keys',
    actions: [{ button: 'Create key', permission: 'keys:write', can: 'create keys' }],
  },
  {
    at: () => '/members',
    ready: 'Members',
    actions: [{ button: 'Invite member', permission: 'members:write', can: 'invite members' }],
  },
  {
    at: () => '/members?tab=invitations',
    ready: 'Members',
    actions: [
      { button: 'Resend the invitation of linus@example.com', permission: 'members:write', can: 'resend invitations' },
      { button: 'Revoke the invitation of linus@example.com', permission: 'members:write', can: 'revoke invitations' },
    ],
  },
  {
    at: ({ member }) => `/members?member=${member}`,
    ready: 'Grace Example',
    actions: [
      { button: 'Reset password', permission: 'owners:write', can: 'make links for a new password' },
      { button: 'Remove member', permission: 'members:write', can: 'remove members' },
    ],
  },
];

const WORDS: Readonly<Record<Role, string>> = {
  owner: 'owners',
  admin: 'admins',
  developer: 'developers',
  billing: 'billing members',
  viewer: 'viewers',
};

/** The reason that the table gives; null for roles that have the permission. */
function reasonFor(role: Role, { permission, can, isOwn = true }: Action): string | null {
  const has = (each: Role): boolean =>
    reachOf(each, permission) === 'all' || (isOwn && reachOf(each, permission) === 'own');
  const allowed = ROLES.filter(has).map((each) => WORDS[each]);
  return has(role) ? null : `Only ${new Intl.ListFormat('en').format(allowed)} can ${can}.`;
}

/** Why a button is disabled, as screen readers read it; null if it can be pressed. */
async function shownReason(page: Page, name: string): Promise<string | null> {
  const button = page.getByRole('button', { name, exact: true }).first();
  if ((await button.getAttribute('aria-disabled')) !== 'true') return null;
  const id = await button.getAttribute('aria-describedby');
  return await page.locator(`[id="${id}"]`).textContent();
}

test.each(ROLES)(
  'each action that members who are %s lack is disabled with the reason of the role table',
  async (role) => {
    const { id: workspaceId } = await site.admin.createWorkspace({ name: `rights of ${role} ${Date.now()}` });
    const [person, other] = [
      await signedIn(site, { role, workspaceId }),
      await signedIn(site, { role: 'viewer', workspaceId, name: 'Grace Example' }),
    ];
    await site.admin.createInvitation(workspaceId, { email: 'linus@example.com', role: 'viewer' });
    const { id: project } = await site.admin.createProject(workspaceId, { name: 'web' });
    const { page } = await visit(site, `/workspaces/${workspaceId}/members`, { as: person });
    for (const { at, ready, actions } of ACTIONS) {
      await page.goto(`/workspaces/${workspaceId}${at({ project, member: other.userId })}`);
      await page.getByRole('heading', { name: ready, exact: true }).first().waitFor();
      for (const action of actions) {
        await page.getByRole('button', { name: action.button, exact: true }).first().waitFor();
        const reason = await shownReason(page, action.button);
        expect({ action: action.button, reason }).toEqual({ action: action.button, reason: reasonFor(role, action) });
      }
    }
  },
);
