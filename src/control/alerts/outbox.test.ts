import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { retryDelayMs } from './back-off.ts';
import { type OutgoingMail, queueMail } from './mail-queue.ts';
import type { Notice, SendResult } from './notice.ts';
import { INSTANCE_ID } from './notice-owner.ts';
import { Outbox } from './outbox.ts';
import { claimNotices, pruneNotices, recordResult } from './outbox-store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());
beforeEach(() => db.database.query('delete from notices'));

/** Longer than anything takes, however busy the machine is. */
const AWAITED = { timeout: 15_000 };
const ONE_MAIL = { channel: 'mail', most: 1 } as const;
const SENT: SendResult = { kind: 'sent', status: 200 };
const FAILED: SendResult = { kind: 'failed', reason: 'it answered 500', status: 500, retryAfterMs: 0 };

const mail = (more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  to: 'ada@example.com',
  subject: 'A subject',
  text: 'A text',
  once: randomUUID(),
  ...more,
});

interface TestOutbox {
  readonly outbox: Outbox;
  readonly sent: Notice[];
  readonly givenUp: string[];
  readonly faults: unknown[];
}

function outboxWith(send: (notice: Notice) => SendResult | Promise<SendResult>, clock = new ManualClock()): TestOutbox {
  const sent: Notice[] = [];
  const givenUp: string[] = [];
  const faults: unknown[] = [];
  const sender = async (notice: Notice): Promise<SendResult> => {
    sent.push(notice);
    return send(notice);
  };
  const outbox = new Outbox({
    sql: db.control,
    clock,
    senders: { mail: sender, webhook: sender },
    random: () => 0.5,
    onGivenUp: (_notice, reason) => givenUp.push(reason),
    onFault: (fault) => faults.push(fault),
  });
  return { outbox, sent, givenUp, faults };
}

async function lookUntilIdle({ outbox }: TestOutbox): Promise<void> {
  await outbox.look();
  await outbox.idle();
}

const makeDue = (): Promise<unknown> =>
  db.database.query("update notices set next_attempt_at = now() where state = 'waiting'");

async function states(): Promise<readonly { state: string; attempts: number; body: string | null }[]> {
  return await db.database.query('select state, attempts, body from notices order by id');
}

test('a mail that was queued is sent once, with its content', async () => {
  await queueMail(db.control, mail({ html: '<p>A text</p>' }));
  const box = outboxWith(() => SENT);
  await lookUntilIdle(box);
  await lookUntilIdle(box);
  expect(box.sent).toMatchObject([
    { channel: 'mail', to: 'ada@example.com', subject: 'A subject', text: 'A text', html: '<p>A text</p>', attempt: 1 },
  ]);
  expect(await states()).toMatchObject([{ state: 'sent', attempts: 1, body: 'A text' }]);
});

test('a mail that is queued in a transaction which is rolled back is never sent', async () => {
  const work = db.control.transaction(async (tx) => {
    await queueMail(tx, mail());
    throw new Error('the change failed');
  });
  await expect(work).rejects.toThrow('the change failed');
  expect(await states()).toEqual([]);
});

test('a mail is queued once under its name, however often its sender repeats it', async () => {
  const repeated = mail();
  await queueMail(db.control, repeated);
  await queueMail(db.control, { ...repeated, subject: 'Another' });
  expect(await states()).toHaveLength(1);
});

test('the subject of a mail is one line, whatever is written into it', async () => {
  await queueMail(db.control, mail({ subject: 'Hello\r\nBcc: eve@example.com\u0000' }));
  const box = outboxWith(() => SENT);
  await lookUntilIdle(box);
  expect(box.sent).toMatchObject([{ subject: 'Hello Bcc: eve@example.com' }]);
});

test.each([
  'a@b@c',
  'a b@example.com',
  'a@example.com,b@example.com',
  'a@example.com\r\nBcc: b',
  '<a@example.com>',
  '',
])('a mail is not queued to %j, which is no single address', async (to) => {
  await expect(queueMail(db.control, mail({ to }))).rejects.toThrow('one address');
});

