import { expect, test } from 'vitest';
import { Bench } from '../../../test/simulation/bench.ts';
import { receiptDraft } from '../../../test/simulation/receipt-draft.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { DRAW_RULE } from './leases/draw-rule.ts';
import { EpochFenced } from './ports/database.ts';

// A new key costs one round trip; whatever its outcome, the process ends up knowing what it has drawn.

const RICH = { credit: 10n ** 12n, project: 10n ** 12n, key: 10n ** 12n };
const NOBODY = { keyId: 'nobody' };

const CREDIT = { kind: 'credit', period: 'never', windowStartMs: 0, windowEndMs: null } as const;

/** What the database has granted to the first process, by kind of purse. */
function granted({ model }: Bench): Record<string, bigint> {
  const purses = [...model.purses.values()];
  return Object.fromEntries(
    purses.flatMap(({ id, name }) => model.leasesOf(id).map(({ lease }) => [name.kind, lease.granted] as const)),
  );
}

test('a look-up of a new key leaves nothing to draw before its first hold', async () => {
  const bench = await new Bench(RICH).start();
  expect(await bench.lookUp([bench.key])).toEqual([bench.key]);
  expect(bench.purses.knows(bench.key)).toBe(true);
  expect(bench.purses.tryHold(bench.key, 1_000_000n)).not.toBeNull();
  expect(bench.link.sent).toMatchObject({ lookUps: 1, draws: 0 });
});

test('a look-up draws for a few holds as large as the last one was', async () => {
  const bench = await new Bench(RICH).start();
  bench.model.setLimit('key', bench.otherKey.keyId, 10n ** 12n);
  await bench.hold(7_000n);
  await bench.lookUp([bench.otherKey]);
  const purse = [...bench.model.purses.values()].find(({ name }) => name.subjectId === bench.otherKey.keyId);
  expect(purse?.leased).toBe(56_000n);
});

test('a look-up of a key that nobody has draws nothing', async () => {
  const bench = await new Bench(RICH).start();
  expect(await bench.lookUp([NOBODY])).toEqual([null]);
  expect(bench.model.purses.size).toBe(0);
});

test('a look-up leaves the leases alone that its process has already', async () => {
  const bench = await new Bench(RICH).start();
  const hold = await bench.hold(5_000n);
  const before = granted(bench);
  await bench.lookUp([bench.otherKey, bench.key]);
  expect(granted(bench)).toMatchObject({ credit: before['credit'], project: before['project'] });
  await bench.close(hold, 5_000n);
  expect(bench.faults).toEqual([]);
});

test('a look-up takes nothing from a dry purse', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  await bench.hold(600n);
  const other = await new Bench({}, { beside: bench }).start();
  await other.lookUp([other.key]);
  expect(bench.purse('credit')).toMatchObject({ mode: 'dry', leased: 600n });
  expect(await other.ask(400n)).toMatchObject({ amount: 400n });
});

test('a look-up whose outcome is unknown fails, and what it has drawn is known as soon as the database answers', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.lost = 1;
  expect(await bench.lookUp([bench.key])).toBeInstanceOf(DatabaseUnavailable);
  await bench.pass(100);
  expect(bench.purses.knows(bench.key)).toBe(true);
  expect(bench.purses.tryHold(bench.key, 80_000_000n)).not.toBeNull();
  expect(granted(bench)).toEqual({ credit: 80_000_000n, project: 80_000_000n, key: 80_000_000n });
});

test('a look-up whose outcome is unknown keeps the next ones waiting until it is known, or fails again', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.lost = 2;
  await bench.lookUp([bench.key]);
  expect(await bench.lookUp([bench.otherKey], { passMs: 60 })).toBeInstanceOf(DatabaseUnavailable);
  // The first one, and that again.
  expect(bench.link.sent.lookUps).toBe(2);
  expect(await bench.lookUp([bench.otherKey], { passMs: 60 })).toEqual([bench.otherKey]);
  expect(bench.faults).toEqual([]);
});

