import fc from 'fast-check';
import type { ReceiptField } from '../../src/domain/receipt-field.ts';
import {
  EXTRA_FIELDS,
  type Receipt,
  RECEIPT_FIELDS,
  type ReceiptExtras,
  SETTLEMENT_FIELDS,
} from '../../src/domain/receipt.ts';
import { TOKEN_CLASSES, type TokenClass, type TokenCounts } from '../../src/domain/usage.ts';
import { USE_CLASSES, USES_MAX } from '../../src/domain/uses.ts';
import { receiptWith } from './receipts.ts';

/** What fields of each kind may say. */
type AnyOfKind = Readonly<Partial<Record<ReceiptField['kind'], fc.Arbitrary<unknown>>>>;

/** Receipts whose fields say whatever one of their kind may. */
export function anyReceipt(kinds: AnyOfKind): fc.Arbitrary<Receipt> {
  const ordinary = receiptWith();
  const fields = Object.entries<ReceiptField>({ ...RECEIPT_FIELDS, ...SETTLEMENT_FIELDS }).map(([name, field]) => {
    const any = field.kind === 'choice' ? fc.constantFrom(...field.of) : kinds[field.kind];
    return [name, any ?? fc.constant(ordinary[name as keyof Receipt])] as const;
  });
  return fc.record(Object.fromEntries(fields)) as unknown as fc.Arbitrary<Receipt>;
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

/** Token counts of all classes. */
export function anyTokens(count: fc.Arbitrary<number>): fc.Arbitrary<TokenCounts> {
  return fc.record(
    Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, count])) as Record<TokenClass, typeof count>,
  );
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