test('a notice that fails is tried again later under the same id, until it is received', async () => {
  await queueMail(db.control, mail());
  const box = outboxWith(({ attempt }) => (attempt < 3 ? FAILED : SENT));
  await lookUntilIdle(box);
  await lookUntilIdle(box);
  expect(box.sent).toHaveLength(1);
  for (let look = 0; look < 4; look++) {
    await makeDue();
    await lookUntilIdle(box);
  }
  expect(box.sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(new Set(box.sent.map(({ id }) => id)).size).toBe(1);
  expect(await states()).toMatchObject([{ state: 'sent' }]);
  expect(box.givenUp).toEqual([]);
});

test('a notice is given up after a day, and that is reported once', async () => {
  await queueMail(db.control, mail());
  await db.database.query("update notices set give_up_at = now() + interval '10 seconds'");
  const box = outboxWith(() => FAILED);
  await lookUntilIdle(box);
  await makeDue();
  await lookUntilIdle(box);
  expect(box.givenUp).toEqual(['it answered 500']);
  expect(await states()).toMatchObject([{ state: 'given_up', attempts: 1 }]);
});

test('a notice that its receiver will never take is given up at its first attempt', async () => {
  await queueMail(db.control, mail());
  const box = outboxWith(() => ({ kind: 'rejected', reason: 'no such mailbox', status: 550 }));
  await lookUntilIdle(box);
  expect(box.givenUp).toEqual(['no such mailbox']);
  expect(await states()).toMatchObject([{ state: 'given_up' }]);
});

test.each([
  ['sent', SENT],
  ['given up', { kind: 'rejected', reason: 'no', status: null } as const],
])('a secret mail keeps no content once it is %s', async (_outcome, result) => {
  await queueMail(db.control, mail({ isSecret: true, html: '<p>link</p>' }));
  const box = outboxWith(() => result);
  await lookUntilIdle(box);
  expect(box.sent).toMatchObject([{ text: 'A text' }]);
  const rows = await db.database.query('select body, html from notices');
  expect(rows).toEqual([{ body: null, html: null }]);
});

test('a notice is sent by one of several processes that look at the same time', async () => {
  for (let count = 0; count < 30; count++) await queueMail(db.control, mail({ workspaceId: randomUUID() }));
  const boxes = [1, 2, 3].map(() => outboxWith(() => SENT));
  while ((await states()).some(({ state }) => state === 'waiting')) await Promise.all(boxes.map(lookUntilIdle));
  const ids = boxes.flatMap(({ sent }) => sent.map(({ id }) => id));
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
});

test('a notice whose process died while it was sent is sent again once its claim has lapsed, under the same id', async () => {
  await queueMail(db.control, mail());
  const [claimed] = await claimNotices(db.control, ONE_MAIL);
  const box = outboxWith(() => SENT);
  await lookUntilIdle(box);
  expect(box.sent).toEqual([]);
  await makeDue();
  await lookUntilIdle(box);
  expect(box.sent).toMatchObject([{ id: claimed?.notice.id, attempt: 2 }]);
});

test('a failure that is reported after its claim has lapsed changes nothing, and a success still counts', async () => {
  await queueMail(db.control, mail());
  const [first] = await claimNotices(db.control, ONE_MAIL);
  await makeDue();
  const [second] = await claimNotices(db.control, ONE_MAIL);
  if (first === undefined || second === undefined) throw new Error('it was claimed twice');
  expect(await recordResult(db.control, first.notice, { kind: 'rejected', reason: 'late', status: null }, 0)).toBe(
    false,
  );
  expect(await states()).toMatchObject([{ state: 'waiting', attempts: 2 }]);
  await recordResult(db.control, first.notice, SENT, 0);
  await recordResult(db.control, second.notice, FAILED, 0);
  expect(await states()).toMatchObject([{ state: 'sent' }]);
});

/** Webhooks to endpoints that don't exist, which an outbox sends all the same. */
async function queueForEndpoints(workspaceId: string, endpointIds: readonly string[]): Promise<void> {
  await db.database.query(
    `insert into notices (workspace_id, id, channel, endpoint_id, recipient, body)
     select $1, gen_random_uuid(), 'webhook', endpoint, 'https://hooks.example/' || endpoint, '{}'
     from unnest($2::uuid[]) endpoint`,
    [workspaceId, endpointIds],
  );
}

const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('slow receivers of one workspace leave room for the notices of others', async () => {
  const slow = randomUUID();
  for (let count = 0; count < 20; count++) {
    await queueMail(db.control, mail({ workspaceId: slow, to: `${count}@example.com` }));
  }
  await queueMail(db.control, mail({ workspaceId: randomUUID() }));
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith(({ workspaceId }) => (workspaceId === slow ? hanging.promise : SENT));
  await box.outbox.look();
  await box.outbox.look();
  expect(box.sent.filter(({ workspaceId }) => workspaceId === slow)).toHaveLength(2);
  expect(box.sent).toHaveLength(3);
  hanging.resolve(SENT);
  await box.outbox.stop();
});

test('webhooks to slow endpoints of many workspaces keep no mail waiting', async () => {
  for (const workspaceId of times(30, () => randomUUID())) await queueForEndpoints(workspaceId, [randomUUID()]);
  for (const index of times(8, Number)) await queueMail(db.control, mail({ to: `${index}@example.com` }));
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith(({ channel }) => (channel === 'webhook' ? hanging.promise : SENT));
  await box.outbox.look();
  await vi.waitFor(() => expect(box.sent.filter(({ channel }) => channel === 'mail')).toHaveLength(8), AWAITED);
  hanging.resolve(SENT);
  await box.outbox.stop();
});

test('a slow endpoint has one place, and the other endpoints of its workspace are served beside it', async () => {
  const [workspaceId, slow, fast] = [randomUUID(), randomUUID(), randomUUID()];
  await queueForEndpoints(workspaceId, [...times(10, () => slow), ...times(5, () => fast)]);
  const hanging = Promise.withResolvers<SendResult>();
  const isSlow = (notice: Notice): boolean => notice.channel === 'webhook' && notice.url.endsWith(slow);
  const box = outboxWith((notice) => (isSlow(notice) ? hanging.promise : SENT));
  await vi.waitFor(async () => {
    await box.outbox.look();
    expect(box.sent.filter((notice) => !isSlow(notice))).toHaveLength(5);
  }, AWAITED);
  expect(box.sent.filter(isSlow)).toHaveLength(1);
  hanging.resolve(SENT);
  await box.outbox.stop();
});

test('endpoints that have been slow take half of the places, so that those of others find one immediately', async () => {
  const slow = times(12, () => randomUUID());
  const workspaces = times(12, () => randomUUID());
  const clock = new ManualClock();
  let hanging: (() => void)[] = [];
  const hang = (): Promise<SendResult> => new Promise((resolve) => hanging.push(() => resolve(FAILED)));
  const isSlow = (notice: Notice): boolean =>
    notice.channel === 'webhook' && slow.some((id) => notice.url.endsWith(id));
  const box = outboxWith((notice) => (isSlow(notice) ? hang() : SENT), clock);
  const endAll = async (): Promise<void> => {
    await clock.advance(10_000);
    for (const end of hanging) end();
    hanging = [];
    await box.outbox.idle();
  };
  for (const [index, id] of slow.entries())
    await queueForEndpoints(
      workspaces[index] ?? '',
      times(20, () => id),
    );
  // Until each has been slow once.
  for (let look = 0; look < 2; look++) {
    await box.outbox.look();
    await endAll();
  }
  await box.outbox.look();
  expect(hanging).toHaveLength(4);
  await queueForEndpoints(randomUUID(), [randomUUID()]);
  await box.outbox.look();
  expect(box.sent.filter((notice) => !isSlow(notice))).toHaveLength(1);
  await endAll();
  await box.outbox.stop();
});

test('a workspace with hundreds of mails has its turn, and then others have theirs', async () => {
  const [many, one] = [randomUUID(), randomUUID()];
  await db.database.query(
    `insert into notices (workspace_id, id, channel, recipient, subject, body, next_attempt_at)
     select $1, gen_random_uuid(), 'mail', n || '@example.com', 's', 't', now() - interval '1 hour'
     from generate_series(1, 500) n`,
    [many],
  );
  await queueMail(db.control, mail({ workspaceId: one }));
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith(({ workspaceId }) => (workspaceId === many ? hanging.promise : SENT));
  await box.outbox.look();
  expect(box.sent.map(({ workspaceId }) => workspaceId)).toEqual([many, one, many]);
  const stopped = box.outbox.stop();
  hanging.resolve(SENT);
  await stopped;
});

test('mails of the instance, such as links for new passwords, are shared out by recipient', async () => {
  for (const index of times(20, Number))
    await queueMail(db.control, mail({ to: 'flood@example.com', once: `${index}` }));
  await queueMail(db.control, mail({ to: 'ada@example.com' }));
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith((notice) =>
    notice.channel === 'mail' && notice.to === 'ada@example.com' ? SENT : hanging.promise,
  );
  await box.outbox.look();
  expect(box.sent.filter((notice) => notice.channel === 'mail' && notice.to === 'ada@example.com')).toHaveLength(1);
  expect(box.sent).toHaveLength(2);
  hanging.resolve(SENT);
  await box.outbox.stop();
});

test('an outbox that is stopped finishes what it sends, and begins nothing more', async () => {
  await queueMail(db.control, mail());
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith(() => hanging.promise);
  await box.outbox.look();
  const stopped = box.outbox.stop();
  await queueMail(db.control, mail({ workspaceId: INSTANCE_ID }));
  hanging.resolve(SENT);
  await stopped;
  expect((await states()).map(({ state }) => state).toSorted()).toEqual(['sent', 'waiting']);
  await lookUntilIdle(box);
  expect((await states()).map(({ state }) => state).toSorted()).toEqual(['sent', 'waiting']);
});

test('a fault of the database leaves the outbox able to go on', async () => {
  await queueMail(db.control, mail());
  await db.database.query('alter table notices rename to notices_away');
  const box = outboxWith(() => SENT);
  await lookUntilIdle(box);
  await db.database.query('alter table notices_away rename to notices');
  expect(box.faults).toHaveLength(1);
  await lookUntilIdle(box);
  expect(box.sent).toHaveLength(1);
});

test('delays between attempts double up to four hours, and are spread', () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, 0.5))).toEqual([30_000, 60_000, 120_000, 240_000]);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const delayMs = retryDelayMs(attempt, random);
        expect(delayMs).toBeGreaterThanOrEqual(22_500);
        expect(delayMs).toBeLessThanOrEqual(5 * 3_600_000);
      },
    ),
  );
});

