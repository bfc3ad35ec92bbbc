import type { ReceiptField } from './receipt-field.ts';
import { EXTRA_FIELDS, RECEIPT_FIELDS } from './receipt.ts';

// Apart from the tables: a browser that wants a receipt's choices alone need not load them.

/** All that a stored receipt says. */
export const STORED_FIELDS = { ...RECEIPT_FIELDS, ...EXTRA_FIELDS } as const;

type ListedFields = {
  readonly [
    Name in keyof typeof STORED_FIELDS as (typeof STORED_FIELDS)[Name] extends { readonly listed: true } ? Name : never
  ]: (typeof STORED_FIELDS)[Name];
};

const listed: unknown = Object.fromEntries(
  Object.entries<ReceiptField>(STORED_FIELDS).filter(([, field]) => field.listed === true),
);

/** What lists of receipts say. */
export const LISTED_FIELDS = listed as ListedFields;
