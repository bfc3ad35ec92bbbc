import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { reachOf, type Role, ROLES } from '../../src/domain/roles.ts';
import { addressOf, CONSOLE_PAGES, type PageParts } from '../../tools/console-pages.ts';
import { secretIn } from '../support/identity.ts';
import { pageLoaded } from '../support/page-checks.ts';
import { reasonFor, type Right } from '../support/role-reasons.ts';
import { type SignedInPerson, signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { follow, visit } from '../support/visit.ts';

// What a role lacks stays on the page, disabled, and names the roles that have it: for each role, each action of each page.

const site = sharedSite();

interface Action extends Right {
  /** The name of its button. */
  readonly button: string;
  /** Members need this right too. */
  readonly also?: Right;
  /** Only members with this right see where it stands. */
  readonly within?: Right | undefined;
}

/** Whom addresses name besides what they are the pages of. */
interface Places extends PageParts {
  /** A workspace with credit and without keys. */
  readonly funded: string;
  readonly owner: string;
}

/** A page, or a part of it that its address opens. */
interface Look {
  readonly search?: (places: Places) => string;
  readonly isFunded?: boolean;
  /** What members without this right see instead of the content. */
  readonly shown?: Right;
  readonly actions: readonly Action[];
}

const READ_KEYS: Right = { permission: 'keys:read', can: 'see keys' };
const READ_CREDIT: Right = { permission: 'credit:read', can: 'see where credit came from' };
const READ_STATEMENTS: Right = { permission: 'credit:read', can: 'see statements' };
const EXPORT_USAGE: Omit<Action, 'button'> = {
  permission: 'exports:read',
  can: 'download usage',
  within: READ_STATEMENTS,
};
/** What those see who see more of a workspace than their own things. */
const SEE_ALL: Right = { permission: 'workspace:read', can: 'see a workspace', isOthers: true };
const ADD_CREDIT: Action = { button: 'Add credit', permission: 'payments:write', can: 'add credit' };
const CREATE_KEY: Action = { button: 'Create key', permission: 'keys:write', can: 'create keys' };
const EXPORT_RECEIPTS: Action = {
  button: 'Download CSV',
  permission: 'exports:read',
  can: 'download receipts',
};
const CHANGE_OTHERS: Omit<Action, 'button'> = {
  permission: 'keys:write',
  can: 'change keys of others',
  isOthers: true,
  within: READ_KEYS,
};
const READ_ACCESS: Right = { permission: 'access:read', can: 'see how a workspace is accessed' };
const changesAccess = (button: string, can = 'change how a workspace is accessed'): Action => ({
  button,
  permission: 'access:write',
  can,
  within: READ_ACCESS,
});
const INVITE: Action = { button: 'Invite members', permission: 'members:write', can: 'invite members' };
const INVITED = { viewer: 'linus@example.com', owner: 'olga@example.com' } as const;

/** What can be done about an invitation or a member; about those of owners, by owners alone. */
const about = (button: string, can: string, canOfOwner: string | null = null): Action => ({
  button,
  permission: 'members:write',
  can,
  ...(canOfOwner === null ? {} : { also: { permission: 'owners:write', can: canOfOwner } }),
});

const OF_WORKSPACE = '/workspaces/$workspace';
const MODEL = 'sandbox/echo';

/** The pages of a workspace by what their routes have below it. What a page offers all members has no row. */
const LOOKS: Readonly<Record<string, readonly Look[]>> = {
  '': [
    { actions: [{ ...ADD_CREDIT, within: SEE_ALL }] },
    { isFunded: true, actions: [{ ...CREATE_KEY, within: READ_KEYS }] },
  ],
  '/requests': [{ actions: [EXPORT_RECEIPTS] }],
  '/requests/$request': [
    {
      actions: [
        EXPORT_RECEIPTS,
        ADD_CREDIT,
        { button: "Raise the project's budget", permission: 'projects:write', can: 'change projects' },
        { button: 'Raise it for this period only', permission: 'projects:write', can: 'change projects' },
        { ...CHANGE_OTHERS, button: "Raise the key's limit", within: undefined },
        { ...CHANGE_OTHERS, button: 'Raise it for this month only', within: undefined },
      ],
    },
  ],
  '/requests/refused': [{ actions: [] }],
  '/usage': [{ actions: [{ button: 'Download CSV', permission: 'exports:read', can: 'download usage' }] }],
  '/keys': [{ shown: READ_KEYS, actions: [CREATE_KEY] }],
  '/keys/$key': [
    {
      shown: READ_KEYS,
      actions: ['Revoke key', 'Disable key', 'Rotate key', 'Change key', 'End former secret', 'Raise for a time'].map(
        (button) => ({
          ...CHANGE_OTHERS,
          button,
        }),
      ),
    },
  ],
  '/projects': [{ actions: [{ button: 'Create project', permission: 'projects:write', can: 'create projects' }] }],
  '/projects/$project': [
    {
      shown: READ_KEYS,
      actions: [
        CREATE_KEY,
        { button: 'Archive project', permission: 'projects:write', can: 'archive projects' },
        { button: 'Change project', permission: 'projects:write', can: 'change projects' },
        { button: 'Raise for a time', permission: 'projects:write', can: 'change projects' },
        { button: 'Limit an end user', permission: 'projects:write', can: 'change projects' },
      ],
    },
  ],
  '/models': [{ actions: [] }],
  '/models/$': [{ actions: [] }],
  '/playground': [
    {
      shown: { permission: 'playground:use', can: 'use the playground' },
      actions: [{ button: 'Send', permission: 'playground:use', can: 'use the playground' }],
    },
  ],
  '/credit': [
    {
      shown: READ_CREDIT,
      actions: [
        { button: 'Redeem code', permission: 'payments:write', can: 'redeem codes', within: READ_CREDIT },
        { button: 'Download CSV', permission: 'exports:read', can: 'download statements', within: READ_CREDIT },
      ],
    },
  ],
  '/credit/statement': [
    {
      shown: READ_STATEMENTS,
      actions: [
        { button: 'CSV', ...EXPORT_USAGE },
        { button: 'CSV by project and model', ...EXPORT_USAGE },
        { button: 'CSV by member and model', ...EXPORT_USAGE },
      ],
    },
  ],
  '/alerts': [
    {
      shown: { permission: 'alerts:read', can: 'see alerts' },
      actions: [{ button: 'Create rule', permission: 'alerts:write', can: 'create rules' }],
    },
  ],
  '/alerts/webhooks/$webhook': [{ shown: { permission: 'alerts:read', can: 'see webhooks' }, actions: [] }],
  '/members': [
    { actions: [INVITE] },
    {
      search: () => '?tab=invitations',
      actions: [
        INVITE,
        about(`Resend the invitation of ${INVITED.viewer}`, 'resend invitations'),
        about(`Revoke the invitation of ${INVITED.viewer}`, 'revoke invitations'),
        about(`Resend the invitation of ${INVITED.owner}`, 'resend invitations', 'resend the invitation of an owner'),
        about(`Revoke the invitation of ${INVITED.owner}`, 'revoke invitations', 'revoke the invitation of an owner'),
      ],
    },
    {
      search: ({ member }) => `?member=${member}`,
      actions: [
        INVITE,
        about('Change role', 'change roles'),
        about('Change limit', 'change limits of members'),
        { button: 'Reset password', permission: 'owners:write', can: 'make links for a new password' },
        about('Remove member', 'remove members'),
      ],
    },
    {
      search: ({ owner }) => `?member=${owner}`,
      actions: [
        INVITE,
        about('Change role', 'change roles', 'change the role of an owner'),
        about('Change limit', 'change limits of members', 'change the limit of an owner'),
        { button: 'Reset password', permission: 'owners:write', can: 'make links for a new password' },
        about('Remove member', 'remove members', 'remove owners'),
      ],
    },
  ],
  '/access': [
    {
      shown: READ_ACCESS,
      actions: [
        changesAccess('Change single sign-on'),
        changesAccess('Change conditions'),
        changesAccess('Add domain', 'add domains'),
        {
          button: 'Connect a directory',
          permission: 'directory:write',
          can: 'connect a directory',
          within: READ_ACCESS,
        },
      ],
    },
  ],
  '/settings': [
    {
      actions: [
        { button: 'Rename workspace', permission: 'workspace:write', can: 'rename this workspace' },
        { button: 'Change limit of new members', permission: 'workspace:write', can: 'change limits of new members' },
        { button: 'Change billing details', permission: 'workspace:write', can: 'change billing details' },
        { button: 'Suspend workspace', permission: 'workspace:suspend', can: 'suspend a workspace' },
        { button: 'Close workspace', permission: 'workspace:close', can: 'close this workspace' },
      ],
    },
  ],
  '/audit': [{ shown: { permission: 'audit:read', can: 'see who changed what' }, actions: [] }],
};

/** The pages on which members have something of their own who see nothing else. Keys and requests below them are others' here. */
const OF_OWN: readonly string[] = [
  '',
  '/requests',
  '/requests/refused',
  '/usage',
  '/keys',
  '/models',
  '/models/$',
  '/playground',
];

let places: Places;

beforeAll(async () => {
  const { admin } = site;
  const [{ id: workspace }, { id: funded }] = [
    await admin.createWorkspace({ name: `rights ${Date.now()}` }),
    await admin.createWorkspace({ name: `rights with credit ${Date.now()}` }),
  ];
  await admin.postCredit(funded, { kind: 'grant', amount_usd: '5', reason: 'a test' });
  const people = {
    viewer: (await signedIn(site, { workspaceId: workspace, role: 'viewer', name: 'Grace Example' })).userId,
    owner: (await signedIn(site, { workspaceId: workspace, name: 'Olga Example' })).userId,
  };
  for (const role of ['viewer', 'owner'] as const)
    await admin.createInvitation(workspace, { email: INVITED[role], role });
  const { id: project } = await admin.createProject(workspace, { name: 'web', budget_usd: '0.000002' });
  const { id: key, key: secret } = await admin.createKey(project, { name: 'small', spend_limit_usd: '0.000001' });
  await admin.rotateKey(key, { overlap_hours: 24 });
  const refused = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const request = refused.headers.get('x-request-id') ?? '';
  await vi.waitUntil(() => admin.showRequest(workspace, request).catch(() => null), { timeout: 20_000 });
  const { id: webhook } = await admin.createWebhook(workspace, { url: 'https://hooks.example.com/' });
  const parts = { webhook, request, refusal: request, event: '', invitation: '', model: MODEL, member: people.viewer };
  places = { workspace, moved: '', funded, project, key, owner: people.owner, ...parts };
});

/** Somebody with this role in both workspaces. */
async function memberOfBoth(role: Role): Promise<SignedInPerson> {
  const person = await signedIn(site, { role, workspaceId: places.workspace });
  const { link } = await site.admin.createInvitation(places.funded, { email: person.email, role });
  const accepted = await person.session.post('/me/invitations', { token: secretIn(link ?? '') });
  expect(accepted.status).toBe(200);
  return person;
}

/** The actions that are disabled on the page for want of a right, with their reasons as screen readers read them. */
async function shownReasons(page: Page): Promise<Record<string, string>> {
  const all = await page
    .locator('main, dialog')
    .locator('button[aria-disabled="true"][aria-describedby]')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const ids: string[] = button.getAttribute('aria-describedby')?.split(' ') ?? [];
        const words = ids.map((id) => button.ownerDocument.getElementById(id)?.textContent ?? '').join(' ');
        return [button.getAttribute('aria-label') ?? button.textContent.trim(), words] as const;
      }),
    );
  return Object.fromEntries(all.filter(([, reason]) => reason.startsWith('Only ')));
}

