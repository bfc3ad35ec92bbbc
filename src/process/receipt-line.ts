import { z } from 'zod';
import type { Receipt } from '../domain/receipt.ts';
import { TOKEN_CLASSES } from '../domain/usage.ts';
import { PERIODS } from '../domain/window.ts';

// A receipt as one line of JSON, for files. Amounts and purse ids are integer strings, which JSON numbers can't hold.

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

const usage = z.strictObject({ tokens, certainty: z.enum(['exact', 'estimated']) });

const receiptLine = z.strictObject({
  requestId: z.string(),
  workspaceId: z.string(),
  projectId: z.string(),
  keyId: z.string(),
  creditPurseId: bigintText,
  projectPurseId: bigintText,
  keyPurseId: bigintText,
  projectWindow: window,
  keyWindow: window,
  model: z.string(),
  priceVersionId: bigintText,
  outcome: z.enum(['completed', 'interrupted', 'abandoned', 'failed']),
  charge: bigintText,
  hold: bigintText,
  writeOff: bigintText,
  usage,
  shortenedToTokens: count.nullable(),
  streamed: z.boolean(),
  admittedAtMs: z.number(),
  durationMs: z.number(),
  firstEventMs: z.number().nullable(),
  attempts: z.array(
    z.strictObject({
      provider: z.string(),
      upstreamModel: z.string(),
      status: z.number().nullable(),
      durationMs: z.number(),
      fault: z.string().nullable(),
      strategy: z.string().exactOptional(),
      charged: usage.exactOptional(),
    }),
  ),
  clientRequestId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
});

/** One line, its newline included. */
export function encodeReceiptLine(receipt: Receipt): string {
  return `${JSON.stringify(receipt, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`;
}

/** The receipt of a line; null where the line is torn or was never one. */
export function decodeReceiptLine(line: string): Receipt | null {
  try {
    return receiptLine.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
