import { afterEach, expect, test } from 'vitest';
import { Bench } from '../../../../test/simulation/bench.ts';
import { serving } from '../../../domain/principal.ts';
import { DRAW_RULE } from './draw-rule.ts';
import { Hold } from './hold.ts';

// End users and sessions: drawn from when a hold needs it, and given back soon.

let bench: Bench;
afterEach(() => {
  if (bench.faults.length > 0) throw new AggregateError(bench.faults, String(bench.faults[0]));
});

const start = async (limits: ConstructorParameters<typeof Bench>[0]): Promise<Bench> => {
  bench = await new Bench({ credit: 100_000n, ...limits }).start();
  return bench;
};

/** The purses of end users and sessions that have rows. */
const briefRows = () => [...bench.model.purses.values()].filter(({ name }) => /end_user|session/.test(name.kind));

test('an end user and a session hold their limits with all else, and a refusal names them last', async () => {
  await start({ key: 600n, end_user: 100n, session: 90n });
  const by = bench.serving({});
  await bench.acquaint(10n);
  await bench.close(await bench.hold(60n, by), 60n, by);
  expect(await bench.ask(50n, { by, passMs: 2_100 })).toMatchObject({
    kind: 'short',
    transient: false,
    levels: [
      { level: 'end_user', code: 'END_USER_LIMIT_EXCEEDED', limit: 100n, used: 60n },
      { level: 'session', code: 'SESSION_LIMIT_EXCEEDED', limit: 90n, used: 60n },
    ],
    available: 30n,
  });
  expect(await bench.ask(40n, { by: bench.serving({ session: null }) })).toBeInstanceOf(Hold);
  expect(await bench.ask(90n, { by: bench.serving({ endUser: 'other' }), passMs: 2_100 })).toMatchObject({
    levels: [{ level: 'session' }],
  });
});

test('what a hold needs is drawn and nothing ahead; seconds after the last all is given back', async () => {
  await start({ end_user: 10_000n });
  const by = bench.serving({ session: null });
  const hold = await bench.hold(100n, by);
  expect(bench.purse('end_user')).toMatchObject({ spent: 0n, leased: 100n });
  await bench.close(hold, 30n, by);
  await bench.pass(DRAW_RULE.briefForgetMs + 1_100);
  expect(bench.purse('end_user')).toMatchObject({ spent: 30n, leased: 0n });
  expect(bench.purses.knows(by)).toBe(false);
});

test('holds that follow each other closely draw a second of their demand', async () => {
  await start({ session: 1_000_000n });
  const by = bench.serving({ endUser: null });
  for (let count = 0; count < 20; count++) await bench.close(await bench.hold(100n, by), 100n, by);
  const { draws } = bench.link.sent;
  for (let count = 0; count < 20; count++) await bench.close(await bench.hold(100n, by), 100n, by);
  expect(bench.link.sent.draws - draws).toBeLessThan(10);
});

test('a refused request, a look at the purses and a probe leave no row', async () => {
  await start({ credit: 500n, end_user: 1_000n, session: 400n });
  const by = bench.serving({});
  const asked = bench.purses.acquaint(by, 100n);
  await bench.pass(10);
  expect([await asked, bench.purses.available(by), bench.purses.fits(by, 50n)]).toEqual([null, 400n, true]);
  expect(await bench.ask(401n, { by, passMs: 2_100 })).toMatchObject({ levels: [{ level: 'session' }] });
  expect(await bench.ask(501n, { by: bench.serving({ session: null }), passMs: 2_100 })).toMatchObject({
    levels: [{ level: 'workspace' }],
  });
  const other = bench.serving({ endUser: 'other', session: 'other' });
  const probed = [bench.purses.probe(other, 300n), bench.purses.drawProbe(other, 300n)];
  await bench.pass(50);
  expect(await Promise.all(probed)).toEqual([null, true]);
  expect(briefRows()).toEqual([]);
});

test('a hold that waits for the money of others draws nothing of its session until it has that', async () => {
  await start({ credit: 100n, session: 1_000n });
  const first = await bench.hold(80n);
  const by = bench.serving({ endUser: null });
  expect(await bench.ask(50n, { by, passMs: 200 })).toBeNull();
  expect(briefRows()).toEqual([]);
  await bench.close(first, 10n);
  await bench.pass(200);
  expect(bench.purse('session')).toMatchObject({ leased: 50n });
});

test('new end users with each request fill no more than half of the room, and others have theirs', async () => {
  await start({});
  const most = DRAW_RULE.briefMost / DRAW_RULE.briefProjectPart;
  const flood = (count: number): void => {
    for (let index = 0; index < count; index++) bench.purses.knows(serving(bench.key, `flood ${index}`, null));
  };
  flood(most + 100);
  expect(await bench.ask(1n, { by: serving(bench.key, 'one more', null) })).toEqual({ kind: 'unavailable' });
  const neighbour = Object.freeze({ ...bench.key, projectId: `${bench.projectId} 2` });
  bench.model.setLimit('end_user', 'theirs', 100n);
  expect(await bench.ask(1n, { by: serving(neighbour, 'theirs', null) })).toBeInstanceOf(Hold);
  await bench.pass(DRAW_RULE.briefForgetMs + 1_100);
  expect(await bench.ask(1n, { by: serving(bench.key, 'one more', null) })).toBeInstanceOf(Hold);
});

test('an end user without a limit who gets one is limited within seconds, however often they call', async () => {
  await start({});
  const by = bench.serving({ session: null });
  const call = async (): Promise<unknown> => {
    const asked = await bench.ask(10n, { by, passMs: 500 });
    if (asked instanceof Hold) await bench.close(asked, 10n, by);
    return asked;
  };
  expect(await call()).toBeInstanceOf(Hold);
  bench.model.setLimit('end_user', by.served?.endUserId ?? '', 15n);
  for (let passedMs = 0; passedMs < DRAW_RULE.briefForgetMs + 2_000; passedMs += 500) await call();
  expect(await call()).toMatchObject({ levels: [{ level: 'end_user', limit: 15n }] });
});

test('a lease whose draw may still take effect is kept until it can’t, and what it brought goes back', async () => {
  await start({ session: 1_000n });
  const by = bench.serving({ endUser: null });
  await bench.acquaint(10n);
  bench.link.lost = 1;
  const hold = await bench.ask(100n, { by, passMs: 500 });
  if (!(hold instanceof Hold)) throw new Error('the hold was not placed');
  await bench.close(hold, 100n, by);
  await bench.pass(DRAW_RULE.briefForgetMs + 1_100);
  expect(bench.purses.knows(by)).toBe(true);
  bench.link.drawLate();
  await bench.pass(DRAW_RULE.forgetMs + 2 * DRAW_RULE.briefForgetMs + 2_100);
  expect(bench.purses.knows(by)).toBe(false);
  expect(bench.purse('session')).toMatchObject({ spent: 100n, leased: 0n });
});