const lacks = (role: Role, right: Right | undefined): string | null =>
  right === undefined ? null : reasonFor(role, right);

async function expectRights(page: Page, role: Role, { shown, actions }: Look): Promise<void> {
  const main = page.getByRole('main');
  const cause = lacks(role, shown);
  if (cause !== null) await main.getByText(cause, { exact: true }).first().waitFor();
  const present = actions.filter(({ within }) => lacks(role, within) === null);
  for (const { button: name } of present) {
    const action = page.locator('main, dialog').getByRole('button', { name, exact: true });
    await action
      .or(main.getByRole('link', { name, exact: true }))
      .first()
      .waitFor();
  }
  const expected = present.flatMap((action) => {
    const reason = reasonFor(role, action) ?? lacks(role, action.also);
    return reason === null ? [] : [[action.button, reason]];
  });
  await expect.poll(() => shownReasons(page), { message: page.url() }).toEqual(Object.fromEntries(expected));
}

const ROUTES = [...new Set(CONSOLE_PAGES.map(({ route }) => route))];

/** The address of the page of a route. */
function pathTo(route: string, parts: PageParts): string {
  return addressOf({ name: route, as: 'owner', route, rest: () => '' }, parts);
}

/** The heading of a workspace's page; null: it is named for what it shows. */
function headingOf(below: string): string | null {
  if (below === '') return 'Home';
  const [, first = '', thing] = below.split('/');
  if (first === 'models' && thing !== undefined) return MODEL;
  return (first === 'keys' || first === 'projects' || first === 'alerts') && thing !== undefined
    ? null
    : first.replace(/^\w/, (letter) => letter.toUpperCase());
}

