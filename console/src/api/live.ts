import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveEvent, LiveEventName } from '../../../src/control/admin/live/live-contract.ts';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { meQuery } from './account.ts';
import { addressOfApi } from './client.ts';
import { lastRequestQuery, latestReceiptsQuery } from './home.ts';
import { Resting } from './resting.ts';
import { workspaceQuery } from './workspaces.ts';

// What changes in a workspace, as the server reports it: one stream of events for each page that is looked at. Hidden pages
// have none, because browsers keep only a few connections to a server, over all tabs.

type DataOf<Name extends LiveEventName> = Extract<LiveEvent, { readonly name: Name }>['data'];

/** Under steady traffic, what an event makes stale is read again after this long at the earliest. */
const REST_MS = 5_000;
/** A request is settled this long before its charge is seen, at the most. */
const SETTLING_MS = 1_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** What each event makes stale, below the workspace's key. */
const STALE: Readonly<Record<LiveEventName, readonly string[]>> = {
  balance: ['credit'],
  request: ['receipts', 'usage', 'key', 'project'],
  payment: ['top-ups', 'credit'],
  alert: ['alerts', 'attention'],
  key: ['keys', 'key', 'attention'],
};

/** Keeps the workspace's queries up to date as long as the page is looked at; returns how to end it. */
export function listenToWorkspace(queries: QueryClient, workspace: string): () => void {
  const shown = workspaceQuery(workspace);
  const below = (area: string): QueryKey => ['workspace', workspace, area];
  const resting = new Resting(REST_MS);
  const beganMs = performance.now();
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let retryMs = RETRY_MS;
  let isFirst = true;

  const opened = (): void => {
    retryMs = RETRY_MS;
    // What happened between two streams is in neither.
    if (!isFirst) void queries.invalidateQueries({ queryKey: ['workspace', workspace] });
    isFirst = false;
  };
  const failed = (): void => {
    // The browser comes back by itself unless the server refused.
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    retry = setTimeout(open, retryMs);
    retryMs = Math.min(RETRY_MS_MAX, retryMs * 2);
  };
  /** Whether the page may have been read before this request was charged. */
  const isMissed = ({ request_id: requestId, age_ms: ageMs }: DataOf<'request'>): boolean => {
    const known = queries.getQueryData(latestReceiptsQuery(workspace).queryKey);
    if (known !== undefined) return !known.data.some(({ request_id: id }) => id === requestId);
    return ageMs < performance.now() - beganMs + SETTLING_MS;
  };
  const markStale = (name: LiveEventName): void => {
    resting.run(name, () => {
      for (const area of STALE[name]) void queries.invalidateQueries({ queryKey: below(area) });
    });
  };
  function open(): void {
    if (document.hidden || source !== null) return;
    source = new EventSource(addressOfApi('GET /workspaces/{workspace}/events', { workspace }));
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    /** Events that were received on this stream: it begins with how things stand, which is no change. */
    const received = new Set<LiveEventName>();
    const listen = <Name extends LiveEventName>(name: Name, isChange: (data: DataOf<Name>) => boolean): void => {
      source?.addEventListener(name, (event: MessageEvent<string>) => {
        if (isChange(JSON.parse(event.data) as DataOf<Name>)) markStale(name);
        received.add(name);
      });
    };
    listen('balance', (balance) => {
      const former = queries.getQueryData(shown.queryKey);
      if (former !== undefined) queries.setQueryData(shown.queryKey, { ...former, ...balanceOf(balance) });
      // What a posting adds to the credit is not in the event.
      const isRaised = BigInt(balance.balance_nano_usd) > BigInt(former?.balance_nano_usd ?? balance.balance_nano_usd);
      if (isRaised) void queries.invalidateQueries({ ...shown, exact: true });
      return received.has('balance');
    });
    listen('request', (request) => {
      queries.setQueryData(lastRequestQuery(workspace).queryKey, request);
      if (!received.has('request') && !request.is_first) return isMissed(request);
      // Roles without the right to credit get no event of the balance, but see it.
      if (!received.has('balance')) {
        resting.run('workspace', () => void queries.invalidateQueries({ ...shown, exact: true }));
      }
      return true;
    });
    for (const name of ['payment', 'alert', 'key'] as const) listen(name, () => true);
  }
  function close(): void {
    clearTimeout(retry);
    source?.close();
    source = null;
  }
  const look = (): void => (document.hidden ? close() : open());

  open();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
    resting.end();
  };
}

/** What of the event is a workspace's. */
function balanceOf(event: DataOf<'balance'>): Partial<WorkspaceJson> {
  const parts = ['balance', 'held', 'leased', 'owed'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => [
      [`${part}_nano_usd`, event[`${part}_nano_usd`]],
      [`${part}_usd`, event[`${part}_usd`]],
    ]),
  );
}
