import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { anyDamage, anyExtras, anyReceipt, anyTokens, damageOf } from '../../../test/support/any-receipts.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import { type AttemptRecord, EXTRA_FIELDS, type Receipt, type ReceiptExtras } from '../../domain/receipt.ts';
import type { Usage } from '../../domain/usage.ts';
import { PERIODS, type Window, windowAt } from '../../domain/window.ts';
import { decodeReceiptLine, encodeReceiptLine } from './receipt-line.ts';

const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });
// Whatever a body or a header may hold: control characters, line ends, halves of pairs.
const text = fc.string({ unit: 'binary', maxLength: 40 });
const count = fc.nat({ max: 2_147_483_647 });
const duration = fc.double({ min: 0, max: 1e9, noNaN: true }).map((ms) => ms + 0);

const usage: fc.Arbitrary<Usage> = fc.record({
  tokens: anyTokens(count),
  certainty: fc.constantFrom('exact', 'estimated'),
});

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

const plainReceipt = anyReceipt({
  id: fc.uuid(),
  purse: amount,
  version: amount,
  text,
  usd: amount,
  usage,
  optional_count: fc.option(count),
  flag: fc.boolean(),
  time: fc.nat({ max: 4_000_000_000_000 }),
  ms: duration,
  optional_ms: fc.option(duration),
  attempts: fc.array(attempt, { maxLength: 3 }),
  optional_text: fc.option(text),
  window,
});
const receipt: fc.Arbitrary<Receipt> = fc.tuple(plainReceipt, fc.option(anyExtras(text))).map(([plain, more]) => {
  if (more === null) return plain;
  // Off the line: see below.
  const { requestedModel: _model, affinity: _affinity, affinityMissed: _missed, ...extras } = more;
  return Object.keys(extras).length === 0 ? plain : { ...plain, extras };
});

function receiptOf(line: Buffer): Receipt | null {
  const decodedLine = decodeReceiptLine(line);
  return decodedLine.kind === 'receipt' ? decodedLine.receipt : null;
}

const decoded = (line: string): Receipt | null => receiptOf(Buffer.from(line.trimEnd()));

/** The only line of this file, as a version of the program wrote it. */
function kept(name: string): Promise<string> {
  return readFile(new URL(`../../../test/fixtures/receipt-lines/${name}`, import.meta.url), 'utf8');
}

/** The JSON of a receipt, as its line has it. */
function textOf(written: Receipt): string {
  return JSON.stringify((JSON.parse(encodeReceiptLine(written)) as [number, string, object])[2]);
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
  const line = await kept('version-3.jsonl');
  const read = decoded(line);
  expect(read).toMatchObject({ charge: 12_345_678_901_234_567_890n, idempotencyKey: 'order-7', isWhole: true });
  expect(read === null ? null : JSON.parse(textOf(read))).toEqual((JSON.parse(line) as [number, string, object])[2]);
});

test('the extras of a receipt stay off its line if it has none, and any other shape of them is not known', () => {
  expect(encodeReceiptLine(receiptWith())).not.toContain('extras');
  for (const extras of [null, { session: 1 }, { leftOut: 'web_search' }, { retry: false }, { uses: { use: 1 } }]) {
    const json = JSON.stringify({ ...(JSON.parse(textOf(receiptWith())) as object), extras });
    const checksum = crc32(json).toString(16).padStart(8, '0');
    expect(decodeReceiptLine(Buffer.from(`[3,"${checksum}",${json}]`))).toEqual({ kind: 'unknown', version: '3' });
  }
});

test('the extras of a receipt that only a later version knows are left out, so that an upgrade can be taken back', () => {
  const extras = { session: 's-1', more: { of: 'that' } };
  const written = receiptWith();
  const json = JSON.stringify({ ...(JSON.parse(textOf(written)) as object), extras });
  const read = receiptOf(Buffer.from(`[3,"${crc32(json).toString(16).padStart(8, '0')}",${json}]`));
  expect(read).toEqual({ ...written, extras: { session: 's-1' } });
});

test('the extras on a line are those that release 0.2.0 reads, but for tiers, beside which it can’t serve', () => {
  // 0.2.0 reads no price version with service tiers, and so no receipt of an instance that has some.
  const known = ['leftOut', 'retry', 'session', 'uses', 'serviceTier'];
  const added = ['requestedModel', 'affinity', 'affinityMissed'];
  expect(Object.keys(EXTRA_FIELDS).toSorted()).toEqual([...known, ...added].toSorted());
  const plain = receiptWith();
  const line = (extras: ReceiptExtras): string => encodeReceiptLine({ ...plain, extras });
  expect(line({ session: 's-1', requestedModel: 'large' })).toBe(line({ session: 's-1' }));
  expect(line({ requestedModel: 'large' })).toBe(encodeReceiptLine(plain));
  expect(line({ affinity: 'session', affinityMissed: true })).toBe(encodeReceiptLine(plain));
});

test('a receipt’s line of a version that is not known is told apart from damage, whatever follows its number', () => {
  const versions = fc.nat().filter((version) => version !== 3);
  fc.assert(
    fc.property(versions, text, (version, rest) => {
      const line = Buffer.from(`[${version},${rest}`);
      expect(decodeReceiptLine(line)).toEqual({ kind: 'unknown', version: String(version) });
    }),
  );
});

test('a receipt’s line that is intact but of another shape is of a version that is not known', () => {
  const line = encodeReceiptLine(receiptWith());
  const whole = (JSON.parse(line) as [number, string, Record<string, unknown>])[2];
  const others: object[] = [{ ...whole, more: 1 }, {}];
  for (const name of Object.keys(whole)) {
    const { [name]: _left, ...rest } = whole;
    others.push(rest, { ...whole, [name]: { odd: true } });
  }
  for (const other of others) {
    const json = JSON.stringify(other);
    const checksum = crc32(json).toString(16).padStart(8, '0');
    expect(decodeReceiptLine(Buffer.from(`[3,"${checksum}",${json}]`))).toEqual({ kind: 'unknown', version: '3' });
    expect(decodeReceiptLine(Buffer.from(`[3,"${checksum}",${json} ]`))).toEqual({ kind: 'damaged' });
  }
});

test('a line that is no receipt’s is damaged, and one that is an object alone is of the first version', () => {
  for (const odd of ['', 'null', '[]', '7', '\0\0\0']) {
    expect(decodeReceiptLine(Buffer.from(odd))).toEqual({ kind: 'damaged' });
  }
  expect(decodeReceiptLine(Buffer.from('{"requestId":"r"}'))).toEqual({ kind: 'unknown', version: '1' });
});
