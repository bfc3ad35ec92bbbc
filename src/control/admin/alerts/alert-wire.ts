import * as contract from './alert-contract.ts';
import { created, json, ok } from '../answers.ts';
import { pageOf, pageQuery } from '../pages.ts';

export const alertQuery = pageQuery.extend(contract.alertFilter);
const rulesAnswer = ok(pageOf(contract.alertRule), 'The rules, oldest first.');
const ruleAnswer = ok(contract.alertRule, 'The rule.');
const alertsAnswer = ok(pageOf(contract.alert), 'Alerts of the last 400 days, newest first.');

/** Requests and answers of the operations on alerts and their rules. */
export const alertWire = {
  listAlertRules: { query: pageQuery, responses: rulesAnswer },
  createAlertRule: {
    body: json(contract.alertRuleCreation, {
      name: 'Credit is low',
      kind: 'balance_below',
      threshold_usd: '20.00',
      mail_roles: ['owner', 'billing'],
    }),
    responses: created(contract.alertRule, 'The new rule.'),
  },
  updateAlertRule: { body: json(contract.alertRuleUpdate, { enabled: false }), responses: ruleAnswer },
  deleteAlertRule: { responses: ok(contract.alertRule, 'The deleted rule.') },
  listAlerts: { query: alertQuery, responses: alertsAnswer },
  listInstanceAlertRules: { query: pageQuery, responses: rulesAnswer },
  updateInstanceAlertRule: { body: json(contract.alertRuleUpdate, { enabled: false }), responses: ruleAnswer },
  listInstanceAlerts: { query: alertQuery, responses: alertsAnswer },
};
