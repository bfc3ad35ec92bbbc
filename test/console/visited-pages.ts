import type { MeJson } from '../../src/control/admin/identity/identity-contract.ts';
import { exampleId, exampleText, type Fullness } from '../support/example-answers.ts';

// The pages of the console that are looked at and pressed on, each at one address or more, and the people who visit them.

export const SITE = 'http://gateway.test';
/** The workspace of every page. */
export const W = 'w';
export const HOME = `/workspaces/${W}`;

export interface Visitor {
  readonly name: string;
  readonly role: MeJson['workspaces'][number]['role'];
  readonly isOperator: boolean;
  readonly fullness: Fullness;
  readonly withheld?: MeJson['workspaces'][number]['withheld'];
  /** Which of several examples they see where there is one thing only. */
  readonly item?: number;
  /** Whether nothing that they see has ended, so that all can be done to it. */
  readonly isAlive?: boolean;
  /** Whether the workspace lives in another cell. */
  readonly isMoved?: boolean;
}

export const OWNER: Visitor = { name: 'an owner', role: 'owner', isOperator: false, fullness: 'full' };
const NEWCOMER: Visitor = { name: 'a newcomer', role: 'owner', isOperator: false, fullness: 'bare' };
const VIEWER: Visitor = { name: 'a viewer', role: 'viewer', isOperator: false, fullness: 'full' };
const DEVELOPER: Visitor = { ...OWNER, name: 'a developer', role: 'developer' };
const ADMIN: Visitor = { ...OWNER, name: 'an admin', role: 'admin' };
const BILLING: Visitor = { ...OWNER, name: 'a billing member', role: 'billing' };
const MEMBER: Visitor = { ...OWNER, name: 'a member with their own keys', role: 'member' };
const OF_NOTHING: Visitor = { ...OWNER, name: 'an owner of nothing', fullness: 'zero' };
const OPERATOR: Visitor = { name: 'an operator', role: 'owner', isOperator: true, fullness: 'full' };
const WITHOUT_APP: Visitor = { ...NEWCOMER, name: 'a member without a second factor', withheld: 'second_factor' };
const WITHOUT_CODE: Visitor = { ...OWNER, name: 'a member who has an app', withheld: 'second_factor' };
const BY_PASSWORD: Visitor = { ...OWNER, name: 'a member by password', withheld: 'company_sign_in' };
const ELSEWHERE: Visitor = { ...OWNER, name: 'a member elsewhere', withheld: 'network' };
const FIRST_OPERATOR: Visitor = { name: 'the first operator', role: 'owner', isOperator: true, fullness: 'bare' };

const OF_MOVED: Visitor = { ...OWNER, name: 'an owner of a workspace that has moved', isMoved: true };
const OPERATOR_OF_MOVED: Visitor = { ...OPERATOR, name: 'an operator, after it has moved', isMoved: true };

const OPERATOR_OF_NOTHING: Visitor = { ...OPERATOR, name: 'an operator of nothing', fullness: 'zero' };

const ALL = [OWNER, NEWCOMER, VIEWER, ADMIN, DEVELOPER, BILLING, OF_NOTHING];
const ALONE = [OWNER, NEWCOMER];
/** Those who go where people see what is their own too. */
const EACH = [...ALL, MEMBER];
const OPERATORS = [OPERATOR, FIRST_OPERATOR, OPERATOR_OF_NOTHING];

const inside = (rest: string, visitors: readonly Visitor[] = ALL): readonly [string, readonly Visitor[]] => [
  `/workspaces/${W}${rest}`,
  visitors,
];

