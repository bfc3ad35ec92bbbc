import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { receiptWith } from '../../../../test/support/receipts.ts';
import { DatabaseUnavailable, SqlFault } from '../../../lib/sql.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { Journal, Trail } from '../ports/disk.ts';
import { ClaimGone, EpochFenced, type KeptAnswers, LeaseGone, type PurseStore } from '../ports/database.ts';
import type { SettlementEnd } from './receipt-batches.ts';
import { Settlement } from './settlement.ts';

/** A server may take over, but no later process reads the trail in these tests. */
const NO_TRAIL: Trail = {
  add: () => Promise.resolve(),
  close: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

const EPOCH = 4n;
const away = new DatabaseUnavailable('the database is away');
const refused = new SqlFault('a row is refused', '22P05', null);

type Send = (receipts: readonly Receipt[]) => Promise<void>;

/** A store with scripted outcomes, which records what it has settled. */
class ScriptedStore {
  readonly timely: Receipt[] = [];
  readonly late: Receipt[] = [];
  readonly quarantined: Receipt[] = [];
  onSettle: Send = () => Promise.resolve();
  onSettleLate: Send = () => Promise.resolve();
  onQuarantine: () => Promise<void> = () => Promise.resolve();

  async settle(_epochId: bigint, receipts: readonly Receipt[], _answers: KeptAnswers): Promise<void> {
    await this.onSettle(receipts);
    this.timely.push(...receipts);
  }

  async settleLate(_epochId: bigint, receipts: readonly Receipt[], _answers: KeptAnswers): Promise<void> {
    await this.onSettleLate(receipts);
    this.late.push(...receipts);
  }

  async quarantine(receipt: Receipt): Promise<void> {
    await this.onQuarantine();
    this.quarantined.push(receipt);
  }
}

class MemoryJournal implements Journal {
  lines: Receipt[] = [];
  clears = 0;
  fault: Error | null = null;

  write(receipts: readonly Receipt[]): Promise<void> {
    if (this.fault !== null) return Promise.reject(this.fault);
    this.lines.push(...receipts);
    return Promise.resolve();
  }

  clear(): Promise<void> {
    if (this.fault !== null) return Promise.reject(this.fault);
    this.clears += 1;
    this.lines = [];
    return Promise.resolve();
  }
}

let clock: ManualClock;
let store: ScriptedStore;
let journal: MemoryJournal;
let settlement: Settlement;
const onFenced = vi.fn<(fault: EpochFenced) => void>();
const onLost = vi.fn<() => void>();
const onFault = vi.fn<(fault: unknown) => void>();
const onJournalFault = vi.fn<(fault: unknown) => void>();
const onPoison = vi.fn<(receipt: Receipt, fault: unknown) => void>();

beforeEach(() => {
  for (const mock of [onFenced, onLost, onFault, onJournalFault, onPoison]) mock.mockReset();
  clock = new ManualClock();
  store = new ScriptedStore();
  journal = new MemoryJournal();
  settlement = new Settlement({
    store: store as unknown as PurseStore,
    clock,
    turns: clock,
    journal,
    trail: NO_TRAIL,
    epoch: { id: EPOCH, timeline: '1' },
    events: {
      fenced: onFenced,
      leasesLost: onLost,
      failed: onFault,
      warned: (_message, fault) => onJournalFault(fault),
      receiptRefused: onPoison,
      serverChanged: () => undefined,
      purseRefused: () => undefined,
      projectRefused: () => undefined,
    },
  });
});

interface Settled {
  readonly receipt: Receipt;
  /** The answer of the caller; null while it waits. */
  answer: 'durable' | 'refused' | null;
  readonly ends: SettlementEnd['kind'][];
  resent: number;
  /** Whether it had been sent late when its leases were notified that it leaves them; null if they weren't. */
  wasSentLate: boolean | null;
}

function settle(given: Partial<Receipt> = {}): Settled {
  const settled: Settled = { receipt: receiptWith(given), answer: null, ends: [], resent: 0, wasSentLate: null };
  const charged = {
    leaves: () => void (settled.wasSentLate = store.late.includes(settled.receipt)),
    ended: (end: SettlementEnd) => void settled.ends.push(end.kind),
    resent: () => void (settled.resent += 1),
  };
  settlement.settle(settled.receipt, null, charged).then(
    () => (settled.answer = 'durable'),
    () => (settled.answer = 'refused'),
  );
  return settled;
}

const unavailable: Send = () => Promise.reject(away);
const taking: Send = () => Promise.resolve();
/** Rejects each batch with one of these rows. */
const refusing =
  (fault: Error, ...rows: readonly Settled[]): Send =>
  (receipts) =>
    rows.some(({ receipt }) => receipts.includes(receipt)) ? Promise.reject(fault) : Promise.resolve();

test('while the database takes what it is sent, an answer ends with the commit, and the journal stays empty', async () => {
  const one = settle();
  await clock.advance(0);
  expect(one).toMatchObject({ answer: 'durable', ends: ['timely'] });
  await clock.advance(60_000);
  expect(journal).toMatchObject({ lines: [], clears: 0 });
  expect(settlement.backlog).toBe(0);
});

test('while the database takes what it is sent, receipts that gather during a batch go together with the next', async () => {
  const batches: number[] = [];
  const first = Promise.withResolvers<void>();
  store.onSettle = (receipts) => {
    batches.push(receipts.length);
    return batches.length === 1 ? first.promise : Promise.resolve();
  };
  settle();
  await clock.advance(0);
  for (let count = 0; count < 5; count++) settle();
  first.resolve();
  await clock.advance(0);
  expect(batches).toEqual([1, 5]);
});

test('a batch that takes long has the next sent beside it, up to three, and those end before it', async () => {
  const unanswered: PromiseWithResolvers<void>[] = [];
  const sent: Receipt[] = [];
  store.onSettle = (receipts) => {
    sent.push(...receipts);
    if (unanswered.length === 3) return Promise.resolve();
    const answer = Promise.withResolvers<void>();
    unanswered.push(answer);
    return answer.promise;
  };
  const settled: Settled[] = [];
  for (let count = 1; count <= 4; count++) {
    settled.push(settle());
    await clock.advance(500);
    expect(sent).toHaveLength(Math.min(count, 3));
  }
  unanswered[1]?.resolve();
  await clock.advance(0);
  expect(settled.map(({ answer }) => answer)).toEqual([null, 'durable', null, 'durable']);
  unanswered[0]?.resolve();
  unanswered[2]?.resolve();
  await clock.advance(0);
  expect(settled.map(({ answer }) => answer)).toEqual(Array(4).fill('durable'));
});

test('a batch has five hundred receipts at most', async () => {
  const batches: number[] = [];
  store.onSettle = (receipts) => Promise.resolve(void batches.push(receipts.length));
  for (let count = 0; count < 1_001; count++) settle();
  await clock.advance(0);
  expect(batches).toEqual([500, 500, 1]);
});

test('a receipt is settled together with its answer, which a repeat is to get', async () => {
  const sent: KeptAnswers[] = [];
  const take = async (_epochId: bigint, _receipts: readonly Receipt[], answers: KeptAnswers): Promise<void> =>
    void sent.push(answers);
  store.settle = take;
  store.settleLate = take;
  const [one, other] = [receiptWith(), receiptWith()];
  const charge = { leaves: () => undefined, ended: () => undefined, resent: () => undefined };
  const said = Buffer.from('said');
  const settled = [settlement.settle(one, said, charge), settlement.settle(other, null, charge)];
  await clock.advance(0);
  settlement.fence();
  settled.push(settlement.settle(one, said, charge));
  await clock.advance(0);
  await Promise.all(settled);
  expect(sent).toEqual([new Map([[one.requestId, said]]), new Map([[one.requestId, said]])]);
});

describe('a receipt whose workspace is locked', () => {
  const LOCKED = 7n;
  const isLocked = ({ creditPurseId }: Receipt): boolean => creditPurseId === LOCKED;
  /** The number of the locked workspace's receipts in each batch. */
  let sent: number[];

  beforeEach(() => {
    sent = [];
    store.onSettle = (receipts) => {
      const locked = receipts.filter(isLocked).length;
      if (locked === 0) return Promise.resolve();
      sent.push(locked);
      return Promise.reject(new DatabaseUnavailable('locked', { reason: 'contended' }));
    };
  });

  const unlock = (): void => {
    store.onSettle = (receipts) => {
      const locked = receipts.filter(isLocked).length;
      if (locked > 0) sent.push(locked);
      return Promise.resolve();
    };
  };

  test('a receipt whose workspace is locked holds up no other, and is sent again with all of its workspace later', async () => {
    const [locked, free] = [settle({ creditPurseId: LOCKED }), settle()];
    await clock.advance(0);
    expect([locked.answer, free.answer]).toEqual([null, 'durable']);
    expect(sent).toEqual([1, 1]);
    const [younger, other] = [settle({ creditPurseId: LOCKED }), settle()];
    await clock.advance(199);
    expect([younger.answer, other.answer]).toEqual([null, 'durable']);
    expect(sent).toEqual([1, 1]);
    unlock();
    await clock.advance(1);
    expect(sent).toEqual([1, 1, 2]);
    for (const each of [locked, younger]) expect(each).toMatchObject({ answer: 'durable', ends: ['timely'] });
    const last = settle({ creditPurseId: LOCKED });
    await clock.advance(0);
    expect(last.answer).toBe('durable');
    await clock.advance(1_000);
    expect(store.timely).toHaveLength(5);
    expect(onFault).not.toHaveBeenCalled();
  });

  test('a receipt whose workspace is locked is asked for at its pace as long as that lasts', async () => {
    const locked = settle({ creditPurseId: LOCKED });
    await clock.advance(0);
    settle({ creditPurseId: LOCKED });
    await clock.advance(999);
    // The two together first, then each by itself.
    expect(sent.join(' ')).toBe(`1${' 2 1 1'.repeat(4)}`);
    unlock();
    await clock.advance(200);
    expect(locked).toMatchObject({ answer: 'durable', ends: ['timely'] });
  });

  test('receipts whose workspace is locked go five hundred at a time once it is free', async () => {
    settle({ creditPurseId: LOCKED });
    await clock.advance(0);
    for (let count = 0; count < 1_000; count++) settle({ creditPurseId: LOCKED });
    await clock.advance(100);
    unlock();
    sent.length = 0;
    await clock.advance(100);
    expect(sent).toEqual([500]);
    await clock.advance(200);
    expect(sent).toEqual([500, 500]);
    await clock.advance(200);
    expect(sent).toEqual([500, 500, 1]);
    expect(settlement.backlog).toBe(0);
  });

  test('a stop waits for a receipt whose workspace is locked, and leaves it to the journal if that takes too long', async () => {
    for (const isFreed of [true, false]) {
      const locked = settle({ creditPurseId: LOCKED });
      await clock.advance(0);
      let isOver = false;
      const stopping = settlement.stop(1_000).then(() => (isOver = true));
      await clock.advance(150);
      expect(isOver).toBe(false);
      if (isFreed) {
        const answer = store.onSettle;
        unlock();
        await clock.advance(300);
        store.onSettle = answer;
      } else await clock.advance(1_300);
      expect(isOver).toBe(true);
      await stopping;
      expect(locked).toMatchObject({ answer: 'durable', ends: isFreed ? ['timely'] : [] });
      expect(journal.lines).toEqual(isFreed ? [] : [locked.receipt]);
    }
    const count = sent.length;
    await clock.advance(10_000);
    expect(sent).toHaveLength(count);
  });
});

describe('while the database is away', () => {
  beforeEach(() => {
    store.onSettle = unavailable;
  });

  test('while the database is away, what is unsettled for a second is journaled, once, and not before', async () => {
    const one = settle();
    await clock.advance(999);
    expect(journal.lines).toEqual([]);
    await clock.advance(1);
    expect(journal.lines).toEqual([one.receipt]);
    await clock.advance(30_000);
    expect(journal.lines).toEqual([one.receipt]);
  });

  test('each receipt has its own second while the database is away', async () => {
    const one = settle();
    await clock.advance(900);
    const other = settle();
    await clock.advance(400);
    expect(journal.lines).toEqual([one.receipt]);
    await clock.advance(900);
    expect(journal.lines).toEqual([one.receipt, other.receipt]);
  });

  test('while the database is away, a receipt is journaled once though writing it takes longer than the next look', async () => {
    const written = Promise.withResolvers<void>();
    const writes: (readonly Receipt[])[] = [];
    journal.write = (receipts) => {
      writes.push(receipts);
      return written.promise;
    };
    const one = settle();
    await clock.advance(3_000);
    expect(writes).toEqual([[one.receipt]]);
    written.resolve();
    await clock.advance(3_000);
    expect(writes).toEqual([[one.receipt]]);
    expect(one.answer).toBe('durable');
  });

  test('while the database is away, an answer waits five seconds, and goes out on the journal’s word', async () => {
    const one = settle();
    await clock.advance(4_999);
    expect(one.answer).toBeNull();
    await clock.advance(1);
    expect(one).toMatchObject({ answer: 'durable', ends: [] });
    expect(settlement.backlog).toBe(1);
  });

  test('while the database is away, an answer goes out with the commit if the database is back before', async () => {
    const one = settle();
    await clock.advance(2_000);
    expect(one.answer).toBeNull();
    store.onSettle = taking;
    await clock.advance(100);
    expect(one).toMatchObject({ answer: 'durable', ends: ['timely'] });
  });

  test('while the database is away, the journal is cleared when all that is in it is settled', async () => {
    settle();
    settle();
    await clock.advance(6_000);
    expect(journal.lines).toHaveLength(2);
    store.onSettle = taking;
    await clock.advance(100);
    expect(store.timely).toHaveLength(2);
    expect(journal).toMatchObject({ lines: [], clears: 1 });
    settle();
    await clock.advance(0);
    expect(journal.clears).toBe(1);
  });

  test('while the database is away, the journal is cleared though new receipts never cease to come', async () => {
    settle();
    await clock.advance(2_000);
    // From now on each batch finds another one waiting.
    let more = 200;
    store.onSettle = () => {
      if (more-- > 0) settle();
      return Promise.resolve();
    };
    await clock.advance(100);
    expect(journal.lines).toEqual([]);
  });

  test('while the database is away, what comes while the journal is cleared is settled as well', async () => {
    settle();
    await clock.advance(2_000);
    const cleared = Promise.withResolvers<void>();
    journal.clear = () => cleared.promise;
    store.onSettle = taking;
    await clock.advance(100);
    const during = settle();
    cleared.resolve();
    await clock.advance(0);
    expect(during.answer).toBe('durable');
    expect(settlement.backlog).toBe(0);
  });

  test('while the database is away, a journal that can’t be written lets no answer out, and is tried again', async () => {
    journal.fault = new Error('the disk is full');
    const one = settle();
    await clock.advance(60_000);
    expect(one.answer).toBeNull();
    expect(onJournalFault).toHaveBeenCalledWith(journal.fault);
    journal.fault = null;
    await clock.advance(250);
    expect(one.answer).toBe('durable');
    expect(journal.lines).toEqual([one.receipt]);
  });

  test('while the database is away, a journal that can’t be cleared fails nobody', async () => {
    settle();
    await clock.advance(2_000);
    journal.fault = new Error('the disk is gone');
    store.onSettle = taking;
    const after = settle();
    await clock.advance(100);
    expect(after.answer).toBe('durable');
    expect(onJournalFault).toHaveBeenCalledWith(journal.fault);
    expect(onFault).not.toHaveBeenCalled();
  });
});

test('a stop waits for what is left to settle', async () => {
  store.onSettle = unavailable;
  const one = settle();
  let isOver = false;
  const stopping = settlement.stop(5_000).then(() => (isOver = true));
  await clock.advance(1_500);
  expect(isOver).toBe(false);
  store.onSettle = taking;
  await clock.advance(100);
  await stopping;
  expect(one).toMatchObject({ answer: 'durable', ends: ['timely'] });
  expect(journal.lines).toEqual([]);
});

test('a stop waits for a batch that takes long as well', async () => {
  const first = Promise.withResolvers<void>();
  store.onSettle = ([receipt]) => (receipt === one.receipt ? first.promise : Promise.resolve());
  const one = settle();
  await clock.advance(500);
  settle();
  await clock.advance(0);
  let isOver = false;
  const stopping = settlement.stop(5_000).then(() => (isOver = true));
  await clock.advance(100);
  expect(isOver).toBe(false);
  first.resolve();
  await stopping;
  expect(one.answer).toBe('durable');
});

test('a stop leaves to the journal what the database doesn’t take in time', async () => {
  store.onSettle = unavailable;
  const one = settle();
  const stopping = settlement.stop(500);
  await clock.advance(700);
  await stopping;
  expect(journal.lines).toEqual([one.receipt]);
  expect(one.answer).toBe('durable');
  expect(settlement.backlog).toBe(1);
});

test('a receipt that comes once a stop has given up is left to the journal, and the stop ends', async () => {
  const first = Promise.withResolvers<void>();
  store.onSettle = () => first.promise;
  settle();
  await clock.advance(0);
  const stopping = settlement.stop(500);
  await clock.advance(1_000);
  const last = settle();
  first.resolve();
  await stopping;
  expect(journal.lines).toEqual([last.receipt]);
  expect(last.answer).toBe('durable');
});

test('a stop lets no answer out that neither database nor journal have', async () => {
  store.onSettle = unavailable;
  journal.fault = new Error('the disk is full');
  const one = settle();
  const stopping = settlement.stop(500);
  await clock.advance(700);
  await stopping;
  expect(one.answer).toBe('refused');
  expect(onFault).toHaveBeenCalledWith(journal.fault);
});

test('a fenced epoch turns the batch under way and all that follows late, and says so', async () => {
  store.onSettle = () => Promise.reject(new EpochFenced('dead'));
  const one = settle();
  await clock.advance(0);
  const other = settle();
  await clock.advance(0);
  for (const each of [one, other]) expect(each).toMatchObject({ answer: 'durable', ends: ['late'] });
  expect(store.late).toEqual([one.receipt, other.receipt]);
  expect(onFenced).toHaveBeenCalledTimes(1);
});

test('a fenced epoch sends nothing timely once it has been told', async () => {
  settlement.fence();
  settle();
  await clock.advance(0);
  expect(store.timely).toEqual([]);
  expect(store.late).toHaveLength(1);
});

test('a fenced epoch journals late charges as well while the database is away', async () => {
  settlement.fence();
  store.onSettleLate = unavailable;
  const one = settle();
  await clock.advance(5_250);
  expect(one.answer).toBe('durable');
  expect(journal.lines).toEqual([one.receipt]);
});

test('charges whose leases are gone wait until the epoch has been ended, and are late then', async () => {
  const rows = Array.from({ length: 7 }, () => settle());
  store.onSettle = refusing(new LeaseGone('gone'), rows[2]!);
  await clock.advance(150);
  expect(onLost).toHaveBeenCalled();
  expect(rows.map(({ answer }) => answer)).toEqual(rows.map(() => null));
  store.onSettle = () => Promise.reject(new EpochFenced('dead'));
  await clock.advance(150);
  expect(rows.map(({ ends }) => ends)).toEqual(rows.map(() => ['late']));
  expect(rows.map(({ answer }) => answer)).toEqual(rows.map(() => 'durable'));
});

test('a charge whose claim another request has is late by itself, and ends no epoch', async () => {
  const rows = Array.from({ length: 7 }, () => settle());
  store.onSettle = refusing(new ClaimGone('gone'), rows[2]!);
  await clock.advance(0);
  expect(rows.map(({ ends }) => ends)).toEqual(rows.map((_row, at) => [at === 2 ? 'late' : 'timely']));
  expect(rows.map(({ answer }) => answer)).toEqual(rows.map(() => 'durable'));
  // Its leases are notified before the database, or a draw could count it in both.
  expect(rows.map(({ wasSentLate }) => wasSentLate)).toEqual(rows.map((_row, at) => (at === 2 ? false : null)));
  expect(onLost).not.toHaveBeenCalled();
  expect(onFenced).not.toHaveBeenCalled();
  expect(store.quarantined).toEqual([]);
});

test('a charge whose claim another request has is late too where its workspace is locked, or it is poison then', async () => {
  const [locked, poison] = [settle({ creditPurseId: 7n }), settle({ creditPurseId: 8n })];
  store.onSettle = refusing(new ClaimGone('gone'), locked, poison);
  const isLocked = refusing(new DatabaseUnavailable('locked', { reason: 'contended' }), locked);
  const isPoison = refusing(refused, poison);
  store.onSettleLate = (receipts) => isLocked(receipts).then(() => isPoison(receipts));
  await clock.advance(0);
  expect([locked.ends, poison.ends]).toEqual([[], ['refused']]);
  expect(store.quarantined).toEqual([poison.receipt]);
  store.onSettleLate = taking;
  await clock.advance(200);
  expect(locked).toMatchObject({ answer: 'durable', ends: ['late'] });
});

test('poison that could not be set aside before a stop gives up is left to the journal', async () => {
  const one = settle();
  store.onSettle = refusing(refused, one);
  store.onQuarantine = () => Promise.reject(away);
  const stopping = settlement.stop(500);
  await clock.advance(700);
  await stopping;
  expect(one).toMatchObject({ answer: 'durable', ends: [] });
  expect(journal.lines).toEqual([one.receipt]);
});

test('a stop waits until nothing happens to the journal any more', async () => {
  store.onSettle = unavailable;
  settle();
  await clock.advance(1_000);
  const written = Promise.withResolvers<void>();
  journal.write = () => written.promise;
  const one = settle();
  await clock.advance(1_250);
  store.onSettle = taking;
  let isOver = false;
  const stopping = settlement.stop(5_000).then(() => (isOver = true));
  await clock.advance(500);
  expect([one.answer, isOver]).toEqual(['durable', false]);
  written.resolve();
  await clock.advance(0);
  await stopping;
  expect(isOver).toBe(true);
});

test('poison is set aside, and holds up nobody', async () => {
  const rows = Array.from({ length: 500 }, () => settle());
  const poison = [rows[0]!, rows[250]!, rows[499]!];
  store.onSettle = refusing(refused, ...poison);
  await clock.advance(0);
  for (const row of rows) {
    const isPoison = poison.includes(row);
    expect(row.answer).toBe(isPoison ? 'refused' : 'durable');
    expect(row.ends).toEqual([isPoison ? 'refused' : 'timely']);
  }
  expect(store.quarantined).toEqual(poison.map(({ receipt }) => receipt));
  expect(onPoison).toHaveBeenCalledTimes(3);
  expect(onFault).not.toHaveBeenCalled();
});

test('poison is set aside among late charges too', async () => {
  settlement.fence();
  const [good, bad] = [settle(), settle()];
  store.onSettleLate = refusing(refused, bad);
  await clock.advance(0);
  expect(good.ends).toEqual(['late']);
  expect(bad.ends).toEqual(['refused']);
  expect(store.quarantined).toEqual([bad.receipt]);
});

test('poison stays unsettled, and so in the journal, until it could be set aside', async () => {
  const one = settle();
  store.onSettle = refusing(refused, one);
  store.onQuarantine = () => Promise.reject(away);
  await clock.advance(2_000);
  expect(one.ends).toEqual([]);
  expect(journal.lines).toEqual([one.receipt]);
  store.onQuarantine = () => Promise.resolve();
  await clock.advance(100);
  expect(one.ends).toEqual(['refused']);
  expect(store.quarantined).toEqual([one.receipt]);
  expect(journal.lines).toEqual([]);
});

test('poison that can’t even be set aside is reported with both reasons', async () => {
  const one = settle();
  store.onSettle = refusing(refused, one);
  const full = new SqlFault('no room', '53100', null);
  store.onQuarantine = () => Promise.reject(full);
  await clock.advance(0);
  expect(one).toMatchObject({ answer: 'refused', ends: ['refused'] });
  const [[receipt, fault] = []] = onPoison.mock.calls;
  expect(receipt).toBe(one.receipt);
  expect(fault).toMatchObject({
    message: 'a receipt is refused, and could not even be set aside',
    errors: [refused, full],
  });
});

test('after a change of timeline, what was settled in the last minute is sent again, and what is older is not', async () => {
  const old = settle();
  await clock.advance(50_000);
  const young = settle();
  await clock.advance(20_000);
  store.timely.length = 0;
  settlement.resend();
  await clock.advance(0);
  expect(store.timely).toEqual([young.receipt]);
  expect(old).toMatchObject({ resent: 0, ends: ['timely'] });
  expect(young).toMatchObject({ resent: 1, ends: ['timely', 'timely'] });
});

test('after a change of timeline, what was on its way is sent again too: the answer may be the former server’s', async () => {
  store.onSettle = () => new Promise((resolve) => void clock.after(100, resolve));
  const one = settle();
  await clock.advance(50);
  settlement.resend();
  await clock.advance(50);
  expect(one.ends).toEqual([]);
  await clock.advance(100);
  expect(one.ends).toEqual(['timely']);
  expect(store.timely).toEqual([one.receipt, one.receipt]);
});

test('after a change of timeline, the last ten thousand are sent again at least, however many the last minute had', async () => {
  // The list was just cut: it must keep the most recent ones.
  const ids: string[] = [];
  for (let count = 0; count < 21_000; count++) {
    ids.push(settle().receipt.requestId);
    if (count % 500 === 499) await clock.advance(0);
  }
  expect(store.timely).toHaveLength(21_000);
  store.timely.length = 0;
  settlement.resend();
  await clock.advance(0);
  const again = store.timely.map(({ requestId }) => requestId);
  expect(again.length).toBeGreaterThanOrEqual(10_000);
  expect(again.length).toBeLessThanOrEqual(20_000);
  expect(again).toEqual(ids.slice(-again.length));
});

test('after a change of timeline, what has been sent again is sent once more after the next change', async () => {
  settle();
  await clock.advance(0);
  for (let change = 0; change < 3; change++) {
    settlement.resend();
    await clock.advance(10_000);
  }
  expect(store.timely).toHaveLength(4);
});
