import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { EXTRA_FIELDS, type Receipt, type ReceiptExtras } from '../../src/domain/receipt.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import { USE_CLASSES, USES_MAX } from '../../src/domain/uses.ts';
import { windowAt } from '../../src/domain/window.ts';

const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const PROJECT = '00000000-0000-7000-8000-000000000002';
const KEY = '00000000-0000-7000-8000-000000000003';

/** A receipt of a request that is like any other, but for what is given. */
export function receiptWith(given: Partial<Receipt> = {}): Receipt {
  return {
    requestId: randomUUIDv7(),
    workspaceId: WORKSPACE,
    projectId: PROJECT,
    keyId: KEY,
    creditPurseId: 1n,
    projectPurseId: 2n,
    keyPurseId: 3n,
    projectWindow: windowAt('month', 1_800_000_000_000),
    keyWindow: windowAt('month', 1_800_000_000_000),
    dialect: 'chat_completions',
    model: 'small-chat',
    priceVersionId: 1n,
    outcome: 'completed',
    charge: 7n,
    hold: 10n,
    writeOff: 0n,
    fees: 0n,
    usage: { tokens: { ...NO_TOKENS, output: 1 }, certainty: 'exact' },
    shortenedToTokens: null,
    streamed: false,
    admittedAtMs: 1_800_000_000_000,
    durationMs: 12.5,
    firstEventMs: null,
    attempts: [],
    clientRequestId: null,
    idempotencyKey: null,
    isWhole: true,
    ...given,
  };
}

/** What few receipts say, some of it or all; texts are such ones. */
export function anyExtras(text: fc.Arbitrary<string>): fc.Arbitrary<ReceiptExtras> {
  const uses = fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.integer({ min: 1, max: USES_MAX }), {
    noNullPrototype: true,
  });
  const kinds = { word: text, words: fc.array(text, { maxLength: 3 }), sign: fc.constant(true), uses };
  const fields = Object.entries(EXTRA_FIELDS).map(([name, { kind }]) => [name, kinds[kind]] as const);
  return fc.record<ReceiptExtras>(Object.fromEntries(fields) as never, { requiredKeys: [] });
}

/** What may happen to one byte of a file. */
export interface Damage {
  /** Counted from the file's start, and again from there behind its end. */
  readonly at: number;
  readonly kind: 'changed' | 'lost' | 'added';
  readonly byte: number;
}

export const anyDamage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('changed', 'lost', 'added'),
  byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...Buffer.from('\n\r 0123456789{}[]",'))),
});

/** The bytes after the damage; the same ones where a byte was changed to itself. */
export function damageOf(bytes: Buffer, { at, kind, byte }: Damage): Buffer {
  const place = at % (bytes.length + (kind === 'added' ? 1 : 0));
  const rest = bytes.subarray(kind === 'added' ? place : place + 1);
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(kind === 'lost' ? [] : [byte]), rest]);
}