test('notices that ended a month ago are deleted, and those that wait stay', async () => {
  await queueMail(db.control, mail());
  await queueMail(db.control, mail());
  await db.database.query(
    `update notices set state = 'sent', finished_at = now() - interval '31 days' where id = (select id from notices limit 1)`,
  );
  await pruneNotices(db.control);
  expect(await states()).toMatchObject([{ state: 'waiting' }]);
});

test('an outbox looks every two seconds until it is stopped, and reports what fails', async () => {
  const clock = new ManualClock();
  const box = outboxWith(() => {
    throw new Error('a sender that throws');
  }, clock);
  box.outbox.start();
  await queueMail(db.control, mail());
  await clock.advance(1_999);
  expect(box.sent).toEqual([]);
  await clock.advance(1);
  await vi.waitFor(() => expect(box.faults).toMatchObject([{ message: 'a sender that throws' }]), AWAITED);
  await queueMail(db.control, mail({ workspaceId: randomUUID() }));
  await vi.waitFor(async () => {
    await clock.advance(2_000);
    expect(box.sent).toHaveLength(2);
  }, AWAITED);
  await box.outbox.stop();
  await queueMail(db.control, mail({ workspaceId: randomUUID() }));
  await clock.advance(10_000);
  expect(box.sent).toHaveLength(2);
});

