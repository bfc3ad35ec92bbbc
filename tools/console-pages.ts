/** What the paths of the pages name. */
export interface PageIds {
  readonly workspace: string;
  readonly project: string;
  readonly key: string;
  readonly request: string;
}

export interface ConsolePage {
  readonly name: string;
  /** Who looks at it. */
  readonly as: 'nobody' | 'owner' | 'operator';
  readonly path: (ids: PageIds) => string;
}

const ofNobody = (name: string): ConsolePage => ({ name, as: 'nobody', path: () => `/${name}` });
const ofAccount = (name: string, below = `/${name}`): ConsolePage => ({
  name: `account-${name}`,
  as: 'owner',
  path: () => `/account${below}`,
});
const ofOperator = (name: string): ConsolePage => ({
  name: `operator-${name}`,
  as: 'operator',
  path: () => `/operator/${name}`,
});
const ofWorkspace = (name: string, below = (_ids: PageIds): string => `/${name}`): ConsolePage => ({
  name,
  as: 'owner',
  path: (ids) => `/workspaces/${ids.workspace}${below(ids)}`,
});

/** Every page of the console. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  ...['sign-in', 'set-up', 'invitation', 'reset-password', 'sign-up'].map(ofNobody),
  ofAccount('profile', ''),
  ...['security', 'sessions', 'access-tokens'].map((name) => ofAccount(name)),
  ofWorkspace('home', () => ''),
  ofWorkspace('requests'),
  ofWorkspace('request', ({ request }) => `/requests/${request}`),
  ofWorkspace('refused', () => '/requests/refused'),
  ofWorkspace('usage'),
  ofWorkspace('keys'),
  ofWorkspace('key', ({ key }) => `/keys/${key}`),
  ofWorkspace('projects'),
  ofWorkspace('project', ({ project }) => `/projects/${project}`),
  ofWorkspace('models'),
  ofWorkspace('model', () => '/models/sandbox/echo'),
  ...['playground', 'credit', 'members', 'settings', 'audit', 'alerts'].map((name) => ofWorkspace(name)),
  ...['workspaces', 'providers', 'prices', 'ledger', 'refusals', 'codes', 'instance'].map(ofOperator),
];
