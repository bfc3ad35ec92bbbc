import { expect, test } from 'vitest';
import type { ClaimedNotice } from './outbox-store.ts';
import { type SendLane, sendLanes } from './send-lane.ts';

function lanes() {
  const [mail, webhook, slow] = sendLanes();
  if (mail === undefined || webhook === undefined || slow === undefined) throw new Error('there are three lanes');
  return { mail, webhook, slow };
}

const claimed = (owner: string, receiver: string): ClaimedNotice => ({
  owner,
  receiver,
  notice: {
    channel: 'webhook',
    workspaceId: owner,
    id: `${owner} ${receiver}`,
    attempt: 1,
    giveUpAt: new Date(0),
    url: receiver,
    body: '',
    secrets: [],
  },
});

/** Begins and ends a notice that takes so long. */
function send(lane: SendLane, receiver: string, durationMs: number): void {
  const each = claimed('somebody', receiver);
  lane.began(each);
  lane.ended(each, durationMs);
}

test('a lane sends eight notices at a time, and one of slow receivers four', () => {
  const { mail, webhook, slow } = lanes();
  expect([mail, webhook].map((lane) => lane.request())).toEqual(
    ['mail', 'webhook'].map((channel) => ({ channel, most: 8, exceptOwners: [], exceptReceivers: [] })),
  );
  send(webhook, 'slow', 2_000);
  for (const [lane, places] of [
    [mail, 8],
    [webhook, 8],
    [slow, 4],
  ] as const) {
    for (let count = 0; count < places; count++) {
      expect([lane.isOpen, lane.request().most]).toEqual([true, places - count]);
      lane.began(claimed(`owner ${count}`, `receiver ${count}`));
    }
    expect([lane.isOpen, lane.request().most]).toEqual([false, 0]);
  }
});

test('an owner has one notice in a round, and two in progress; a receiver has one', () => {
  const { mail } = lanes();
  const [first, second] = [claimed('a', 'x'), claimed('a', 'y')];
  expect(mail.beginRound()).toBe(false);
  mail.began(first);
  expect(mail.request()).toMatchObject({ exceptOwners: ['a'], exceptReceivers: ['x'] });
  expect(mail.beginRound()).toBe(true);
  expect(mail.beginRound()).toBe(false);
  expect(mail.request()).toMatchObject({ exceptOwners: [], exceptReceivers: ['x'] });
  mail.began(second);
  mail.beginRound();
  expect(mail.request()).toMatchObject({ exceptOwners: ['a'], exceptReceivers: ['x', 'y'] });
  mail.ended(first, 9_999);
  expect(mail.request()).toEqual({ channel: 'mail', most: 7, exceptOwners: [], exceptReceivers: ['y'] });
});

test('a receiver that takes two seconds is served by the lane of slow ones, until it takes less', () => {
  const { webhook, slow } = lanes();
  expect(slow.isOpen).toBe(false);
  send(webhook, 'quick', 1_999);
  expect([slow.isOpen, webhook.request().exceptReceivers]).toEqual([false, []]);
  send(webhook, 'one', 2_000);
  send(webhook, 'two', 5_000);
  expect(webhook.request().exceptReceivers).toEqual(['one', 'two']);
  expect(slow.request()).toEqual({ channel: 'webhook', most: 4, exceptOwners: [], receivers: ['one', 'two'] });
});

test('the lane of slow receivers takes each once at a time, and forgets those that have become quick', () => {
  const { webhook, slow } = lanes();
  send(webhook, 'one', 2_000);
  send(webhook, 'two', 2_000);
  const one = claimed('a', 'one');
  slow.began(one);
  expect(slow.request()).toMatchObject({ receivers: ['two'] });
  slow.ended(one, 10);
  expect(slow.request()).toMatchObject({ receivers: ['two'] });
  expect(webhook.request().exceptReceivers).toEqual(['two']);
});