test('an outbox that is stopped leaves no timer behind', async () => {
  const clock = new ManualClock();
  const cancel = vi.fn<() => void>();
  vi.spyOn(clock, 'after').mockReturnValue(cancel);
  const { outbox } = outboxWith(() => SENT, clock);
  outbox.start();
  expect(cancel).not.toHaveBeenCalled();
  await outbox.stop();
  expect(cancel).toHaveBeenCalledOnce();
});

test('endpoints that answer soon keep all places, however long the process has been running', async () => {
  const endpoints = times(8, () => randomUUID());
  const hanging = Promise.withResolvers<SendResult>();
  const box = outboxWith(({ attempt }) => (attempt === 1 ? FAILED : hanging.promise));
  for (const id of endpoints) await queueForEndpoints(randomUUID(), [id]);
  await lookUntilIdle(box);
  await makeDue();
  await box.outbox.look();
  expect(box.sent.filter(({ attempt }) => attempt === 2)).toHaveLength(8);
  hanging.resolve(SENT);
  await box.outbox.stop();
});

test('a webhook to an endpoint that is gone has no secrets', async () => {
  await queueForEndpoints(randomUUID(), [randomUUID()]);
  const claimed = await claimNotices(db.control, { channel: 'webhook', most: 1 });
  expect(claimed).toMatchObject([{ notice: { channel: 'webhook', secrets: [] } }]);
});

