import { expect, test } from 'vitest';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminRefused, AdminUnreachable } from '../../../control/admin/client/send.ts';
import { followRequests, POLLED_MAX, type ReceiptSummary } from './follow-requests.ts';

/** Follows requests through one poll for each of `polls`; an error is how its poll fails. Returns what was reported. */
async function follow(polls: readonly (readonly string[] | Error)[], seen: readonly string[] = []) {
  const stop = new AbortController();
  const reported: string[] = [];
  let polled = 0;
  const following = {
    connect: () => ({}) as AdminClient,
    newest: async () => {
      const poll = polls[polled];
      polled += 1;
      if (polled >= polls.length) stop.abort();
      if (poll instanceof Error) throw poll;
      return (poll ?? []).map(aRequest);
    },
    onRequest: (each: ReceiptSummary) => void reported.push(each.request_id),
    onNotice: (sentence: string) => void reported.push(`[${sentence}]`),
    stopped: stop.signal,
    pollMs: 0,
  };
  await followRequests(following, seen.map(aRequest));
  return reported;
}

function aRequest(id: string): ReceiptSummary {
  return { request_id: id } as ReceiptSummary;
}

function refused(status: number): AdminRefused {
  return new AdminRefused(status, { message: 'no', code: 'ANY', param: null });
}

test('each new request is reported once, the oldest first, and none that was seen before', async () => {
  expect(await follow([['b', 'a'], ['d', 'c', 'b', 'a'], ['d']], ['a'])).toEqual(['b', 'c', 'd']);
});

test('a request that ends late is reported though newer ones were reported before it', async () => {
  expect(await follow([['b'], ['b', 'a']])).toEqual(['b', 'a']);
});

test('following goes on after a restart of the instance, and says once that it is away and once that it is back', async () => {
  const away = new AdminUnreachable('no instance answers');
  expect(await follow([['a'], away, refused(503), away, ['b', 'a'], ['b']])).toEqual([
    'a',
    '[the instance does not answer; it is asked again every second]',
    '[the instance answers again]',
    'b',
  ]);
});

test('following ends with a refusal that time does not cure', async () => {
  await expect(follow([refused(404), ['a']])).rejects.toThrow('no');
});

test('a gap is reported if a poll has no room for all new requests', async () => {
  const all = Array.from({ length: POLLED_MAX }, (_, index) => `r${index}`);
  const [notice, ...rest] = await follow([all]);
  expect(notice).toMatch(/^\[more than 200 new requests/);
  expect(rest).toHaveLength(POLLED_MAX);
});
