import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { anyDamage, damageOf, receiptWith, uncheckedLineOf } from '../../test/support/receipts.ts';
import { type AttemptRecord, DIALECTS, type Receipt } from '../domain/receipt.ts';
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
  dialect: fc.constantFrom(...DIALECTS),
  model: text,
  priceVersionId: amount,
  outcome: fc.constantFrom('completed', 'interrupted', 'abandoned', 'failed'),
  charge: amount,
  hold: amount,
  writeOff: amount,
  fees: amount,
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

function receiptOf(line: Buffer): Receipt | null {
  const decodedLine = decodeReceiptLine(line);
  return decodedLine.kind === 'receipt' ? decodedLine.receipt : null;
}

const decoded = (line: string): Receipt | null => receiptOf(Buffer.from(line.trimEnd()));

/** The only line of this file, as a version of the program wrote it. */
function kept(name: string): Promise<string> {
  return readFile(new URL(`../../test/fixtures/receipt-lines/${name}`, import.meta.url), 'utf8');
}

test('a receipt’s line is one line, and becomes the receipt that it was', () => {
  fc.assert(
    fc.property(receipt, (written) => {
      const line = encodeReceiptLine(written);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(decoded(line)).toEqual(written);
    }),
  );
});

test('a receipt’s line is nothing once it is torn, wherever that is', () => {
  const line = encodeReceiptLine(receiptWith());
  for (let length = 0; length < line.length - 1; length++) expect(decoded(line.slice(0, length))).toBeNull();
});

test('a receipt’s line is nothing once any byte of it is changed, lost or added', () => {
  fc.assert(
    fc.property(receipt, anyDamage, (written, damage) => {
      const line = Buffer.from(encodeReceiptLine(written)).subarray(0, -1);
      const damaged = damageOf(line, damage);
      expect(receiptOf(damaged)).toEqual(damaged.equals(line) ? written : null);
    }),
    { numRuns: 2_000 },
  );
});

test('a receipt’s line is written as the newest version wrote it, so that another shape gets another version', async () => {
  const line = await kept('version-2.jsonl');
  const read = decoded(line);
  expect(read).toMatchObject({ charge: 12_345_678_901_234_567_890n, idempotencyKey: 'order-7', isWhole: true });
  expect(read === null ? null : encodeReceiptLine(read)).toBe(line);
});

test('a receipt’s line is read as the first version wrote it', async () => {
  expect(decoded(await kept('version-1.jsonl'))).toEqual(decoded(await kept('version-2.jsonl')));
});

test('a receipt’s line of a version that is not known is told apart from damage, whatever follows its number', () => {
  const versions = fc.nat().filter((version) => version !== 2);
  fc.assert(
    fc.property(versions, text, (version, rest) => {
      const line = Buffer.from(`[${version},${rest}`);
      expect(decodeReceiptLine(line)).toEqual({ kind: 'unknown', version: String(version) });
    }),
  );
});

test('a receipt’s line that is intact but of another shape is of a version that is not known', () => {
  const whole = JSON.parse(uncheckedLineOf(receiptWith())) as Record<string, unknown>;
  const { charge: _left, ...without } = whole;
  for (const other of [{ ...whole, fee: '1' }, { ...whole, charge: 7 }, without]) {
    const json = JSON.stringify(other);
    const checksum = crc32(json).toString(16).padStart(8, '0');
    expect(decodeReceiptLine(Buffer.from(`[2,"${checksum}",${json}]`))).toEqual({ kind: 'unknown', version: '2' });
    expect(decodeReceiptLine(Buffer.from(`[2,"${checksum}",${json} ]`))).toEqual({ kind: 'damaged' });
  }
});

test('a receipt’s line is read as a version wrote it that had no checksums', () => {
  fc.assert(
    fc.property(receipt, (written) => {
      expect(decoded(uncheckedLineOf(written))).toEqual(written);
    }),
    { numRuns: 20 },
  );
});

test('a receipt’s line is nothing where anything is missing, too much, or of another kind', () => {
  const whole = JSON.parse(uncheckedLineOf(receiptWith())) as Record<string, unknown>;
  for (const name of Object.keys(whole)) {
    const { [name]: _left, ...rest } = whole;
    if (name !== 'isWhole') expect(decoded(JSON.stringify(rest))).toBeNull();
    expect(decoded(JSON.stringify({ ...whole, [name]: { odd: true } }))).toBeNull();
  }
  expect(decoded(JSON.stringify({ ...whole, more: 1 }))).toBeNull();
  for (const odd of ['', 'null', '[]', '{}', '7', '\0\0\0']) expect(decoded(odd)).toBeNull();
});
