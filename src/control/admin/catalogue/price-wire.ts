import { json, ok } from '../answers.ts';
import { pageOf, pageQuery } from '../pages.ts';
import * as contract from './price-contract.ts';

/** Requests and answers of the operations on what a workspace pays. */
export const priceWire = {
  listPriceAdjustments: {
    query: pageQuery,
    responses: ok(pageOf(contract.priceAdjustment), 'Adjustments, newest first.'),
  },
  adjustPrices: {
    body: json(contract.priceAdjustmentChange, { model: 'small-chat', change_percent: '-10' }),
    responses: ok(contract.priceAdjustment, 'The adjustment in force, or the one that was ended.'),
  },
};
