import { definedFields } from '../lib/defined-fields.ts';
import type { ProjectSettings } from '../accounts/projects.ts';
import { parseUsd, type NanoUsd } from '../domain/money.ts';
import type { PostingRequest } from '../ledger/postings.ts';
import { assert } from '../lib/assert.ts';
import type { ProjectUpdate } from './accounts/account-contract.ts';
import type { PostingCreation } from './ledger/ledger-contract.ts';

// Converts the fields of a request to settings. An omitted field stays omitted, which differs from null.

/** The amount of a field that the contract has validated. */
export function checkedUsd(text: string): NanoUsd {
  const amount = parseUsd(text);
  assert(amount !== null, 'an amount that the contract accepted is a decimal');
  return amount;
}

/** Like `checkedUsd`, for a limit, which may be null or omitted. */
export function checkedLimit(text: string | null | undefined): NanoUsd | null | undefined {
  return text === null || text === undefined ? text : checkedUsd(text);
}

/** The requested posting. Its kind decides whether the amount adds credit or takes it back. */
export function requestedPosting(given: PostingCreation): Pick<PostingRequest, 'kind' | 'amount' | 'reason' | 'once'> {
  const { kind, reason, once = null } = given;
  const amount = checkedUsd(given.amount_usd);
  const takes = kind === 'refund' || (kind === 'dispute' && given.won !== true);
  return { kind, amount: takes ? -amount : amount, reason, once };
}

/** The project settings of the request. */
export function requestedSettings(given: ProjectUpdate): Partial<ProjectSettings> {
  const settings: { [Setting in keyof ProjectSettings]: ProjectSettings[Setting] | undefined } = {
    name: given.name,
    requestsPerMinute: given.requests_per_minute,
    tokensPerMinute: given.tokens_per_minute,
    concurrency: given.concurrency,
    budget: checkedLimit(given.budget_usd),
    budgetPeriod: given.budget_period,
    models: given.models,
    memberKeySpendLimit: checkedLimit(given.member_key_spend_limit_usd),
    memberKeysMax: given.member_keys_max,
    reportsCost: given.report_cost,
  };
  return definedFields(settings);
}
