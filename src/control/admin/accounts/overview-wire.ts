import { ok } from '../answers.ts';
import { overview, overviewQuery } from './overview-contract.ts';

/** Requests and answers of the operations on the overview of a workspace. */
export const overviewWire = {
  showOverview: {
    query: overviewQuery,
    responses: ok(
      overview,
      'Limits nearly used up, keys about to expire, open alerts, and how many requests were refused.',
    ),
  },
};
