import { expect, test } from 'vitest';
import { NO_STOCK, type PermitStock } from '../ports/database.ts';
import { PermitDemand, PermitsAtHand } from './permits-at-hand.ts';

const LIMITS = { requestsPerMinute: 64, tokensPerMinute: 640, concurrency: 64 };
const NONE = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const KINDS = ['requests', 'tokens', 'slots'] as const;

/** The permits after a draw of this stock. */
function drawn(stock: PermitStock): PermitsAtHand {
  const atHand = new PermitsAtHand();
  atHand.beginDraw(false);
  atHand.learn(stock, 0);
  return atHand;
}

test('a permit is taken of every kind that is limited, or of none', () => {
  const stock = { requests: 1, tokens: 5, slots: 1 };
  for (const kind of KINDS) {
    const short = { ...stock, [kind]: stock[kind] - 1 };
    const atHand = drawn(short);
    expect(atHand.take(LIMITS, 5)).toBe(false);
    expect(atHand.stock).toEqual(short);
    expect(atHand.beginDraw(false).taken).toBe(0);
  }
  const atHand = drawn(stock);
  expect(atHand.take(NONE, 5)).toBe(true);
  expect(atHand.stock).toEqual(stock);
  expect(atHand.take(LIMITS, 5)).toBe(true);
  expect(atHand.stock).toEqual(NO_STOCK);
  expect(atHand.beginDraw(false).taken).toBe(2);
  expect(atHand.beginDraw(false).taken).toBe(0);
});

test.each(KINDS)('a stock of %s exceeds a need once it is more than so many times as much', (kind) => {
  const need = { requests: 3, tokens: 3, slots: 3 };
  const atHand = drawn({ ...NO_STOCK, [kind]: 12 });
  expect(atHand.exceeds(need, 4)).toBe(false);
  expect(atHand.exceeds(need, 3)).toBe(true);
});

test.each(KINDS)('a stock of %s is nothing to others as long as it is within such a part of the limit', (kind) => {
  const part = 32;
  const most = kind === 'tokens' ? 20 : 2;
  expect(drawn({ ...NO_STOCK, [kind]: most }).isWithin(LIMITS, part)).toBe(true);
  expect(drawn({ ...NO_STOCK, [kind]: most + 1 }).isWithin(LIMITS, part)).toBe(false);
  expect(drawn({ ...NO_STOCK, [kind]: 1 }).isWithin(NONE, part)).toBe(false);
  expect(drawn(NO_STOCK).isWithin(NONE, part)).toBe(true);
});

test('a place that a request runs in is no stock, though the database counts it as drawn', () => {
  const atHand = drawn({ requests: 1, tokens: 1, slots: 3 });
  atHand.take(LIMITS, 1);
  atHand.begin();
  atHand.beginDraw(false);
  atHand.learn({ ...NO_STOCK, slots: 2 }, 0);
  expect([atHand.hasDrawn, atHand.running]).toEqual([true, 1]);
  expect([atHand.isWithin(LIMITS, 32), atHand.isWithin(LIMITS, 33)]).toEqual([true, false]);
  atHand.beginDraw(true);
  expect(atHand.hasDrawn).toBe(false);
  atHand.learn(NO_STOCK, 0);
  expect(atHand.hasDrawn).toBe(false);
  atHand.end(true);
  expect([atHand.hasDrawn, atHand.running, atHand.stock.slots]).toEqual([true, 0, 1]);
});

test('a place that a draw grants to a request counts as drawn before that runs', () => {
  const atHand = drawn(NO_STOCK);
  atHand.beginDraw(false);
  atHand.learn(NO_STOCK, 1);
  expect(atHand.hasDrawn).toBe(true);
  atHand.begin();
  expect(atHand.hasDrawn).toBe(false);
  atHand.end(false);
  expect(atHand.stock.slots).toBe(0);
});

test.each(['requests', 'tokens'] as const)('each kind that the database counts as drawn here counts: %s', (kind) => {
  expect(drawn({ ...NO_STOCK, [kind]: 1 }).hasDrawn).toBe(true);
});

test('what comes back goes into stock as far as it was drawn, and the rest is counted on but goes back', () => {
  const atHand = drawn({ requests: 1, tokens: 10, slots: 1 });
  atHand.take(LIMITS, 6);
  expect(atHand.putBack('tokens', 8)).toBe(false);
  expect(atHand.stock.tokens).toBe(10);
  expect(atHand.isUnbalanced).toBe(true);
  expect(atHand.balance).toEqual({ requests: 0, tokens: 12 });
  expect(atHand.putBack('requests', 1)).toBe(false);
  expect(atHand.balance).toEqual({ requests: 1, tokens: 12 });
  expect(atHand.beginDraw(false).returned).toEqual({ requests: 0, tokens: 2 });
  expect(atHand.isUnbalanced).toBe(false);
});

