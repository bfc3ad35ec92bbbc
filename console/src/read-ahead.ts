import type { QueryClient } from '@tanstack/react-query';
import type { MeJson } from '../../src/control/admin/identity/identity-contract.ts';
import { meQuery } from './api/account.ts';
import { type KeySearch, keysQuery, listingOf } from './api/keys.ts';
import { overviewQuery } from './api/overview.ts';
import { usageQuery } from './api/usage.ts';
import { questionOf, timeOf, type UsageSearch } from './pages/usage/usage-search.ts';
import { whyNot, withheldFrom } from './session/access.ts';

// What pages with long answers ask for as soon as somebody goes to them, while their code is still loaded. They find the
// answer, or wait for it, under the same query.

interface Entered {
  readonly context: { readonly queries: QueryClient };
  readonly params: { readonly workspace: string };
  /** "stay" where a page that is shown already has changed its address. */
  readonly cause: 'enter' | 'stay' | 'preload';
}

/** A failure is the page's to show: it asks again. */
function begin(...readings: readonly Promise<unknown>[]): void {
  for (const reading of readings) reading.catch(() => undefined);
}

/** The signed-in user who goes to a page of the workspace; null if it is shown already, or not to them. */
function visitorOf({ context: { queries }, params: { workspace }, cause }: Entered): MeJson | null {
  const me = queries.getQueryData(meQuery.queryKey);
  return cause !== 'enter' || me === undefined || withheldFrom(me, workspace) !== undefined ? null : me;
}

export function readAheadOfHome(entered: Entered): void {
  const { context, params } = entered;
  if (visitorOf(entered) !== null) begin(context.queries.query(overviewQuery(params.workspace)));
}

export function readAheadOfKeys(entered: Entered & { readonly search: KeySearch }): void {
  const { context, params, search } = entered;
  const me = visitorOf(entered);
  if (me === null || whyNot(me, params.workspace, { permission: 'keys:read', action: 'see keys' }) !== null) return;
  begin(context.queries.infiniteQuery(keysQuery(params.workspace, listingOf(search, me.user.id))));
}

export function readAheadOfUsage(entered: Entered & { readonly search: UsageSearch }): void {
  const { context, params, search } = entered;
  if (visitorOf(entered) === null) return;
  const question = questionOf(search, timeOf(search, Date.now()));
  begin(context.queries.query(usageQuery(params.workspace, question)));
}
