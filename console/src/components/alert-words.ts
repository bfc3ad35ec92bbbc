import type { AlertJson, AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import type { AlertOwner } from '../api/alerts.ts';
import { capitalized } from '../format/capitalized.ts';
import { formatMoneyExactly } from '../format/money.ts';
import { paths } from '../paths.ts';
import { ROLE_WORDS } from '../session/access.ts';
import type { AttentionAction } from './attention-items.tsx';

// Alerts and their rules in words.

export type AlertKind = AlertRuleJson['kind'];

/** What a rule says: its threshold and whom it is about. */
export type RuleTerms = Pick<AlertRuleJson, 'kind' | 'threshold_nano_usd' | 'percent' | 'days' | 'subject_id'> & {
  readonly subject_name: string | null;
};

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** When a rule alerts: "the balance is below $20.00". */
export function conditionOf({ kind, threshold_nano_usd: amount, percent, days, ...about }: RuleTerms): string {
  const { subject_id: id, subject_name: name } = about;
  switch (kind) {
    case 'balance_below':
      return `the balance is below ${formatMoneyExactly(amount ?? '0')}`;
    case 'balance_share':
      return `the balance is below ${percent} % of the last top-up or grant`;
    case 'runway':
      return `the balance lasts for fewer than ${days} ${days === 1 ? 'day' : 'days'}`;
    case 'project_budget':
      return `${id === null ? 'a project' : `the project ${name ?? 'that is gone'}`} has used ${used(percent)} of its budget`;
    case 'key_limit':
      return `${id === null ? 'a key' : `the key ${name ?? 'that is gone'}`} has used ${used(percent)} of its limit`;
    case 'member_limit':
      return `a member has used ${used(percent)} of their monthly limit`;
    case 'end_user_limit':
    case 'session_limit':
      return `${kind === 'end_user_limit' ? 'an end user' : 'a session'} of ${id === null ? 'a project' : `the project ${name ?? 'that is gone'}`} has used ${used(percent)} of the limit`;
    case 'auto_top_up_stopped':
      return 'automatic top-ups have stopped';
    case 'payment_after_closing':
      return 'a payment came for a closed workspace';
    case 'provider_key_refused':
      return 'a provider refuses its API key';
    case 'ledger_difference':
      return 'the ledger does not add up';
  }
}

/** What is counted as used up is the last percent too: no request fits into it. */
const used = (percent: number | null): string => (percent === 100 ? 'all' : `${percent} %`);

/** The same as a sentence. */
export function conditionSentence(rule: RuleTerms): string {
  const text = conditionOf(rule);
  return capitalized(text);
}

/** When a rule that has alerted can alert again. */
export function rearmedWhen(kind: AlertKind): string {
  switch (kind) {
    case 'balance_below':
    case 'balance_share':
    case 'runway':
      return 'It alerts again only after the balance has been 10 % above that.';
    case 'project_budget':
    case 'end_user_limit':
    case 'session_limit':
      return 'It alerts again in the next window, or after 5 percentage points were free again.';
    case 'key_limit':
    case 'member_limit':
      return 'It alerts again in the next month, or after 5 percentage points were free again.';
    case 'auto_top_up_stopped':
      return 'It alerts again once they go on and stop another time.';
    case 'payment_after_closing':
      return 'Each such payment is an alert.';
    case 'provider_key_refused':
      return 'It alerts again after ten minutes without a refusal.';
    case 'ledger_difference':
      return 'It alerts again after a proof that found no difference.';
  }
}

/** The recipients of its mails: "owners, admins and ops@example.com"; null: none. */
export function mailedTo({ mail_roles: roles, mail_to: addresses }: Pick<AlertRuleJson, 'mail_roles' | 'mail_to'>) {
  const all = [...roles.map((role) => ROLE_WORDS[role]), ...addresses];
  return all.length === 0 ? null : LIST.format(all);
}

/** The one thing that helps against what an alert is about. */
export function remedyOf(owner: AlertOwner, kind: AlertKind, subjectId: string): AttentionAction {
  if (owner === null) return operatorRemedy(kind);
  switch (kind) {
    case 'project_budget':
      return {
        label: 'Raise the budget',
        href: paths.project(owner, subjectId, { change: true }),
        needs: { permission: 'projects:write', can: 'change budgets' },
      };
    case 'key_limit':
      return {
        label: 'Raise the limit',
        href: paths.key(owner, subjectId, { change: true }),
        raises: subjectId,
      };
    case 'member_limit':
      return {
        label: 'Raise the limit',
        href: paths.members(owner, { member: subjectId }),
        needs: { permission: 'members:write', can: 'change limits of members' },
      };
    case 'end_user_limit':
    case 'session_limit':
      return {
        label: 'See the project',
        href: paths.project(owner, subjectId),
        needs: { permission: 'projects:read', can: 'see projects' },
      };
    case 'auto_top_up_stopped':
      return {
        label: 'Let top-ups go on',
        href: paths.credit(owner),
        needs: { permission: 'payments:write', can: 'change automatic top-up' },
      };
    default:
      return addCredit(owner);
  }
}

const IS_OF_PROJECT: ReadonlySet<AlertKind> = new Set(['project_budget', 'end_user_limit', 'session_limit']);

/** The page of what an alert is about; undefined if it has none. */
export function subjectHref(owner: AlertOwner, kind: AlertKind, subjectId: string): string | undefined {
  if (owner === null) return operatorSubjectHref(kind);
  if (IS_OF_PROJECT.has(kind)) return paths.project(owner, subjectId);
  if (kind === 'member_limit') return paths.members(owner, { member: subjectId });
  return kind === 'key_limit' ? paths.key(owner, subjectId) : paths.credit(owner);
}

/** The share of a budget or limit from which on requests are refused: the last percent fits hardly any. */
const USED_UP_PERCENT = 99n;

/** Whether requests are refused because of it, or soon will be; otherwise it is an early warning. */
export function isUrgent({ kind, value_nano_usd: value, limit_nano_usd: limit }: AlertJson): boolean {
  if (value === null) return true;
  if (IS_OF_PROJECT.has(kind) || kind === 'key_limit' || kind === 'member_limit') {
    return limit !== null && BigInt(value) * 100n >= BigInt(limit) * USED_UP_PERCENT;
  }
  return BigInt(value) <= 0n;
}

/** The way to more credit. */
export function addCredit(workspace: string): AttentionAction {
  return {
    label: 'Add credit',
    href: paths.credit(workspace, { add: true }),
    needs: { permission: 'payments:write', can: 'add credit' },
  };
}

function operatorSubjectHref(kind: AlertKind): string | undefined {
  if (kind === 'provider_key_refused') return paths.operatorProviders();
  return kind === 'ledger_difference' ? paths.operatorLedger() : undefined;
}

function operatorRemedy(kind: AlertKind): AttentionAction {
  switch (kind) {
    case 'provider_key_refused':
      return { label: 'See the provider', href: paths.operatorProviders() };
    case 'ledger_difference':
      return { label: 'See the proof', href: paths.operatorLedger() };
    default:
      return { label: 'See the instance', href: paths.operatorInstance() };
  }
}
