// How a field of a receipt is declared. Each place that receipts are written to or read from has one function for each kind.

/** The parameter of `settle_receipts` that has a field. */
export type Parameter =
  | 'requests'
  | 'charges'
  | 'numbers'
  | 'attempts'
  | 'client_requests'
  | 'extras'
  | 'context_ids'
  | 'context_numbers'
  | 'context_texts';

interface FieldBase {
  /** Its name in the API and in exports, where amounts have a unit appended. Columns have the same names. */
  readonly wire: string;
  /** Null: it has no column. */
  readonly in: Parameter | null;
  /** What the API's document says about it. */
  readonly description?: string;
  /** Lists of receipts have it too. */
  readonly listed?: true;
}

/**
 * A field, by its kind of value. An `optional_…` is null if there is none. `word`, `words`, `uses` and `sign`, which
 * is true, are kinds of fields that few receipts have.
 */
export type ReceiptField =
  | (FieldBase & {
      readonly kind: 'id' | 'purse' | 'version' | 'text' | 'usd' | 'usage' | 'flag' | 'attempts' | 'window';
    })
  | (FieldBase & { readonly kind: 'time' | 'ms' | 'optional_ms' | 'optional_count' | 'optional_text' })
  | (FieldBase & { readonly kind: 'word' | 'words' | 'sign' | 'uses' })
  | (FieldBase & { readonly kind: 'choice'; readonly of: readonly string[] });

/** The fields of a receipt by their properties. */
export type FieldTable = Readonly<Record<string, ReceiptField>>;

/** The column of a field. */
export function receiptColumn({ kind, wire }: ReceiptField): string {
  return kind === 'usd' ? `${wire}_nano_usd` : wire;
}
