import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDamage, damageOf, receiptWith, uncheckedLineOf } from '../../test/support/receipts.ts';
import type { AttemptRecord, Receipt } from '../domain/receipt.ts';
import { TOKEN_CLASSES, type TokenCounts, type Usage } from '../domain/usage.ts';
import { PERIODS, type Window, windowAt } from '../domain/window.ts';
import { decodeReceiptLine, encodeReceiptLine } from './receipt-line.ts';

const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });
// Whatever a body or a header may hold: control characters, line ends, halves of pairs.
const text = fc.string({ unit: 'binary', maxLength: 40 });
const count = fc.nat({ max: 2_147_483_647 });
const duration = fc.double({ min: 0, max: 1e9, noNaN: true }).map((ms) => ms + 0);

const tokens: fc.Arbitrary<TokenCounts> = fc
  .tuple(...TOKEN_CLASSES.map(() => count))
  .map((counts) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, counts[index]])) as TokenCounts);

const usage: fc.Arbitrary<Usage> = fc.record({ tokens, certainty: fc.constantFrom('exact', 'estimated') });

const attempt: fc.Arbitrary<AttemptRecord> = fc.record(
  {
    provider: text,
    upstreamModel: text,
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    durationMs: duration,
    fault: fc.option(text),
    strategy: text,
    charged: usage,
  },
  { requiredKeys: ['provider', 'upstreamModel', 'status', 'durationMs', 'fault'] },
);

const window: fc.Arbitrary<Window> = fc
  .tuple(fc.constantFrom(...PERIODS), fc.nat({ max: 4_000_000_000_000 }))
  .map(([period, atMs]) => windowAt(period, atMs));

const receipt: fc.Arbitrary<Receipt> = fc.record({
  requestId: fc.uuid(),
  workspaceId: fc.uuid(),
  projectId: fc.uuid(),
  keyId: fc.uuid(),
  creditPurseId: amount,
  projectPurseId: amount,
  keyPurseId: amount,
  projectWindow: window,
  keyWindow: window,
  model: text,
  priceVersionId: amount,
  outcome: fc.constantFrom('completed', 'interrupted', 'abandoned', 'failed'),
  charge: amount,
  hold: amount,
  writeOff: amount,
  usage: fc.record({ tokens, certainty: fc.constantFrom('exact', 'estimated') }),
  shortenedToTokens: fc.option(count),
  streamed: fc.boolean(),
  admittedAtMs: fc.nat({ max: 4_000_000_000_000 }),
  durationMs: duration,
  firstEventMs: fc.option(duration),
  attempts: fc.array(attempt, { maxLength: 3 }),
  clientRequestId: fc.option(text),
  idempotencyKey: fc.option(text),
  isWhole: fc.boolean(),
});

function decoded(line: string): Receipt | null {
  return decodeReceiptLine(Buffer.from(line.trimEnd()));
}

describe('a receipt’s line', () => {
  test('is one line, and becomes the receipt that it was', () => {
    fc.assert(
      fc.property(receipt, (written) => {
        const line = encodeReceiptLine(written);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(decoded(line)).toEqual(written);
      }),
    );
  });

  test('is nothing once it is torn, wherever that is', () => {
    const line = encodeReceiptLine(receiptWith());
    for (let length = 0; length < line.length - 1; length++) expect(decoded(line.slice(0, length))).toBeNull();
  });

  test('is nothing once any byte of it is changed, lost or added', () => {
    fc.assert(
      fc.property(receipt, anyDamage, (written, damage) => {
        const line = Buffer.from(encodeReceiptLine(written)).subarray(0, -1);
        const damaged = damageOf(line, damage);
        expect(decodeReceiptLine(damaged)).toEqual(damaged.equals(line) ? written : null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is read as a version wrote it that had no checksums', () => {
    fc.assert(
      fc.property(receipt, (written) => {
        expect(decoded(uncheckedLineOf(written))).toEqual(written);
      }),
      { numRuns: 20 },
    );
  });

  test('is nothing where anything is missing, too much, or of another kind', () => {
    const whole = JSON.parse(uncheckedLineOf(receiptWith())) as Record<string, unknown>;
    for (const name of Object.keys(whole)) {
      const { [name]: _left, ...rest } = whole;
      if (name !== 'isWhole') expect(decoded(JSON.stringify(rest))).toBeNull();
      expect(decoded(JSON.stringify({ ...whole, [name]: { odd: true } }))).toBeNull();
    }
    expect(decoded(JSON.stringify({ ...whole, more: 1 }))).toBeNull();
    for (const odd of ['', 'null', '[]', '{}', '7', '\0\0\0']) expect(decoded(odd)).toBeNull();
  });

  test('of a version that names an Idempotency-Key for whole answers only is of a whole answer', () => {
    const { isWhole: _left, ...old } = JSON.parse(
      uncheckedLineOf(receiptWith({ idempotencyKey: 'order-7' })),
    ) as Receipt;
    expect(decoded(JSON.stringify(old))).toMatchObject({ idempotencyKey: 'order-7', isWhole: true });
  });
});
