import { setTimeout as delay } from 'node:timers/promises';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminRefused, AdminUnreachable } from '../../../control/admin/client/send.ts';
import { CliFailure } from '../cli-failure.ts';

type ReceiptPage = Awaited<ReturnType<AdminClient['listReceipts']>>;
export type ReceiptSummary = ReceiptPage['data'][number];

/** What following requests needs: where they are read, where they go, and when it ends. */
export interface RequestFollowing {
  /** Connects to the instance, which may have another address after a restart. @throws CliFailure */
  readonly connect: () => AdminClient;
  /** The newest requests since a time, an ISO instant, newest first. @throws AdminRefused, AdminUnreachable */
  readonly newest: (client: AdminClient, since: string) => Promise<readonly ReceiptSummary[]>;
  readonly onRequest: (request: ReceiptSummary) => void;
  /** Called with a sentence about the following itself: a gap, an instance that stopped or is back. */
  readonly onNotice: (sentence: string) => void;
  readonly stopped: AbortSignal;
  readonly pollMs: number;
}

/** The most requests that one poll reads. */
export const POLLED_MAX = 200;
/** A receipt is listed by its admission, but only once the request has ended: the longest request that is followed. */
const REQUEST_MS_MAX = 3_600_000;

/** Reports each request that is not among `seen`, within about a second, until it is stopped. */
export async function followRequests(following: RequestFollowing, seen: readonly ReceiptSummary[]): Promise<void> {
  const { connect, newest, onRequest, onNotice } = following;
  let known: ReadonlySet<string> = new Set(seen.map((each) => each.request_id));
  let isAway = false;
  while (await nextPoll(following)) {
    try {
      const found = await newest(connect(), pollStart());
      if (isAway) onNotice('the instance answers again');
      isAway = false;
      const fresh = found.filter((each) => !known.has(each.request_id));
      if (fresh.length === POLLED_MAX) onNotice(`more than ${POLLED_MAX} new requests; the older ones are not shown`);
      for (const each of fresh.toReversed()) onRequest(each);
      known = new Set(found.map((each) => each.request_id));
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) onNotice('the instance does not answer; it is asked again every second');
      isAway = true;
    }
  }
}

/** The time from which requests are read in each poll. */
export function pollStart(): string {
  return new Date(Date.now() - REQUEST_MS_MAX).toISOString();
}

/** Waits until the next poll is due. False: it was stopped. */
async function nextPoll({ stopped, pollMs }: RequestFollowing): Promise<boolean> {
  try {
    await delay(pollMs, undefined, { signal: stopped });
    return true;
  } catch (error) {
    if (stopped.aborted) return false;
    throw error;
  }
}

/** Whether an instance that is being restarted, or has lost its database for a while, fails like this. */
function isPassing(error: unknown): boolean {
  if (error instanceof AdminRefused) return error.status === 503;
  return error instanceof AdminUnreachable || error instanceof CliFailure;
}
