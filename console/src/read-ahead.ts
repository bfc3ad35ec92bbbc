import type { QueryClient } from '@tanstack/react-query';
import { meQuery } from './api/account.ts';
import { type KeySearch, keysQuery, listingOf } from './api/keys.ts';
import { overviewQuery } from './api/overview.ts';
import { usageQuery } from './api/usage.ts';
import { questionOf, timeOf, type UsageSearch } from './pages/usage/usage-search.ts';
import { whyNot } from './session/access.ts';

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

export function readAheadOfHome({ context: { queries }, params: { workspace }, cause }: Entered): void {
  if (cause === 'enter') begin(queries.query(overviewQuery(workspace)));
}

export function readAheadOfKeys({
  context: { queries },
  params: { workspace },
  search,
  cause,
}: Entered & { readonly search: KeySearch }): void {
  const me = queries.getQueryData(meQuery.queryKey);
  if (cause !== 'enter' || me === undefined) return;
  if (whyNot(me, workspace, { permission: 'keys:read', action: 'see keys' }) !== null) return;
  begin(queries.infiniteQuery(keysQuery(workspace, listingOf(search, me.user.id))));
}

export function readAheadOfUsage({
  context: { queries },
  params: { workspace },
  search,
  cause,
}: Entered & { readonly search: UsageSearch }): void {
  if (cause === 'enter') begin(queries.query(usageQuery(workspace, questionOf(search, timeOf(search, Date.now())))));
}
