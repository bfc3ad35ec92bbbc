import { TOKEN_CLASSES } from '../../domain/usage.ts';

// What a receipt cost the provider of its route. A receipt names the route that served the request; usage of its attempts that
// was charged is in its own.

const TOKENS = TOKEN_CLASSES.map((tokenClass) => `${tokenClass}_tokens`).join(', ');

/** SQL that joins its cost to a receipt: no row if it is not known. */
export const RECEIPT_COST = `
  left join lateral receipt_cost(model, provider, upstream_model, admitted_at, ${TOKENS}, uses, service_tier) as provider_cost on true`;

/** What one receipt adds to the columns of costs. */
export const RECEIPT_COST_SUMS: Readonly<Record<string, string>> = {
  cost_nano_usd: 'coalesce(provider_cost.cost_nano_usd, 0)',
  costed_requests: '(provider_cost.cost_nano_usd is not null)::integer',
};
