import * as contract from './alert-contract.ts';
import { created, json, ok } from '../answers.ts';
import { ofBothOwners } from '../owned-wires.ts';
import { pageOf, pageQuery } from '../pages.ts';

const rule = ok(contract.alertRule, 'The rule.');

/** Requests and answers of the operations on alerts and their rules. */
export const alertWire = {
  ...ofBothOwners({
    listAlertRules: { query: pageQuery, responses: ok(pageOf(contract.alertRule), 'The rules, oldest first.') },
    updateAlertRule: { body: json(contract.alertRuleUpdate, { enabled: false }), responses: rule },
    listAlerts: {
      query: pageQuery.extend(contract.alertFilter),
      responses: ok(pageOf(contract.alert), 'Alerts of the last 400 days, newest first.'),
    },
  }),
  createAlertRule: {
    body: json(contract.alertRuleCreation, {
      name: 'Credit is low',
      kind: 'balance_below',
      threshold_usd: '20.00',
      mail_roles: ['owner', 'billing'],
    }),
    responses: created(contract.alertRule, 'The new rule.'),
  },
  deleteAlertRule: { responses: ok(contract.alertRule, 'The deleted rule.') },
};
