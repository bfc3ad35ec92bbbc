import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { KEY_SORTS, KEY_STATES } from '../../src/domain/key-lists.ts';
import { DIALECTS, OUTCOMES } from '../../src/domain/receipt.ts';
import { WORKSPACE_GROUPINGS } from '../../src/domain/usage-groupings.ts';
import { accountRoutes } from './account-routes.ts';
import { maybeMe, meQuery } from './api/account.ts';
import { MODEL_CAPABILITIES, MODEL_KINDS, MODEL_SORTS } from './api/choices.ts';
import { PERIODS } from './api/usage.ts';
import { operatorRoutes } from './operator-routes.ts';
import { MEASURES } from './pages/usage/usage-search.ts';
import { paths } from './paths.ts';
import { readAheadOfHome, readAheadOfKeys, readAheadOfUsage } from './read-ahead.ts';
import { root, signedIn } from './root-routes.ts';
import { alertSearch, day, flag, month, oneOf, search, stretch, text, webhookSearch } from './search-params.ts';
import { workspaceToOpen } from './session/last-workspace.ts';
import { takeReturnPath } from './session/return-path.ts';

// Every page, its address and its search parameters. Pages are loaded when they are visited; read-ahead.ts reads for some of them.

const startSearch = search({ sign_in_error: text });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: startSearch,
  beforeLoad: async ({ context: { queries }, search: { sign_in_error: error } }) => {
    const next = takeReturnPath();
    if (error !== undefined) return redirect({ href: paths.signIn({ error, next }), throw: true });
    const me = await maybeMe();
    if (me === null) return redirect({ href: paths.signIn(), throw: true });
    queries.setQueryData(meQuery.queryKey, me);
    const workspace = workspaceToOpen(me);
    return redirect({ href: next ?? (workspace === null ? paths.workspaces() : paths.home(workspace)), throw: true });
  },
});

// Pages without a session ---------------------------------------------------------------------------------------------

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // The page knows which errors there are: their texts are no part of what is loaded first.
  validateSearch: search({ next: text, error: text, need: oneOf(['password', 'account', 'company']) }),
  component: lazyRouteComponent(() => import('./pages/session/sign-in-page.tsx'), 'SignInPage'),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(() => import('./pages/session/set-up-page.tsx'), 'SetUpPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/session/invitation-page.tsx'), 'InvitationPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/session/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./pages/session/sign-up-page.tsx'), 'SignUpPage'),
});

// Pages in the frame, for signed-in users -----------------------------------------------------------------------------

const ownWorkspaces = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./pages/session/own-workspaces-page.tsx'), 'OwnWorkspacesPage'),
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace',
  beforeLoad: readAheadOfHome,
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
});

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/projects',
  validateSearch: search({ search: text, archived: flag, create: flag }),
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/projects/$project',
  validateSearch: search({ change: flag, raise: flag, budget: text }),
  component: lazyRouteComponent(() => import('./pages/projects/project-page.tsx'), 'ProjectPage'),
});

const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/members',
  validateSearch: search({ tab: oneOf(['invitations']), member: text, raise: flag, limit: text, invite: flag }),
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
});

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/keys',
  validateSearch: search({
    search: text,
    project: text,
    owner: text,
    state: oneOf(KEY_STATES),
    sort: oneOf(KEY_SORTS),
    direction: oneOf(['asc', 'desc']),
    create: flag,
  }),
  beforeLoad: readAheadOfKeys,
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});

/** The keys of the workspace that the user looked at last. */
const anyKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  beforeLoad: ({ context: { queries } }) => {
    const me = queries.getQueryData(meQuery.queryKey);
    const workspace = me === undefined ? null : workspaceToOpen(me);
    redirect({ href: workspace === null ? paths.workspaces() : paths.keys(workspace), throw: true });
  },
});

const key = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/keys/$key',
  validateSearch: search({ change: flag, raise: flag, limit: text }),
  component: lazyRouteComponent(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
});

const catalogue = createRoute({ getParentRoute: () => signedIn, path: '/workspaces/$workspace/models' });
const models = createRoute({
  getParentRoute: () => catalogue,
  path: '/',
  validateSearch: search({
    search: text,
    kind: oneOf(MODEL_KINDS),
    capability: oneOf(MODEL_CAPABILITIES),
    former: flag,
    sort: oneOf(MODEL_SORTS),
    direction: oneOf(['asc', 'desc']),
  }),
  component: lazyRouteComponent(() => import('./pages/models/models-page.tsx'), 'ModelsPage'),
});
const model = createRoute({
  getParentRoute: () => catalogue,
  path: '$',
  component: lazyRouteComponent(() => import('./pages/models/model-page.tsx'), 'ModelPage'),
});

const credit = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/credit',
  validateSearch: search({
    tab: oneOf(['top-ups']),
    month,
    add: flag,
    amount: text,
    redeem: flag,
    post: flag,
    auto: flag,
    top_up: text,
    result: oneOf(['success', 'cancel']),
  }),
  component: lazyRouteComponent(() => import('./pages/credit/credit-page.tsx'), 'CreditPage'),
});

const statement = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/credit/statement',
  validateSearch: search({ month }),
  component: lazyRouteComponent(() => import('./pages/credit/statement-page.tsx'), 'StatementPage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const access = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/access',
  component: lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
});

const playground = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/playground',
  validateSearch: search({ model: text, project: text, code: flag }),
  component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/requests',
  validateSearch: search({
    range: oneOf(PERIODS),
    ...stretch,
    since: text,
    until: text,
    outcome: oneOf(OUTCOMES),
    model: text,
    key: text,
    project: text,
    dialect: oneOf(DIALECTS),
    session: text,
    min_charge: text,
    code: text,
    list: oneOf(['refused']),
  }),
  component: lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
});

// The page of the list shows them all, so that it stays as it is when a request is opened.
const servedRequests = createRoute({ getParentRoute: () => requests, path: '/' });
const refusedRequests = createRoute({ getParentRoute: () => requests, path: '/refused' });
const request = createRoute({ getParentRoute: () => requests, path: '/$request' });

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/audit',
  validateSearch: search({ action: text, target: text, user: text, from: day, to: day, event: text }),
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});

const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/usage',
  validateSearch: search({
    period: oneOf(PERIODS),
    month,
    ...stretch,
    measure: oneOf(MEASURES),
    by: oneOf(WORKSPACE_GROUPINGS),
    and: oneOf(WORKSPACE_GROUPINGS),
    bucket: oneOf(['hour', 'day']),
    compare: flag,
    project: text,
    key: text,
    model: text,
  }),
  beforeLoad: readAheadOfUsage,
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
});

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/alerts',
  validateSearch: alertSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$workspace/alerts/webhooks/$webhook',
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/webhook-page.tsx'), 'WebhookPage'),
});

export const routes = root.addChildren([
  start,
  signIn,
  setUp,
  invitation,
  resetPassword,
  signUp,
  signedIn.addChildren([
    ownWorkspaces,
    home,
    projects,
    project,
    keys,
    anyKeys,
    key,
    catalogue.addChildren([models, model]),
    members,
    credit,
    statement,
    usage,
    settings,
    access,
    playground,
    requests.addChildren([servedRequests, refusedRequests, request]),
    ...accountRoutes,
    audit,
    alerts,
    webhook,
    operatorRoutes,
  ]),
]);
