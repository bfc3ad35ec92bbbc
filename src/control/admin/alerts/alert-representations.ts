import { definedFields } from '../../../lib/defined-fields.ts';
import type { RuleSettings } from '../../alerts/alert-kinds.ts';
import { type AlertKind, THRESHOLD_FIELDS } from '../../../domain/alert-kinds.ts';
import type { AlertRule, RuleChange } from '../../alerts/alert-rules.ts';
import type { Alert } from '../../alerts/alerts.ts';
import type { Delivery } from '../../alerts/deliveries.ts';
import type { RuleSubject } from '../../alerts/rule-subjects.ts';
import type { WebhookEndpoint } from '../../alerts/webhook-endpoints.ts';
import { checkedUsd } from '../../../domain/money.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './alert-contract.ts';

// Alerts, webhooks and deliveries as they go out, and rules as they come in.

type ThresholdFields = Pick<contract.AlertRuleUpdate, 'threshold_usd' | 'percent' | 'days'>;

/** The requested threshold of a rule of this kind; undefined if none is given. Refused if it is another kind's. */
function requestedThreshold(kind: AlertKind, given: ThresholdFields): bigint | undefined | Refusal {
  const field = THRESHOLD_FIELDS[kind];
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
  const field = THRESHOLD_FIELDS[kind];
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
export function alertRuleJson(rule: AlertRule, subjects: ReadonlyMap<string, RuleSubject>): contract.AlertRuleJson {
  const { kind, threshold, subjectId } = rule;
  const field = THRESHOLD_FIELDS[kind];
  const count = (of: keyof ThresholdFields): number | null => (field === of ? Number(threshold) : null);
  return recordJson(contract.alertRule, {
    ...rule,
    threshold: field === 'threshold_usd' ? threshold : null,
    percent: count('percent'),
    days: count('days'),
    subjectName: subjectId === null ? null : (subjects.get(subjectId)?.name ?? null),
  });
}

export function alertJson(alert: Alert): contract.AlertJson {
  const { subjectKind, subjectId, subjectName } = alert;
  const subject = { kind: subjectKind, id: subjectId, name: subjectName };
  return recordJson(contract.alert, { ...alert, subject });
}

export function webhookJson(endpoint: WebhookEndpoint): contract.WebhookJson {
  return recordJson(contract.webhook, { ...endpoint, formerSecretUntil: endpoint.formerUntil });
}

export function deliveryJson(delivery: Delivery): contract.DeliveryJson {
  return recordJson(contract.delivery, { ...delivery, webhookId: delivery.endpointId });
}
