import type { Page } from 'playwright-core';

// What is pictured, and gone through by tests: every route of the console in at least one state.
// `console/src/routes.test.ts` compares the table with the routes.

/** What stands for a parameter of an address, or behind its "#". */
export type PageParts = Readonly<
  Record<
    | 'workspace'
    /** A workspace of the owner that lives in another cell. */
    | 'moved'
    | 'project'
    | 'key'
    | 'request'
    | 'refusal'
    | 'member'
    | 'event'
    | 'model'
    | 'invitation'
    | 'webhook',
    string
  >
>;

export type Viewer = 'nobody' | 'owner' | 'operator';

export interface ConsolePage {
  readonly name: string;
  readonly as: Viewer;
  /** The path of its route. */
  readonly route: string;
  /** What follows the path: "?…", "#…". */
  readonly rest: (parts: PageParts) => string;
  /** Which workspace it is about; the one that has everything by default. */
  readonly about?: 'workspace' | 'moved';
  /** Which request it shows; the served one by default. */
  readonly request?: 'request' | 'refusal';
  /** What is done before it is pictured. */
  readonly act?: (page: Page) => Promise<void>;
}

type More = Pick<ConsolePage, 'about' | 'act' | 'request'> & { readonly rest?: string | ConsolePage['rest'] };

const of =
  (as: Viewer, base = '') =>
  (name: string, below: string, { rest = '', ...more }: More = {}): ConsolePage => ({
    name,
    as,
    route: base + below,
    rest: typeof rest === 'string' ? () => rest : rest,
    ...more,
  });