test('each page of a workspace has a row in the table of actions', () => {
  const below = ROUTES.filter((route) => route.startsWith(OF_WORKSPACE)).map((route) =>
    route.slice(OF_WORKSPACE.length),
  );
  expect(Object.keys(LOOKS).toSorted()).toEqual(below.toSorted());
});

test.each(ROLES)(
  'each action of each page that %s members lack is disabled with the role table’s reason, and no other is',
  async (role) => {
    const person = await memberOfBoth(role);
    const { page } = await visit(site, '/account', { as: person });
    await pageLoaded(page, 'Profile');
    for (const [below, looks] of Object.entries(LOOKS)) {
      if (lacks(role, SEE_ALL) !== null && !OF_OWN.includes(below)) continue;
      for (const look of looks) {
        const ids = look.isFunded === true ? { ...places, workspace: places.funded } : places;
        await follow(page, pathTo(OF_WORKSPACE + below, ids) + (look.search?.(places) ?? ''));
        await pageLoaded(page, headingOf(below));
        await expectRights(page, role, look);
      }
    }
    if (lacks(role, SEE_ALL) !== null) await expectNothingOfOthers(page);
    if (reachOf(role, 'keys:write') === 'own') await expectRightsOfOwnKey(page, person);
    await expectNothingOfTheInstance(page);
  },
);

