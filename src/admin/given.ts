import type { ProjectSettings } from '../accounts/projects.ts';
import { parseUsd, type NanoUsd } from '../domain/money.ts';
import type { PostingRequest } from '../ledger/postings.ts';
import { assert } from '../lib/assert.ts';
import type { ProjectUpdate } from './contract.ts';
import type { PostingCreation } from './ledger-contract.ts';

// How the wire's fields become settings. A field that was left out stays out, which is not the same as null.

/** The amount of a field that the contract has checked. */
export function givenUsd(text: string): NanoUsd {
  const amount = parseUsd(text);
  assert(amount !== null, 'an amount that the contract let pass is a decimal');
  return amount;
}

/** The same for a limit, which may be null or left out. */
export function givenLimit(text: string | null | undefined): NanoUsd | null | undefined {
  return text === null || text === undefined ? text : givenUsd(text);
}

/** The posting that was asked for: its kind says whether its amount gives credit or takes it. */
export function givenPosting(given: PostingCreation): Pick<PostingRequest, 'kind' | 'amount' | 'reason' | 'once'> {
  const { kind, reason, once = null } = given;
  const amount = givenUsd(given.amount_usd);
  const takes = kind === 'refund' || (kind === 'dispute' && given.won !== true);
  return { kind, amount: takes ? -amount : amount, reason, once };
}

/** The project settings that were given. */
export function givenProject(given: ProjectUpdate): Partial<ProjectSettings> {
  const settings: { [Setting in keyof ProjectSettings]: ProjectSettings[Setting] | undefined } = {
    name: given.name,
    requestsPerMinute: given.requests_per_minute,
    tokensPerMinute: given.tokens_per_minute,
    concurrency: given.concurrency,
    budget: givenLimit(given.budget_usd),
    budgetPeriod: given.budget_period,
    models: given.models,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