test('a look-up of unknown outcome that is refused when it is sent again leaves no lease unknown to its process', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.state = 'down';
  await bench.lookUp([bench.key]);
  bench.link.state = 'up';
  bench.link.refused.add(bench.key.keyId);
  await bench.pass(500);
  bench.link.refused.clear();
  bench.link.lookUpLate();
  expect(granted(bench)).toMatchObject({ key: 80_000_000n });
  await bench.pass(6_000);
  expect(granted(bench)).toEqual({ credit: 0n, project: 0n, key: 0n });
  expect(bench.faults).toEqual([]);
});

test.each([
  ['had no limits', {}, () => undefined],
  ['was refused and had no limits', {}, ({ link, key }: Bench) => link.refused.add(key.keyId)],
  ['was locked', { concurrency: 40 }, ({ link, projectId }: Bench) => link.locked.add(projectId)],
])(
  'a look-up that takes effect late takes no place of a project that %s when it was sent again',
  async (_what, limits, obstruct) => {
    const bench = await new Bench(RICH).start();
    bench.setRates(limits);
    obstruct(bench);
    bench.link.state = 'down';
    await bench.lookUp([bench.key]);
    bench.link.state = 'up';
    await bench.pass(500);
    bench.link.refused.clear();
    bench.link.locked.clear();
    await bench.pass(500);
    bench.setRates({ concurrency: 40 });
    bench.link.lookUpLate();
    await bench.pass(6_000);
    expect([...bench.permits.stocksOf(1n).values()].filter(({ stock }) => stock.slots > 0)).toEqual([]);
    expect(bench.faults).toEqual([]);
  },
);

test('a look-up that takes effect long after its answer was lost finds the leases there that its process had before', async () => {
  const bench = await new Bench(RICH).start();
  await bench.lookUp([bench.key]);
  await bench.pass(DRAW_RULE.forgetMs - 5_000);
  bench.link.lost = 1;
  await bench.lookUp([bench.key]);
  await bench.pass(60_000);
  const before = granted(bench);
  bench.link.lookUpLate();
  expect(bench.purses.knows(bench.key)).toBe(true);
  expect(granted(bench)).toEqual(before);
  await bench.pass(2 * DRAW_RULE.forgetMs);
  expect(granted(bench)).toEqual({});
});

test('a key whose first draw is refused keeps no other key of its look-up from having its own', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.refused.add(bench.otherKey.keyId);
  expect(await bench.lookUp([bench.key, bench.otherKey])).toEqual([bench.key, bench.otherKey]);
  // Both together, each by itself, and the one that is refused without a draw.
  expect(bench.link.sent).toMatchObject({ lookUps: 4 });
  expect(granted(bench)).toMatchObject({ key: 80_000_000n });
  expect(bench.purses.knows(bench.key)).toBe(true);
  expect(bench.faults).toEqual([]);
});

test('a look-up whose outcome is unknown gives up with its epoch', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.state = 'down';
  await bench.lookUp([bench.key]);
  bench.life.fenced(new EpochFenced('dead'));
  await bench.pass(100);
  const { lookUps } = bench.link.sent;
  await bench.pass(1_000);
  expect(bench.link.sent.lookUps).toBe(lookUps);
});

/** A draw of the key's leases is sent first, and takes effect after the look-up of the key. */
async function overtake(bench: Bench): Promise<void> {
  bench.link.roundTripMs = 100;
  const acquainted = bench.purses.acquaint(bench.key, 9_000n);
  await bench.pass(1);
  bench.link.roundTripMs = 2;
  expect(await bench.lookUp([bench.key])).toEqual([bench.key]);
  await bench.pass(200);
  expect(await acquainted).toBeNull();
  expect(granted(bench)).toMatchObject({ key: 80_000_000n });
}

