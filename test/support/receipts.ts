import { randomUUIDv7 } from 'node:crypto';
import type { ReceiptField } from '../../src/domain/receipt-field.ts';
import {
  EXTRA_FIELDS,
  type Receipt,
  RECEIPT_FIELDS,
  type ReceiptExtras,
  SETTLEMENT_FIELDS,
} from '../../src/domain/receipt.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import { windowAt } from '../../src/domain/window.ts';

const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const PROJECT = '00000000-0000-7000-8000-000000000002';
const KEY = '00000000-0000-7000-8000-000000000003';

const MONTH = windowAt('month', 1_800_000_000_000);

/** What a field says of which nothing is given. */
const ORDINARY: Readonly<Record<ReceiptField['kind'], unknown>> = {
  id: null,
  purse: null,
  version: 1n,
  text: '',
  choice: null,
  usd: 0n,
  usage: { tokens: { ...NO_TOKENS, output: 1 }, certainty: 'exact' },
  optional_count: null,
  flag: false,
  time: 1_800_000_000_000,
  ms: 12.5,
  optional_ms: null,
  attempts: [],
  optional_text: null,
  window: MONTH,
  word: null,
  words: null,
  sign: null,
  uses: null,
};

const ORDINARY_RECEIPT = {
  ...Object.fromEntries(
    Object.entries<ReceiptField>({ ...RECEIPT_FIELDS, ...SETTLEMENT_FIELDS }).map(([name, field]) => [
      name,
      field.kind === 'choice' ? field.of[0] : ORDINARY[field.kind],
    ]),
  ),
  workspaceId: WORKSPACE,
  projectId: PROJECT,
  keyId: KEY,
  creditPurseId: 1n,
  projectPurseId: 2n,
  keyPurseId: 3n,
  model: 'small-chat',
  charge: 7n,
  hold: 10n,
  isWhole: true,
} as unknown as Receipt;

const EXTRA_VALUES = {
  word: { read: null, given: 'a "session", {of} ours' },
  words: { read: [], given: ['web_search', 'tool {odd}', 'NULL'] },
  sign: { read: false, given: true },
  uses: { read: {}, given: { request: 1, web_search: 3 } },
} as const;

function extrasBy(which: 'read' | 'given'): object {
  return Object.fromEntries(Object.entries(EXTRA_FIELDS).map(([name, { kind }]) => [name, EXTRA_VALUES[kind][which]]));
}

/** Each extra that a receipt can have. */
export const EVERY_EXTRA: Required<ReceiptExtras> = extrasBy('given') as Required<ReceiptExtras>;

/** The extras of a stored receipt that has none. */
export const NO_EXTRAS = extrasBy('read');

/** A receipt of a request that is like any other, but for what is given. */
export function receiptWith(given: Partial<Receipt> = {}): Receipt {
  return { ...ORDINARY_RECEIPT, requestId: randomUUIDv7(), ...given };
}
