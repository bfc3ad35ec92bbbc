import {
  type AlertKind,
  COMPARED_KINDS,
  type ComparedKind,
  INSTANCE_KINDS,
  type InstanceKind,
} from '../../domain/alert-kinds.ts';
import { NANO_PER_USD } from '../../domain/money.ts';
import type { Role } from '../../domain/roles.ts';

// What alert rules can watch. Thresholds are nano-USD of balances, days of a runway, percent of shares.

export function isInstanceKind(kind: AlertKind): kind is InstanceKind {
  return INSTANCE_KINDS.some((each) => each === kind);
}

export function isComparedKind(kind: AlertKind): kind is ComparedKind {
  return COMPARED_KINDS.some((each) => each === kind);
}

/** The greatest threshold of each kind that has one. */
export const THRESHOLD_MAX: Readonly<Record<ComparedKind, bigint>> = {
  balance_below: 1_000_000_000n * NANO_PER_USD,
  balance_share: 100n,
  runway: 365n,
  project_budget: 100n,
  key_limit: 100n,
  member_limit: 100n,
  end_user_limit: 100n,
  session_limit: 100n,
};

/** What a rule watches, and who is notified. */
export interface RuleSettings {
  readonly name: string;
  readonly kind: AlertKind;
  /** Null for kinds that compare nothing. */
  readonly threshold: bigint | null;
  /** The one project or key that it is about; null: each. */
  readonly subjectId: string | null;
  /** Members with these roles get a mail. */
  readonly mailRoles: readonly Role[];
  /** So do these addresses. */
  readonly mailTo: readonly string[];
  readonly enabled: boolean;
}

const MONEY_ROLES: readonly Role[] = ['owner', 'admin', 'billing'];

const defaultRule = (name: string, kind: AlertKind, threshold: bigint | null): RuleSettings => ({
  name,
  kind,
  threshold,
  subjectId: null,
  mailRoles: MONEY_ROLES,
  mailTo: [],
  enabled: true,
});

/** Many workspaces have a key for each of their users, so that nobody gets a mail about each of them at first. */
const silentRule = (name: string, kind: AlertKind, threshold: bigint): RuleSettings => ({
  ...defaultRule(name, kind, threshold),
  mailRoles: [],
});

/** A default rule that workspaces from before it are given, too, if they have none of its kind. */
export interface LaterDefault extends RuleSettings {
  /** From which version of the default rules on. */
  readonly since: number;
}

const since = (version: number, rules: readonly RuleSettings[]): readonly LaterDefault[] =>
  rules.map((rule) => ({ ...rule, since: version }));

export const LATER_DEFAULTS: readonly LaterDefault[] = [
  ...since(2, [
    silentRule('Key limit used to 80 %', 'key_limit', 80n),
    silentRule('Key limit used up', 'key_limit', 100n),
    silentRule("Member's limit used to 80 %", 'member_limit', 80n),
    silentRule("Member's limit used up", 'member_limit', 100n),
  ]),
  ...since(3, [
    silentRule("End user's limit used to 80 %", 'end_user_limit', 80n),
    silentRule("End user's limit used up", 'end_user_limit', 100n),
    silentRule("Session's limit used to 80 %", 'session_limit', 80n),
    silentRule("Session's limit used up", 'session_limit', 100n),
  ]),
];

/** The default rules of a workspace. */
export const WORKSPACE_DEFAULTS: readonly RuleSettings[] = [
  defaultRule('Balance below 20 % of the last top-up', 'balance_share', 20n),
  defaultRule('Balance below 1 USD', 'balance_below', NANO_PER_USD),
  defaultRule('Project budget used to 80 %', 'project_budget', 80n),
  defaultRule('Project budget used up', 'project_budget', 100n),
  defaultRule('Automatic top-ups have stopped', 'auto_top_up_stopped', null),
  ...LATER_DEFAULTS,
];

/** The same for the operator. */
export const INSTANCE_DEFAULTS: readonly RuleSettings[] = [
  defaultRule('Provider refuses its API key', 'provider_key_refused', null),
  defaultRule('Ledger does not add up', 'ledger_difference', null),
  defaultRule('Payment for a closed workspace', 'payment_after_closing', null),
];
