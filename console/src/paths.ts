// Where everything is: the one place that knows what addresses look like.

/** Joins values into a path; each is encoded. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

export type SearchValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Texts that an address may have. */
export type SearchTexts<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** The given values as a query string with its "?"; empty without any. */
export function searchOf(values: SearchValues): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

const below =
  (area: string) =>
  (workspace: string, search: SearchValues = {}) =>
    pathOf`/workspaces/${workspace}` + area + searchOf(search);

export const paths = {
  start: () => '/',
  signIn: (search: SearchValues = {}) => `/sign-in${searchOf(search)}`,
  companySignIn: (next: string | undefined) => `/sign-in${searchOf({ need: 'company', next })}`,
  forgotPassword: () => '/sign-in?need=password',
  signUpRequest: () => '/sign-in?need=account',
  profile: () => '/account',
  security: () => '/account/security',
  sessions: () => '/account/sessions',
  accessTokens: () => '/account/access-tokens',

  /** The user's own. */
  workspaces: () => '/workspaces',
  home: below(''),
  requests: below('/requests'),
  refusedRequests: below('/requests/refused'),
  request: (workspace: string, request: string, search: SearchValues = {}) =>
    pathOf`/workspaces/${workspace}/requests/${request}` + searchOf(search),
  usage: below('/usage'),
  keys: below('/keys'),
  key: (workspace: string, key: string, search: SearchValues = {}) =>
    pathOf`/workspaces/${workspace}/keys/${key}` + searchOf(search),
  projects: below('/projects'),
  project: (workspace: string, project: string, search: SearchValues = {}) =>
    pathOf`/workspaces/${workspace}/projects/${project}` + searchOf(search),
  models: below('/models'),
  /** The slashes of a model's id are slashes of its address. */
  model: (workspace: string, model: string) =>
    `${pathOf`/workspaces/${workspace}`}/models/${model.split('/').map(encodeURIComponent).join('/')}`,
  playground: below('/playground'),
  credit: below('/credit'),
  /** A month of it to print. */
  statement: below('/credit/statement'),
  members: below('/members'),
  settings: below('/settings'),
  access: below('/access'),
  audit: below('/audit'),
  alerts: below('/alerts'),
  /** Of a workspace, or the operator's own if it is null. */
  alertsOf: (workspace: string | null, search: SearchValues = {}) =>
    workspace === null ? `/operator/alerts${searchOf(search)}` : paths.alerts(workspace, search),
  webhook: (workspace: string | null, webhook: string, search: SearchValues = {}) =>
    paths.alertsOf(workspace) + pathOf`/webhooks/${webhook}` + searchOf(search),

  operatorWorkspaces: (search: SearchValues = {}) => `/operator/workspaces${searchOf(search)}`,
  operatorWorkspace: (workspace: string, search: SearchValues = {}) =>
    pathOf`/operator/workspaces/${workspace}` + searchOf(search),
  operatorProviders: (search: SearchValues = {}) => `/operator/providers${searchOf(search)}`,
  operatorPrices: (search: SearchValues = {}) => `/operator/prices${searchOf(search)}`,
  operatorLedger: () => '/operator/ledger',
  operatorRefusals: (search: SearchValues = {}) => `/operator/refusals${searchOf(search)}`,
  /** Leads to a request of any workspace. */
  operatorRequest: (request: string) => `/operator/refusals${searchOf({ request })}`,
  operatorCodes: (search: SearchValues = {}) => `/operator/codes${searchOf(search)}`,
  operatorCells: () => '/operator/cells',
  operatorInstance: () => '/operator/instance',

  manual: () => '/docs',
  errors: () => '/docs/errors',
} as const;
