import { createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './grant-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on credit that expires or recurs. */
export const grantWire = {
  listExpiringGrants: {
    query: contract.expiringGrantQuery,
    responses: ok(
      pageOf(contract.expiringGrant),
      'Grants that are not used up, in the order in which they are charged.',
    ),
  },
  createRecurringGrant: {
    body: json(contract.recurringGrantCreation, { amount_usd: '20.00', period: 'month', reason: 'plan' }),
    responses: createdOrRepeated(contract.recurringGrant, 'The recurring grant.'),
  },
  listRecurringGrants: {
    query: pageQuery,
    responses: ok(pageOf(contract.recurringGrant), 'Recurring grants, also those that have ended, newest first.'),
  },
  endRecurringGrant: {
    responses: ok(contract.recurringGrant, 'The recurring grant. One that has ended stays as it is.'),
  },
};
