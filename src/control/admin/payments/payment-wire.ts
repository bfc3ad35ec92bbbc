import { createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './payment-contract.ts';
import { pageOf } from '../pages.ts';

/** Requests and answers of the operations on top-ups, payment settings and redemptions. */
export const paymentWire = {
  createTopUp: {
    body: json(contract.topUpCreation, { amount_usd: '25.00' }),
    responses: createdOrRepeated(contract.topUp, 'The top-up. It gives credit once its payment has arrived.'),
  },
  listTopUps: { query: contract.topUpQuery, responses: ok(pageOf(contract.topUp), 'Top-ups, newest first.') },
  showTopUp: { responses: ok(contract.topUp, 'The top-up.') },
  refundTopUp: {
    body: json(contract.refundCreation, { amount_usd: '5.00' }),
    responses: ok(contract.topUp, 'The top-up. What is refunded and spent already is owed.'),
  },
  redeemCode: {
    body: json(contract.redemption, { code: 'fgc_example' }),
    responses: createdOrRepeated(contract.topUp, 'The paid top-up.'),
  },
  showPaymentSettings: { responses: ok(contract.paymentSettings, 'The settings.') },
  updatePaymentSettings: {
    body: json(contract.paymentSettingsUpdate, {
      enabled: true,
      threshold_usd: '10.00',
      amount_usd: '25.00',
      month_max_usd: '100.00',
      consent: true,
    }),
    responses: ok(contract.paymentSettings, 'The settings.'),
  },
  listPayments: { query: contract.topUpQuery, responses: ok(pageOf(contract.topUp), 'Top-ups, newest first.') },
};
