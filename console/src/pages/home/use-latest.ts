import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lastRequestQuery, latestReceiptsQuery } from '../../api/home.ts';

/** The interval of polling for the first request, in case a proxy holds back live updates. */
const LOOK_EVERY_MS = 5_000;

/** The newest receipts, the request that was charged last, and whether there was none when the page was opened. */
export function useLatest(workspace: string) {
  const latest = useQuery({
    ...latestReceiptsQuery(workspace),
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? LOOK_EVERY_MS : false),
  });
  const pushed = useQuery(lastRequestQuery(workspace)).data;
  const request = latest.data?.data[0] ?? pushed ?? null;
  return { latest, request, isNew: useIsNew(latest.data?.data.length) };
}

/** Whether there was no request when the page was opened: its first steps stay then, ticked. Null: not known yet. */
function useIsNew(count: number | undefined): boolean | null {
  const [isNew, setIsNew] = useState<boolean | null>(null);
  if (isNew === null && count !== undefined) setIsNew(count === 0);
  return isNew;
}