const nobody = of('nobody');
const account = of('owner', '/account');
const workspace = of('owner', '/workspaces/$workspace');
const operatorsOf = of('operator', '/workspaces/$workspace');
const operator = of('operator', '/operator');

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  nobody('sign-in', '/sign-in'),
  nobody('sign-in-password', '/sign-in', { rest: '?need=password' }),
  nobody('sign-in-company', '/sign-in', { rest: '?need=company' }),
  nobody('set-up', '/set-up', { rest: '#a-token' }),
  nobody('invitation', '/invitation', { rest: ({ invitation }) => `#${invitation}` }),
  nobody('reset-password', '/reset-password', { rest: '#a-token' }),
  nobody('sign-up', '/sign-up'),
  account('profile', ''),
  account('workspace-leave', '', {
    act: (page) =>
      page
        .getByRole('button', { name: /^Leave / })
        .first()
        .click(),
  }),
  account('security', '/security'),
  account('sessions', '/sessions'),
  account('access-tokens', '/access-tokens'),
  account('access-token-create', '/access-tokens', { rest: '?create=true' }),
  of('owner')('own-workspaces', '/workspaces'),
  workspace('home', ''),
  workspace('moved', '', { about: 'moved' }),
  workspace('menu', '', {
    act: async (page) => {
      const menu = page.getByRole('button', { name: 'Menu' });
      const user = page.getByRole('button', { name: /^Your account/ });
      await user.waitFor();
      await ((await menu.isVisible()) ? menu : user).click();
    },
  }),
  workspace('palette', '', {
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
    },
  }),
  workspace('palette-found', '', {
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('pro');
      await page.getByRole('option').first().waitFor();
    },
  }),
  workspace('requests', '/requests'),
  workspace('refused', '/requests/refused'),
  workspace('request', '/requests/$request'),
  workspace('refusal', '/requests/$request', { request: 'refusal' }),
  workspace('usage', '/usage'),
  workspace('usage-by-model', '/usage', { rest: '?by=model&measure=requests&period=7d&compare=true' }),
  workspace('keys', '/keys'),
  workspace('key', '/keys/$key'),
  workspace('key-change', '/keys/$key', { rest: '?change=true' }),
  workspace('key-create', '/keys', { rest: '?create=true' }),
  workspace('projects', '/projects'),
  workspace('project', '/projects/$project'),
  workspace('project-change', '/projects/$project', { rest: '?change=true' }),
  workspace('project-create', '/projects', { rest: '?create=true' }),
  workspace('models', '/models'),
  workspace('model', '/models/$'),
  workspace('model-codex', '/models/$', { act: (page) => page.getByRole('tab', { name: 'Codex' }).click() }),
  workspace('playground', '/playground', {
    act: async (page) => {
      const message = page.getByRole('textbox', { name: 'User message' });
      // Without a project there is nothing to send it to.
      if (!(await message.isVisible())) return;
      await message.fill('Write a haiku about trains.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Continue from here' }).waitFor();
    },
  }),
  workspace('playground-code', '/playground', {
    act: async (page) => {
      const message = page.getByRole('textbox', { name: 'User message' });
      if (!(await message.isVisible())) return;
      await message.fill('Write a haiku about trains.');
      await page.getByRole('button', { name: 'View code' }).click();
    },
  }),
  workspace('credit', '/credit'),
  workspace('statement', '/credit/statement'),
  workspace('credit-top-ups', '/credit', { rest: '?tab=top-ups' }),
  workspace('credit-add', '/credit', { rest: '?add=true' }),
  workspace('credit-redeem', '/credit', { rest: '?redeem=true' }),
  workspace('credit-auto', '/credit', { rest: '?auto=true' }),
  operatorsOf('credit-post', '/credit', { rest: '?post=true' }),
  workspace('alerts', '/alerts'),
  workspace('alert-rules', '/alerts', { rest: '?tab=rules' }),
  workspace('alert-rule-create', '/alerts', { rest: '?tab=rules&create=rule' }),
  workspace('webhooks', '/alerts', { rest: '?tab=webhooks' }),
  workspace('webhook-create', '/alerts', { rest: '?tab=webhooks&create=webhook' }),
  workspace('deliveries', '/alerts', { rest: '?tab=deliveries' }),
  workspace('webhook', '/alerts/webhooks/$webhook'),
  workspace('members', '/members'),
  workspace('invitations', '/members', { rest: '?tab=invitations' }),
  workspace('member', '/members', { rest: ({ member }) => `?member=${member}` }),
  workspace('member-invite', '/members', { rest: '?invite=true' }),
  workspace('access', '/access'),
  workspace('settings', '/settings'),
  workspace('audit', '/audit'),
  workspace('audit-event', '/audit', { rest: ({ event }) => `?event=${event}` }),
  operator('workspaces', '/workspaces'),
  operator('workspace-create', '/workspaces', { rest: '?create=true' }),
  operator('workspace', '/workspaces/$workspace'),
  operator('workspace-price', '/workspaces/$workspace', { rest: '?price=true' }),
  operator('providers', '/providers', {
    act: async (page) => {
      // Without a request there is nothing to wait for. Attempts are counted some seconds after it.
      if (!(await page.getByText('Tried again in').first().isVisible())) return;
      await page.getByText('in 24 hours').first().waitFor();
    },
  }),
  operator('provider-add', '/providers', { rest: '?add=true' }),
  operator('models-sell', '/providers', {
    rest: '?sell=openai',
    act: async (page) => {
      // Without this provider there is no list.
      if (!(await page.locator('[aria-label="Sell models of openai"]').isVisible())) return;
      await page.getByText('Models that it lists').or(page.getByText('gives no list')).waitFor();
    },
  }),
  operator('refusals', '/refusals'),
  operator('codes', '/codes'),
  operator('codes-create', '/codes', { rest: '?create=true' }),
  operator('prices', '/prices'),
  operator('price-history', '/prices', { rest: ({ model }) => `?model=${encodeURIComponent(model)}` }),
  operator('prices-apply', '/prices', { rest: '?apply=true' }),
  operator('ledger', '/ledger'),
  operator('ledger-corrections', '/ledger', { rest: '?tab=corrections' }),
  operator('ledger-export', '/ledger', { rest: '?tab=export' }),
  operator('instance-alerts', '/alerts'),
  operator('instance-alert-rules', '/alerts', { rest: '?tab=rules' }),
  operator('instance-webhook', '/alerts/webhooks/$webhook'),
  operator('cells', '/cells', { rest: '?search=a' }),
  operator('cell-add', '/cells', { rest: '?add=true' }),
  operator('instance', '/instance'),
  operator('instance-settings', '/instance', { rest: '?tab=settings' }),
  operator('user-erase', '/instance', {
    act: (page) => page.getByRole('button', { name: 'Erase ada@example.com' }).click(),
  }),
  operator('operator-token-create', '/instance', { rest: '?create=true' }),
];

/** The address of a page. */
export function addressOf(
  { route, rest, about = 'workspace', request = 'request' }: ConsolePage,
  parts: PageParts,
): string {
  const path = route
    .replace('$workspace', parts[about])
    .replace('$project', parts.project)
    .replace('$key', parts.key)
    .replace('$request', parts[request])
    .replace('$webhook', parts.webhook)
    .replace(/\$$/, parts.model);
  return path + rest(parts);
}
