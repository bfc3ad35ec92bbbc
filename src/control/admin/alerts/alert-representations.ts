import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
import type { RuleSettings } from '../../alerts/alert-kinds.ts';
import type { AlertKind } from '../../../domain/alert-kinds.ts';
import type { AlertRule, RuleChange } from '../../alerts/alert-rules.ts';
import type { Alert } from '../../alerts/alerts.ts';
import type { Delivery } from '../../alerts/deliveries.ts';
import type { RuleSubject } from '../../alerts/rule-subjects.ts';
import type { WebhookEndpoint } from '../../alerts/webhook-endpoints.ts';
import { checkedUsd, formatUsd, type NanoUsd } from '../../../domain/money.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import type * as contract from './alert-contract.ts';

// Alerts, webhooks and deliveries as they go out, and rules as they come in.

type ThresholdFields = Pick<contract.AlertRuleUpdate, 'threshold_usd' | 'percent' | 'days'>;

/** The one field that holds the threshold of each kind; null: it has none. */
const FIELDS: Readonly<Record<AlertKind, keyof ThresholdFields | null>> = {
  balance_below: 'threshold_usd',
  balance_share: 'percent',
  runway: 'days',
  project_budget: 'percent',
  key_limit: 'percent',
  auto_top_up_stopped: null,
  payment_after_closing: null,
  provider_key_refused: null,
  ledger_difference: null,
};

/** The requested threshold of a rule of this kind; undefined if none is given. Refused if it is another kind's. */
function requestedThreshold(kind: AlertKind, given: ThresholdFields): bigint | undefined | Refusal {
  const field = FIELDS[kind];
  const names = ['threshold_usd', 'percent', 'days'] as const;
  const other = names.find((name) => name !== field && given[name] !== undefined);
  if (other !== undefined) {
    return refuse('INVALID_REQUEST', `Rules of the kind ${kind} take ${field ?? 'no threshold'}.`, { param: other });
  }
  const value = field === null ? undefined : given[field];
  if (value === undefined) return undefined;
  return typeof value === 'string' ? checkedUsd(value) : BigInt(value);
}

/** The settings of a rule that is to be created. */
export function requestedRule(given: contract.AlertRuleCreation): RuleSettings | Refusal {
  const { name, kind, subject_id: subjectId = null, mail_roles: mailRoles = [], mail_to: mailTo = [] } = given;
  const threshold = requestedThreshold(kind, given);
  if (typeof threshold === 'object') return threshold;
  const field = FIELDS[kind];
  if (threshold === undefined && field !== null) {
    return refuse('INVALID_REQUEST', `Rules of the kind ${kind} take ${field}.`, { param: field });
  }
  return { name, kind, threshold: threshold ?? null, subjectId, mailRoles, mailTo, enabled: given.enabled ?? true };
}

/** The change of a rule of this kind. */
export function requestedRuleChange(kind: AlertKind, given: contract.AlertRuleUpdate): RuleChange | Refusal {
  const threshold = requestedThreshold(kind, given);
  if (typeof threshold === 'object') return threshold;
  const { name, mail_roles: mailRoles, mail_to: mailTo, enabled } = given;
  const change = { name, threshold, mailRoles, mailTo, enabled };
  return definedFields(change);
}

/** `subjects` has the project or key of the rule, if it is about one. */
export function alertRuleJson(
  rule: AlertRule,
  subjects: ReadonlyMap<string, RuleSubject>,
): z.output<typeof contract.alertRule> {
  const { id, name, kind, threshold, subjectId, mailRoles, mailTo, enabled, version, createdAt } = rule;
  const field = FIELDS[kind];
  const count = (of: keyof ThresholdFields): number | null => (field === of ? Number(threshold) : null);
  return {
    id,
    name,
    kind,
    ...amounts('threshold', field === 'threshold_usd' ? threshold : null),
    percent: count('percent'),
    days: count('days'),
    subject_id: subjectId,
    subject_name: subjectId === null ? null : (subjects.get(subjectId)?.name ?? null),
    mail_roles: [...mailRoles],
    mail_to: [...mailTo],
    enabled,
    version,
    created_at: createdAt.toISOString(),
  };
}

export function alertJson(alert: Alert): contract.AlertJson {
  const { id, ruleId, kind, subjectKind, subjectId, subjectName, summary, value, limit, url } = alert;
  const { raisedAt, resolvedAt } = alert;
  return {
    id,
    rule_id: ruleId,
    kind,
    subject: { kind: subjectKind, id: subjectId, name: subjectName },
    summary,
    ...amounts('value', value),
    ...amounts('limit', limit),
    url,
    raised_at: raisedAt.toISOString(),
    resolved_at: resolvedAt?.toISOString() ?? null,
  };
}

export function webhookJson(endpoint: WebhookEndpoint): contract.WebhookJson {
  const { id, url, description, enabled, version, createdAt, formerUntil } = endpoint;
  return {
    id,
    url,
    description,
    enabled,
    version,
    created_at: createdAt.toISOString(),
    former_secret_until: formerUntil?.toISOString() ?? null,
  };
}

export function deliveryJson(delivery: Delivery): contract.DeliveryJson {
  const { id, channel, recipient, subject, endpointId, state, attempts } = delivery;
  const { createdAt, nextAttemptAt, finishedAt, lastError, lastStatus } = delivery;
  return {
    id,
    channel,
    recipient,
    subject,
    webhook_id: endpointId,
    state,
    attempts,
    created_at: createdAt.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    last_error: lastError,
    last_status: lastStatus,
  };
}

type Amounts<Name extends string> = { [Field in `${Name}_nano_usd` | `${Name}_usd`]: string | null };

/** The two fields of an amount that there may be none of. */
function amounts<Name extends string>(name: Name, amount: NanoUsd | null): Amounts<Name> {
  const fields = {
    [`${name}_nano_usd`]: amount?.toString() ?? null,
    [`${name}_usd`]: amount === null ? null : formatUsd(amount),
  };
  return fields as Amounts<Name>;
}