/** Typed addresses of pages that show more than own things say so, and ask for nothing. */
async function expectNothingOfOthers(page: Page): Promise<void> {
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  for (const below of [
    '/credit',
    '/members',
    '/settings',
    '/audit',
    '/access',
    '/alerts',
    '/projects',
    '/projects/$project',
  ]) {
    await follow(page, pathTo(OF_WORKSPACE + below, places));
    await pageLoaded(page, 'Not for your role');
  }
  expect(asked.filter((url) => url.includes('/admin/v1/workspaces/') && !url.endsWith('/events'))).toEqual([]);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  expect(await links.allInnerTexts()).toEqual(['Home', 'Requests', 'Usage', 'Keys', 'Models', 'Playground']);
}

async function expectRightsOfOwnKey(page: Page, { session }: SignedInPerson): Promise<void> {
  const { workspace, project } = places;
  const { body } = await session.post(`/workspaces/${workspace}/projects/${project}/keys`, { name: 'their own' });
  await follow(page, pathTo(`${OF_WORKSPACE}/keys/$key`, { ...places, key: String(body['id']) }));
  await pageLoaded(page, 'their own');
  await page.getByRole('button', { name: 'Revoke key' }).waitFor();
  expect(await shownReasons(page)).toEqual({});
}

/** Typed addresses of the instance say whom they are for, and ask for nothing that is. */
async function expectNothingOfTheInstance(page: Page): Promise<void> {
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Instance' }).count()).toBe(0);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const route of ROUTES.filter((each) => each.startsWith('/operator/'))) {
    const path = pathTo(route, places);
    await follow(page, path);
    await page.waitForURL((url) => url.pathname === path);
    await pageLoaded(page, 'Not for your account');
    await page.getByText('Only operators of this instance can see this page.').waitFor();
  }
  const isOwn = (path: string): boolean => /^\/admin\/v1\/(me|session|workspaces\/.+)$/.test(path);
  expect(asked.filter((path) => path.startsWith('/admin/v1/') && !isOwn(path))).toEqual([]);
}