export const PAGES: readonly (readonly [address: string, visitors: readonly Visitor[]])[] = [
  inside('', EACH),
  inside('/projects?create=true'),
  inside('/projects?search=n&archived=true'),
  inside('/projects/p'),
  inside('/projects/p?change=true', [OWNER]),
  inside('/projects/p?budget=5', [OWNER]),
  inside('/members'),
  inside('/members?invite=true', [OWNER]),
  inside('/members?tab=invitations'),
  inside(`/members?member=${exampleId('listMembers.data.1.id')}`),
  inside('/keys', EACH),
  inside('/keys?create=true&state=revoked&sort=spend&owner=me&search=n', [OWNER]),
  inside('/keys/k', EACH),
  inside('/keys/k?change=true', [OWNER]),
  inside('/keys/k?limit=5', [OWNER]),
  inside('/models', EACH),
  inside('/models?kind=chat&capability=tools&former=true&sort=input&direction=desc&search=m', [OWNER]),
  inside('/models/acme/one', EACH),
  inside('/credit/statement?month=2026-02', [OWNER, DEVELOPER]),
  inside('/credit'),
  inside('/credit?add=true&amount=25', [OWNER]),
  inside('/credit?redeem=true', [OWNER]),
  inside('/credit?auto=true', [OWNER]),
  inside('/credit?post=true', [OPERATOR]),
  inside('/credit?month=2026-02', [OWNER]),
  inside('/credit?tab=top-ups'),
  inside(`/credit?tab=top-ups&top_up=${exampleId('listTopUps.data.0.id')}`),
  inside('/credit?result=success&top_up=t', [OWNER]),
  inside('/credit?result=cancel&top_up=t', [OWNER]),
  inside('/settings', [...ALL, OF_MOVED, OPERATOR_OF_MOVED]),
  inside('/access', [OWNER, NEWCOMER, OPERATOR]),
  inside('/settings?withheld=true', [WITHOUT_APP, WITHOUT_CODE, BY_PASSWORD, ELSEWHERE]),
  inside('/playground?code=true', EACH),
  inside('/requests', EACH),
  inside('/requests?range=24h&outcome=completed&model=m&min_charge=1&dialect=messages&session=s', [OWNER]),
  inside('/requests/refused?code=MODEL_NOT_FOUND', EACH),
  inside('/requests/r', EACH),
  inside('/usage', EACH),
  inside('/usage?period=24h&measure=requests&by=key&compare=true&model=m', [OWNER]),
  inside('/usage?month=2026-02&measure=tokens&by=model&bucket=day', [OWNER]),
  inside('/alerts'),
  inside('/alerts?tab=rules'),
  inside('/alerts?tab=rules&create=rule', [OWNER]),
  inside(`/alerts?tab=rules&change=${exampleId('listAlertRules.data.0.id')}`, [OWNER]),
  inside(`/alerts?tab=rules&change=${exampleId('listAlertRules.data.3.id')}`, [OWNER]),
  inside('/alerts?tab=webhooks'),
  inside('/alerts?tab=webhooks&create=webhook', [OWNER]),
  inside('/alerts?tab=deliveries&state=given_up'),
  inside(`/alerts?tab=deliveries&delivery=${exampleId('listDeliveries.data.0.id')}`, [OWNER]),
  inside(`/alerts/webhooks/${exampleId('listWebhooks.data.0.id')}`),
  inside('/audit'),
  inside('/audit?action=key.create&user=u&from=2026-03-01&to=2026-03-02&event=e', [OWNER]),
  ['/workspaces', EACH],
  ['/account', ALONE],
  ['/account/security', ALONE],
  ['/account/sessions', ALONE],
  ['/account/access-tokens', ALONE],
  ['/account/access-tokens?create=true', [OWNER, VIEWER]],
  ['/sign-in', ALONE],
  ['/sign-in?need=password', ALONE],
  ['/sign-in?need=account', ALONE],
  ['/sign-in?need=company', [OWNER]],
  ['/sign-in?error=no_sign_ups', [OWNER]],
  ['/set-up', [OWNER]],
  ['/invitation', ALONE],
  ['/reset-password', [OWNER]],
  ['/sign-up', [OWNER]],
  ['/operator/workspaces', [...OPERATORS, OPERATOR_OF_MOVED]],
  ['/operator/workspaces?state=suspended&sort=name&direction=desc&period=7d&create=true', [OPERATOR]],
  [`/operator/workspaces/${W}`, [...OPERATORS, OPERATOR_OF_MOVED]],
  [`/operator/workspaces/${W}?post=true`, [OPERATOR]],
  [`/operator/workspaces/${W}?price=true&model=m`, [OPERATOR]],
  ['/operator/providers', OPERATORS],
  ['/operator/providers?add=true', [OPERATOR]],
  [`/operator/providers?change=${exampleText('showOffer.providers.1.name')}`, [OPERATOR]],
  ['/operator/providers?sell=p', OPERATORS],
  [`/operator/providers?model=${exampleText('showOffer.models.1.id')}`, [OPERATOR]],
  ['/operator/providers?yaml=true', [OPERATOR]],
  ['/operator/refusals', OPERATORS],
  ['/operator/refusals?workspace=w&code=FORBIDDEN&model=m&status=4xx', [OPERATOR]],
  ['/operator/refusals?request=r', [OPERATOR]],
  ['/operator/codes', OPERATORS],
  ['/operator/codes?create=true', [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.0.id')}`, [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.1.id')}`, [OPERATOR]],
  [`/operator/codes?batch=${exampleId('listCodeBatches.data.2.id')}`, [OPERATOR]],
  ['/operator/prices', OPERATORS],
  ['/operator/prices?apply=true', OPERATORS],
  ['/operator/prices?search=m&model=m', [OPERATOR]],
  ['/operator/ledger', OPERATORS],
  ['/operator/ledger?tab=seals', OPERATORS],
  ['/operator/ledger?tab=corrections', OPERATORS],
  ['/operator/ledger?tab=export', OPERATORS],
  ['/operator/cells', OPERATORS],
  ['/operator/cells?search=a', OPERATORS],
  ['/operator/cells?add=true', [OPERATOR]],
  [`/operator/cells?change=${exampleText('listCells.data.1.shard')}`, [OPERATOR]],
  ['/operator/instance', OPERATORS],
  ['/operator/instance?create=true', [OPERATOR]],
  ['/operator/instance?tab=settings', OPERATORS],
  ['/operator/alerts', OPERATORS],
  ['/operator/alerts?tab=rules', OPERATORS],
  ['/operator/alerts?tab=webhooks&create=webhook', [OPERATOR]],
  ['/operator/alerts/webhooks/w', OPERATORS],
];

/** Who sees the other examples: flags that are off, and nothing that may be missing. */
const OTHER_OWNER: Visitor = { ...OWNER, name: 'an owner of other things', item: 1 };

export interface PressedPage {
  readonly address: string;
  readonly visitor: Visitor;
  /** The part on which is pressed, if what stands around it is pressed at another address. */
  readonly part?: string;
}

const PANEL = '[role="tabpanel"]';
const byOwner = (rest: string, visitor = OWNER): PressedPage => ({ address: `/workspaces/${W}${rest}`, visitor });
const alone = (address: string, visitor = OWNER): PressedPage => ({ address, visitor });
const byOperator = (rest: string, visitor = OPERATOR): PressedPage => ({ address: `/operator${rest}`, visitor });

/** Where everything is pressed. Addresses with an open form are not among them if a button leads there. */
export const PRESSED: readonly PressedPage[] = [
  byOwner(''),
  byOwner('/projects'),
  byOwner('/projects/p'),
  byOwner('/members'),
  { ...byOwner('/members?tab=invitations'), part: PANEL },
  byOwner(`/members?member=${exampleId('listMembers.data.1.id')}`),
  byOwner('/keys'),
  byOwner('/keys/k'),
  byOwner('/keys/k', OTHER_OWNER),
  byOwner('/models'),
  byOwner('/models/acme/one'),
  byOwner('/credit'),
  byOwner('/credit', OTHER_OWNER),
  { ...byOwner('/credit?tab=top-ups'), part: PANEL },
  byOwner(`/credit?tab=top-ups&top_up=${exampleId('listTopUps.data.0.id')}`),
  byOwner('/settings'),
  byOwner('/settings?withheld=true', WITHOUT_CODE),
  byOwner('/access'),
  { ...byOwner('/access?by=operator', OPERATOR), part: '[aria-label="Domains"]' },
  byOwner('/playground'),
  byOwner('/requests'),
  byOwner('/requests/refused'),
  { ...byOwner('/requests/r'), part: '[aria-label="Open request"]' },
  byOwner('/usage'),
  byOwner('/alerts'),
  byOwner('/alerts?tab=rules'),
  byOwner(`/alerts?tab=rules&change=${exampleId('listAlertRules.data.3.id')}`),
  byOwner('/alerts?tab=webhooks'),
  { ...byOwner('/alerts?tab=deliveries'), part: PANEL },
  byOwner(`/alerts/webhooks/${exampleId('listWebhooks.data.1.id')}`),
  byOwner('/audit'),
  alone('/workspaces'),
  alone('/account'),
  alone('/account/security'),
  alone('/account/security', OTHER_OWNER),
  alone('/account/sessions'),
  alone('/account/access-tokens'),
  alone('/sign-in'),
  alone('/sign-in?need=company'),
  alone('/set-up#token'),
  alone('/invitation#token'),
  alone('/invitation#token', OTHER_OWNER),
  alone('/reset-password#token'),
  alone('/sign-up#token'),
  byOperator('/workspaces'),
  byOperator(`/workspaces/${W}`),
  byOperator('/providers'),
  byOperator('/refusals'),
  byOperator('/codes'),
  byOperator(`/codes?batch=${exampleId('listCodeBatches.data.0.id')}`),
  byOperator('/prices'),
  byOperator('/ledger'),
  { ...byOperator('/ledger?tab=seals'), part: PANEL },
  { ...byOperator('/ledger?tab=corrections'), part: PANEL },
  { ...byOperator('/ledger?tab=export'), part: PANEL },
  byOperator('/cells?search=a'),
  byOperator('/instance'),
  { ...byOperator('/instance?tab=settings'), part: PANEL },
  byOperator('/alerts'),
  byOperator('/alerts?tab=rules'),
  byOperator(`/alerts/webhooks/${exampleId('listInstanceWebhooks.data.0.id')}`),
];

/** Where a viewer sees what others can press. */
export const IN_PART: readonly PressedPage[] = [
  '',
  '/projects',
  '/projects/p',
  '/keys',
  '/keys/k',
  '/members',
  '/credit',
  '/settings',
  '/access',
  '/playground',
  '/alerts?tab=rules',
  '/alerts?tab=webhooks',
].map((rest) => byOwner(rest, VIEWER));
