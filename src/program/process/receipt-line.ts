import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { FieldTable, ReceiptField } from '../../domain/receipt-field.ts';
import {
  EXTRA_FIELDS,
  type Receipt,
  RECEIPT_FIELDS,
  type ReceiptExtras,
  SETTLEMENT_FIELDS,
} from '../../domain/receipt.ts';
import { TOKEN_CLASSES } from '../../domain/usage.ts';
import { USE_CLASSES } from '../../domain/uses.ts';
import { PERIODS } from '../../domain/window.ts';

// A receipt as one line of JSON, for files: `[version,"checksum",{receipt}]`. The checksum is the CRC-32 of the
// receipt's bytes in eight hex digits, because a changed digit would otherwise be charged. Amounts and purse ids are
// integer strings, which JSON numbers can't hold. A receipt of another shape needs another version: see `receiptLine`. One more
// of the extras needs none: an earlier line is read without it, and an earlier program reads a line without it too, so that an
// upgrade can be taken back (release 0.2.0 does not: it refuses the file). The charge never depends on them.

/** The version of written lines, and the only version that can be read. */
export const LINE_VERSION = 3;
const CHECKED = new RegExp(String.raw`^\[${LINE_VERSION},"([0-9a-f]{8})",(\{.*\})\]$`);
/** A line of version 1 was only the receipt. No single damaged byte makes a later line look like one. */
const UNCHECKED = /^\{.*\}$/;
/** A line of any later version begins with its number. */
const NUMBERED = /^\[(\d+),/;

const bigintText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const count = z.int().nonnegative();
const tokens = z.strictObject(
  Object.fromEntries(TOKEN_CLASSES.map((tokenClass) => [tokenClass, count])) as Record<
    (typeof TOKEN_CLASSES)[number],
    typeof count
  >,
);

const window = z.strictObject({ period: z.enum(PERIODS), startMs: z.number(), endMs: z.number().nullable() });

const servedPurse = z.strictObject({ purseId: bigintText, subjectId: z.string(), window });

const usage = z.strictObject({ tokens, certainty: z.enum(['exact', 'estimated']) });

const attempt = z.strictObject({
  provider: z.string(),
  upstreamModel: z.string(),
  status: z.number().nullable(),
  durationMs: z.number(),
  fault: z.string().nullable(),
  strategy: z.string().exactOptional(),
  charged: usage.exactOptional(),
});

const VALUES = {
  id: z.string(),
  purse: bigintText,
  version: bigintText,
  text: z.string(),
  usd: bigintText,
  usage,
  optional_count: count.nullable(),
  flag: z.boolean(),
  time: z.number(),
  ms: z.number(),
  optional_ms: z.number().nullable(),
  attempts: z.array(attempt),
  optional_text: z.string().nullable(),
  window,
  word: z.string(),
  words: z.array(z.string()),
  sign: z.literal(true),
  uses: z.partialRecord(z.enum(USE_CLASSES), count),
} satisfies Readonly<Record<Exclude<ReceiptField['kind'], 'choice'>, z.ZodType>>;

/** What reads the values of fields. */
function shapeOf(table: FieldTable): Record<string, z.ZodType> {
  const read = (field: ReceiptField) => (field.kind === 'choice' ? z.enum(field.of) : VALUES[field.kind]);
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, read(field)]));
}

const receiptLine = z.strictObject({
  ...shapeOf(RECEIPT_FIELDS),
  ...shapeOf(SETTLEMENT_FIELDS),
  extras: z
    .object({
      ...Object.fromEntries(
        Object.entries(shapeOf(EXTRA_FIELDS)).map(([name, value]) => [name, value.exactOptional()]),
      ),
      endUserPurse: servedPurse.exactOptional(),
      sessionPurse: servedPurse.exactOptional(),
    })
    .exactOptional(),
});

type Served = Pick<Receipt, 'endUserPurse' | 'sessionPurse'>;

/** Beside extras, the purses of few receipts: an earlier program reads the line without them, and charges the others. */
type LineExtras = ReceiptExtras & Served;

/** Those of these purses that are there. */
function servedPurses({
  endUserPurse,
  sessionPurse,
}: { readonly [Name in keyof Served]: Served[Name] | undefined }): Served {
  return { ...(endUserPurse && { endUserPurse }), ...(sessionPurse && { sessionPurse }) };
}

/** One line, including its newline. */
export function encodeReceiptLine(receipt: Receipt): string {
  const { memberPurseId: _found, endUserPurse, sessionPurse, extras, ...written } = receipt;
  const hasExtras = extras !== undefined || endUserPurse !== undefined || sessionPurse !== undefined;
  const line = hasExtras
    ? { ...written, ...extrasOnLine({ ...extras, ...servedPurses({ endUserPurse, sessionPurse }) }) }
    : written;
  const text = JSON.stringify(line, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return `[${LINE_VERSION},"${checksumOf(Buffer.from(text))}",${text}]\n`;
}

/** Release 0.2.0 refuses a file with an extra that it doesn't know, so what only informs stays off lines. */
function extrasOnLine(all: LineExtras): { readonly extras?: LineExtras } {
  const { requestedModel: _model, affinity: _affinity, affinityMissed: _missed, ...extras } = all;
  return Object.keys(extras).length === 0 ? {} : { extras };
}

/** A line's content. */
export type DecodedLine =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** The line is incomplete, damaged, or not a receipt line. */
  | { readonly kind: 'damaged' }
  /** Another version of the program wrote the line, and only that version can read its charge. */
  | { readonly kind: 'unknown'; readonly version: string };

const DAMAGED: DecodedLine = { kind: 'damaged' };

/** Decodes a line without its newline. */
export function decodeReceiptLine(line: Buffer): DecodedLine {
  // In Latin-1 each byte is one character, so indexes into the text are indexes into the line.
  const characters = line.toString('latin1');
  if (UNCHECKED.test(characters)) return { kind: 'unknown', version: '1' };
  const [, version] = NUMBERED.exec(characters) ?? [];
  if (version === undefined) return DAMAGED;
  if (version !== String(LINE_VERSION)) return { kind: 'unknown', version };
  const [, checksum, text] = CHECKED.exec(characters) ?? [];
  if (checksum === undefined || text === undefined) return DAMAGED;
  const bytes = line.subarray(-1 - text.length, -1);
  if (checksumOf(bytes) !== checksum) return DAMAGED;
  // The checksum is right, so an unreadable receipt is of another version rather than damaged.
  return parseReceipt(bytes) ?? { kind: 'unknown', version };
}

function parseReceipt(text: Buffer): DecodedLine | null {
  try {
    const read = receiptLine.parse(JSON.parse(text.toString())) as unknown as Receipt & {
      readonly extras?: LineExtras;
    };
    const { endUserPurse, sessionPurse, ...extras } = read.extras ?? {};
    if (endUserPurse === undefined && sessionPurse === undefined) return { kind: 'receipt', receipt: read };
    const { extras: _all, ...others } = read;
    const served = servedPurses({ endUserPurse, sessionPurse });
    const receipt = { ...others, ...served, ...(Object.keys(extras).length > 0 && { extras }) };
    return { kind: 'receipt', receipt };
  } catch {
    return null;
  }
}

function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