test('a lease that is drawn otherwise during a look-up is what the database says that it is', async () => {
  const bench = await new Bench(RICH).start();
  await overtake(bench);
  const { draws } = bench.link.sent;
  await bench.close(await bench.hold(80_000_000n), 1_000n);
  expect(bench.link.sent.draws).toBe(draws);
  expect(bench.purses.available(bench.key)).toBe(10n ** 12n - 1_000n);
  expect(bench.faults).toEqual([]);
});

test('a lease that is drawn otherwise during a look-up is closed in the end by the number that it stands by', async () => {
  const bench = await new Bench(RICH).start();
  await overtake(bench);
  await bench.pass(12 * 60_000);
  expect(granted(bench)).toEqual({});
  expect(bench.faults).toEqual([]);
});

test('a look-up’s answer that comes late after a change of the purse gives back what it has brought', async () => {
  const bench = await new Bench(RICH).start();
  bench.link.roundTripMs = 100;
  const lookUp = bench.lookUp([bench.key], { passMs: 60 });
  await bench.pass(60);
  bench.setLimit('project', 10n ** 9n);
  bench.tellChanges();
  await lookUp;
  await bench.pass(300);
  expect(bench.purse('project')).toMatchObject({ leased: 0n });
  expect(bench.purse('credit')).toMatchObject({ leased: 80_000_000n });
});

test('a look-up’s late answer keeps what it has brought where the change was heard before it was asked for', async () => {
  const bench = await new Bench(RICH).start();
  bench.model.purse({ ...CREDIT, workspaceId: bench.workspaceId, subjectId: bench.workspaceId });
  bench.setLimit('credit', 10n ** 11n);
  bench.tellChanges();
  await bench.lookUp([bench.key], { passMs: 100 });
  expect(bench.purse('credit')).toMatchObject({ leased: 80_000_000n });
});

test('a look-up’s answer that comes late after its window charges nothing to it, and closes what it has brought', async () => {
  const startMs = Date.UTC(2027, 1, 1) - 60;
  const bench = await new Bench(RICH, { startMs }).start();
  bench.link.roundTripMs = 100;
  await bench.lookUp([bench.key], { passMs: 200 });
  bench.link.roundTripMs = 2;
  const hold = await bench.hold(1_000n);
  await bench.close(hold, 1_000n);
  const months = [...bench.model.purses.values()].filter(({ name }) => name.kind === 'key');
  expect(months.map(({ name }) => name.windowStartMs)).toEqual([Date.UTC(2027, 0, 1), Date.UTC(2027, 1, 1)]);
  await bench.pass(5_000);
  expect(months[0]).toMatchObject({ leased: 0n, spent: 0n });
  expect(bench.faults).toEqual([]);
});

test('a process whose epoch is over still finds out whose keys they are, and draws nothing', async () => {
  const bench = await new Bench(RICH).start();
  bench.model.fence(1n);
  expect(await bench.lookUp([bench.key])).toEqual([bench.key]);
  expect(bench.faults).toEqual([expect.any(EpochFenced)]);
  expect(await bench.lookUp([bench.key, NOBODY])).toEqual([bench.key, null]);
  expect(granted(bench)).toEqual({});
});

test('a look-up’s answer that comes while its process stops is nothing that it has, and nothing is drawn for it', async () => {
  const bench = await new Bench(RICH).start();
  const hold = await bench.hold(5_000n);
  bench.link.roundTripMs = 100;
  await bench.lookUp([bench.otherKey], { passMs: 50 });
  // Its receipt keeps the process stopping until the answer has come.
  const durable = hold.close(receiptDraft(bench.key, 5_000n));
  const { draws } = bench.link.sent;
  const stopped = bench.life.stop();
  await bench.pass(300);
  await Promise.all([durable, stopped]);
  expect(bench.purses.knows(bench.otherKey)).toBe(false);
  expect(bench.link.sent.draws).toBe(draws);
});