test('a failure is noted with its reason, and the next attempt is when the receiver wants it, if that is later', async () => {
  await queueMail(db.control, mail());
  const next = async (retryAfterMs: number) => {
    await makeDue();
    const [claimed] = await claimNotices(db.control, ONE_MAIL);
    if (claimed === undefined) throw new Error('it is due');
    await recordResult(db.control, claimed.notice, { ...FAILED, reason: 'r'.repeat(400), retryAfterMs }, 0.5);
    const [row] = await db.database.query<{ seconds: number; error: string; status: number }>(
      `select extract(epoch from next_attempt_at - now())::float8 as seconds, last_error as error, last_status as status
       from notices`,
    );
    expect(row).toMatchObject({ error: 'r'.repeat(300), status: 500 });
    return Math.ceil((row?.seconds ?? 0) / 20) * 20;
  };
  expect(await next(0)).toBe(40);
  expect(await next(600_000)).toBe(600);
  const [{ notice } = { notice: null }] = await makeDue().then(() => claimNotices(db.control, ONE_MAIL));
  expect(notice).toEqual({
    channel: 'mail',
    workspaceId: INSTANCE_ID,
    id: expect.any(String),
    attempt: 3,
    giveUpAt: expect.any(Date),
    to: 'ada@example.com',
    subject: 'A subject',
    text: 'A text',
    html: null,
  });
  await recordResult(db.control, { workspaceId: INSTANCE_ID, id: notice?.id ?? '', attempt: 3 }, SENT, 0);
  expect(await db.database.query('select state, last_error, last_status from notices')).toEqual([
    { state: 'sent', last_error: null, last_status: 200 },
  ]);
});

test('delays between attempts are from three to five quarters of their length', () => {
  expect([0, 0.5, 1].map((random) => retryDelayMs(1, random))).toEqual([22_500, 30_000, 37_500]);
  expect([9, 10, 11, 50].map((attempt) => retryDelayMs(attempt, 0.5))).toEqual([
    7_680_000, 14_400_000, 14_400_000, 14_400_000,
  ]);
});

test('a mail is given up when its sender says, or after a day, and its subject is cut to what fits', async () => {
  const giveUpAt = new Date('2030-01-02T03:04:05Z');
  await queueMail(db.control, mail({ giveUpAt, subject: ` ${'s'.repeat(300)}` }));
  await queueMail(db.control, mail());
  const rows = await db.database.query(
    `select subject, give_up_at = $1 as "isGiven", give_up_at - created_at = interval '24 hours' as "isDay",
       is_secret as "isSecret", workspace_id as workspace from notices order by length(subject) desc`,
    [giveUpAt],
  );
  const row = { isSecret: false, workspace: INSTANCE_ID };
  expect(rows).toEqual([
    { ...row, subject: 's'.repeat(200), isGiven: true, isDay: false },
    { ...row, subject: 'A subject', isGiven: false, isDay: true },
  ]);
});

test('notices are deleted thirty days after their end', async () => {
  await queueMail(db.control, mail());
  const age = async (days: number) => {
    await db.database.query(
      `update notices set state = 'sent', finished_at = now() - make_interval(days => $1, mins => -1)`,
      [days],
    );
    await pruneNotices(db.control);
    return (await states()).length;
  };
  expect([await age(30), await age(31)]).toEqual([1, 0]);
});
