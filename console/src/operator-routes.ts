import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { MARGIN_PERIODS, REFUSAL_STATUSES } from './api/choices.ts';
import { WORKSPACE_SORTS, WORKSPACE_STATES } from './api/workspaces.ts';
import { signedIn } from './root-routes.ts';
import { alertSearch, flag, oneOf, search, text, webhookSearch } from './search-params.ts';

// Pages of the whole instance, for operators.

const operator = createRoute({
  getParentRoute: () => signedIn,
  id: 'operators',
  component: lazyRouteComponent(() => import('./frame/operator-area.tsx'), 'OperatorArea'),
});

const operatorWorkspaces = createRoute({
  getParentRoute: () => operator,
  path: '/operator/workspaces',
  validateSearch: search({
    search: text,
    state: oneOf(WORKSPACE_STATES),
    sort: oneOf(WORKSPACE_SORTS),
    direction: oneOf(['asc', 'desc']),
    period: oneOf(MARGIN_PERIODS),
    create: flag,
  }),
  component: lazyRouteComponent(() => import('./pages/operator/workspaces-page.tsx'), 'WorkspacesPage'),
});

const operatorWorkspace = createRoute({
  getParentRoute: () => operator,
  path: '/operator/workspaces/$workspace',
  validateSearch: search({ period: oneOf(MARGIN_PERIODS), post: flag, price: flag, model: text }),
  component: lazyRouteComponent(() => import('./pages/operator/workspace-page.tsx'), 'WorkspacePage'),
});

const operatorProviders = createRoute({
  getParentRoute: () => operator,
  path: '/operator/providers',
  validateSearch: search({ add: flag, change: text, sell: text, model: text, yaml: flag }),
  component: lazyRouteComponent(() => import('./pages/operator/providers-page.tsx'), 'ProvidersPage'),
});

const operatorRefusals = createRoute({
  getParentRoute: () => operator,
  path: '/operator/refusals',
  validateSearch: search({
    workspace: text,
    code: text,
    model: text,
    status: oneOf(REFUSAL_STATUSES),
    since: text,
    until: text,
    request: text,
  }),
  component: lazyRouteComponent(() => import('./pages/operator/refusals-page.tsx'), 'RefusalsPage'),
});

const operatorCodes = createRoute({
  getParentRoute: () => operator,
  path: '/operator/codes',
  validateSearch: search({ create: flag, batch: text }),
  component: lazyRouteComponent(() => import('./pages/operator/codes-page.tsx'), 'CodesPage'),
});

const operatorPrices = createRoute({
  getParentRoute: () => operator,
  path: '/operator/prices',
  validateSearch: search({ search: text, model: text, apply: flag }),
  component: lazyRouteComponent(() => import('./pages/operator/prices-page.tsx'), 'PricesPage'),
});

const operatorLedger = createRoute({
  getParentRoute: () => operator,
  path: '/operator/ledger',
  validateSearch: search({ tab: oneOf(['seals', 'corrections', 'export']) }),
  component: lazyRouteComponent(() => import('./pages/operator/ledger-page.tsx'), 'LedgerPage'),
});

const operatorInstance = createRoute({
  getParentRoute: () => operator,
  path: '/operator/instance',
  validateSearch: search({ tab: oneOf(['settings']), create: flag, search: text }),
  component: lazyRouteComponent(() => import('./pages/operator/instance-page.tsx'), 'InstancePage'),
});

const operatorCells = createRoute({
  getParentRoute: () => operator,
  path: '/operator/cells',
  validateSearch: search({ add: flag, change: text, search: text }),
  component: lazyRouteComponent(() => import('./pages/operator/cells-page.tsx'), 'CellsPage'),
});

const operatorAlerts = createRoute({
  getParentRoute: () => operator,
  path: '/operator/alerts',
  validateSearch: alertSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});

const operatorWebhook = createRoute({
  getParentRoute: () => operator,
  path: '/operator/alerts/webhooks/$webhook',
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/webhook-page.tsx'), 'WebhookPage'),
});

export const operatorRoutes = operator.addChildren([
  operatorWorkspaces,
  operatorWorkspace,
  operatorProviders,
  operatorRefusals,
  operatorPrices,
  operatorCodes,
  operatorLedger,
  operatorAlerts,
  operatorWebhook,
  operatorCells,
  operatorInstance,
]);
