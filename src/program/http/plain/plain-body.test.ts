import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import { PlainBody } from './plain-body.ts';

// A body gives its reader what was sent, and keeps of the budget what it has in memory, no more and no longer.

function bodyOf(length: number, most = 1_000): { body: PlainBody; budget: ByteBudget } {
  const budget = new ByteBudget(most);
  return { body: new PlainBody(length, budget), budget };
}

/** The bytes cut into pieces of these lengths, the rest as the last one. */
function piecesOf(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...pieces, bytes.subarray(at)].filter((piece) => piece.length > 0);
}

test('a body is what was sent, in whatever pieces, asked for at whatever moment', async () => {
  const sent = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
  const asked = fc.asyncProperty(sent, fc.array(fc.nat(20)), fc.nat(8), async (bytes, lengths, askedAfter) => {
    const { body, budget } = bodyOf(bytes.length);
    const pieces = piecesOf(bytes, lengths);
    for (const piece of pieces.slice(0, askedAfter)) body.take(piece);
    const whole = body.read();
    expect(whole instanceof Promise).toBe(pieces.length > askedAfter);
    for (const piece of pieces.slice(askedAfter)) body.take(piece);
    expect(await whole).toEqual(bytes);
    expect(budget.taken).toBe(bytes.length);
    body.discard();
    body.discard();
    expect(budget.taken).toBe(0);
  });
  await fc.assert(asked, { numRuns: 500 });
});

test('a body beyond the budget is overloaded for its reader, keeps nothing, and is read on to be thrown away', async () => {
  const { body, budget } = bodyOf(20_002, 15_000);
  const whole = body.read();
  body.take(Buffer.alloc(10_000));
  expect(budget.taken).toBe(10_000);
  body.take(Buffer.alloc(10_000));
  expect(await whole).toBe('overloaded');
  expect(budget.taken).toBe(0);
  body.take(Buffer.alloc(2));
  expect({ taken: budget.taken, left: body.left, takesMore: body.takesMore }).toEqual({
    taken: 0,
    left: 0,
    takesMore: true,
  });
});

test('a body beyond the budget is overloaded too for a reader that asks later', () => {
  const { body } = bodyOf(12, 9);
  body.take(Buffer.alloc(10));
  expect(body.read()).toBe('overloaded');
});

test('a body that is discarded is gone for a reader that waits for it, or asks later', async () => {
  const { body, budget } = bodyOf(12);
  const whole = body.read();
  body.take(Buffer.alloc(5));
  body.discard();
  expect(await whole).toBe('gone');
  expect(body.read()).toBe('gone');
  expect(budget.taken).toBe(0);
});

test('more than came with its head is taken once somebody wants it, or nobody does any more', () => {
  const wanted = bodyOf(2).body;
  expect(wanted.takesMore).toBe(false);
  expect(wanted.read()).toBeInstanceOf(Promise);
  expect(wanted.takesMore).toBe(true);
  const discarded = bodyOf(2).body;
  discarded.discard();
  expect(discarded.takesMore).toBe(true);
});

test('what a request needs besides its body counts towards the budget until its end, and no longer', () => {
  const { body, budget } = bodyOf(3, 10);
  body.take(Buffer.alloc(3));
  expect([body.reserve(8), body.reserve(7), body.reserve(1)]).toEqual([false, true, false]);
  expect(budget.taken).toBe(10);
  body.discard();
  expect([budget.taken, body.reserve(1), budget.taken]).toEqual([0, false, 0]);
});
