import { z } from '@hono/zod-openapi';
import type { FieldTable, ReceiptField } from '../../../domain/receipt-field.ts';
import { USE_CLASSES } from '../../../domain/uses.ts';
import type { FieldsJson } from '../../ledger/receipt-fields-json.ts';
import { decimal, id, nano, timestamp } from '../contract-fields.ts';

// The fields of a receipt in the contract, each by its kind.

const usage = z.object({ certainty: z.enum(['exact', 'estimated']), tokens: z.record(z.string(), z.int()) });

const attempt = z.object({
  provider: z.string(),
  upstream_model: z.string(),
  status: z.int().nullable(),
  duration_ms: z.number(),
  fault: z.string().nullable(),
  strategy: z
    .string()
    .nullable()
    .openapi({ description: 'The strategy by which an answer by a schema was requested.' }),
  charged: usage.nullable().openapi({ description: 'The billed usage of an answer that did not conform.' }),
});

const VALUES = {
  id,
  version: z.string(),
  text: z.string(),
  usd: nano,
  usage,
  optional_count: z.int().nullable(),
  flag: z.boolean(),
  time: timestamp,
  ms: z.int(),
  optional_ms: z.int().nullable(),
  attempts: z.array(attempt),
  optional_text: z.string().nullable(),
  word: z.string().nullable(),
  words: z.array(z.string()),
  sign: z.boolean(),
  uses: z.partialRecord(z.enum(USE_CLASSES), z.int()),
} satisfies Readonly<Record<Exclude<ReceiptField['kind'], 'choice' | 'purse' | 'window'>, z.ZodType>>;

function shapeOf(field: ReceiptField): Readonly<Record<string, z.ZodType>> {
  const { kind, wire, description } = field;
  if (kind === 'purse' || kind === 'window') return {};
  const bare: z.ZodType = kind === 'choice' ? z.enum(field.of) : VALUES[kind];
  const value = description === undefined ? bare : bare.openapi({ description });
  return kind === 'usd' ? { [`${wire}_nano_usd`]: value, [`${wire}_usd`]: decimal } : { [wire]: value };
}

type Shape<Fields> = { readonly [Name in keyof Fields]: z.ZodType<Fields[Name]> };

/** The fields of a table, for an object of the contract. */
export function receiptShape<Table extends FieldTable>(table: Table): Shape<FieldsJson<Table>> {
  return Object.assign({}, ...Object.values(table).map(shapeOf)) as Shape<FieldsJson<Table>>;
}