test('what was too little is taken out of stock, and is owed beyond that', () => {
  const atHand = drawn({ requests: 3, tokens: 10, slots: 1 });
  expect(atHand.putBack('tokens', -10)).toBe(false);
  expect(atHand.stock.tokens).toBe(0);
  expect(atHand.isUnbalanced).toBe(false);
  expect(atHand.putBack('tokens', -4)).toBe(true);
  expect([atHand.stock.tokens, atHand.isUnbalanced]).toEqual([0, true]);
  expect(atHand.balance).toEqual({ requests: 3, tokens: -4 });
  expect(atHand.beginDraw(false).returned).toEqual({ requests: 0, tokens: -4 });
});

test('what comes back goes back where the stock is more than was drawn', () => {
  const atHand = drawn({ requests: 2, tokens: 0, slots: 0 });
  atHand.regrow({ requests: 3, tokens: 7 });
  expect(atHand.stock).toMatchObject({ requests: 5, tokens: 7 });
  // What has regrown is owed: it lay in the bucket all the while.
  expect(atHand.balance).toEqual({ requests: 2, tokens: 0 });
  expect(atHand.putBack('requests', 1)).toBe(true);
  expect(atHand.stock.requests).toBe(5);
  expect(atHand.beginDraw(false).returned).toEqual({ requests: -2, tokens: -7 });
});

test('a debt of requests alone is reported as well as one of tokens', () => {
  const atHand = drawn(NO_STOCK);
  expect(atHand.isUnbalanced).toBe(false);
  atHand.regrow({ requests: 1, tokens: 0 });
  expect(atHand.isUnbalanced).toBe(true);
});

test('a draw that the database refuses leaves all as if it had not been made', () => {
  const stock = { requests: 5, tokens: 50, slots: 4 };
  for (const isOffered of [true, false]) {
    const atHand = drawn(stock);
    atHand.take(LIMITS, 10);
    atHand.begin();
    atHand.regrow({ requests: 1, tokens: 2 });
    const report = atHand.beginDraw(isOffered);
    const all = { requests: 5, tokens: 42, slots: 3 };
    expect(report).toEqual({
      taken: 1,
      running: 1,
      stock: all,
      keep: isOffered ? NO_STOCK : all,
      returned: { requests: -1, tokens: -2 },
    });
    expect(atHand.stock).toEqual(report.keep);
    // During the draw a request that ran before ends, and regrown permits are owed.
    atHand.end(true);
    atHand.regrow({ requests: 2, tokens: 3 });
    atHand.undoDraw();
    expect(atHand.stock).toEqual({ requests: 7, tokens: 45, slots: 4 });
    // As much room as was drawn: 50 tokens.
    atHand.putBack('tokens', 6);
    expect(atHand.stock.tokens).toBe(50);
    expect(atHand.beginDraw(false)).toMatchObject({ taken: 1, running: 0, returned: { requests: -3, tokens: -4 } });
  }
});

test('an answered draw counts what was taken while it was under way from the stock that it kept', () => {
  const atHand = drawn({ requests: 5, tokens: 50, slots: 5 });
  atHand.beginDraw(false);
  atHand.take(LIMITS, 10);
  atHand.begin();
  atHand.learn({ requests: 8, tokens: 80, slots: 8 }, 0);
  expect(atHand.stock).toEqual({ requests: 7, tokens: 70, slots: 7 });
});

test('the stock to have is what the last two seconds asked for, and at least what the next request will', () => {
  const demand = new PermitDemand();
  expect(demand.target(0, 0)).toEqual(NO_STOCK);
  demand.note(10, 1, 1_000);
  demand.note(20, 5, 1_999);
  expect(demand.target(2, 1_999)).toEqual({ requests: 2, tokens: 30, slots: 3 });
  demand.note(7, 4, 2_000);
  expect(demand.target(2, 2_000)).toEqual({ requests: 2, tokens: 30, slots: 3 });
  expect(demand.target(5, 2_000)).toEqual({ requests: 2, tokens: 30, slots: 1 });
  expect(demand.target(0, 3_000)).toEqual({ requests: 1, tokens: 7, slots: 4 });
  expect(demand.target(0, 5_000)).toEqual({ requests: 1, tokens: 7, slots: 1 });
  expect(demand.target(0, 6_999)).toEqual({ requests: 1, tokens: 7, slots: 1 });
  expect(demand.target(0, 7_000)).toEqual(NO_STOCK);
  expect(demand.idleMs(7_000)).toBe(5_000);
});

test('the stock to have counts nothing of a second that lies two seconds back', () => {
  const demand = new PermitDemand();
  demand.note(10, 6, 1_000);
  demand.note(10, 6, 1_000);
  demand.note(4, 2, 3_000);
  expect(demand.target(0, 3_000)).toEqual({ requests: 1, tokens: 4, slots: 2 });
  demand.note(4, 9, 3_500);
  expect(demand.target(1, 3_500)).toEqual({ requests: 2, tokens: 8, slots: 8 });
});
