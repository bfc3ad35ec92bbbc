import { amountFields, type NanoUsd } from '../../domain/money.ts';
import type { FieldTable, ReceiptField } from '../../domain/receipt-field.ts';
import type { AttemptRecord } from '../../domain/receipt.ts';
import type { Certainty, Usage } from '../../domain/usage.ts';
import type { UseClass } from '../../domain/uses.ts';
import type { StoredValues } from './receipt-rows.ts';

// The fields of a receipt in JSON, each by its kind. Purses are of no use to anybody outside, so they are not there.

interface UsageJson {
  certainty: Certainty;
  tokens: Record<string, number>;
}

interface AttemptJson {
  provider: string;
  upstream_model: string;
  status: number | null;
  duration_ms: number;
  fault: string | null;
  strategy: string | null;
  charged: UsageJson | null;
}

interface KindJson {
  readonly id: string;
  readonly version: string;
  readonly text: string;
  readonly usd: string;
  readonly usage: UsageJson;
  readonly optional_count: number | null;
  readonly flag: boolean;
  readonly time: string;
  readonly ms: number;
  readonly optional_ms: number | null;
  readonly attempts: AttemptJson[];
  readonly optional_text: string | null;
  readonly word: string | null;
  readonly words: string[];
  readonly sign: boolean;
  readonly uses: Partial<Record<UseClass, number>>;
}

type JsonName<Field extends ReceiptField> = Field['kind'] extends 'purse'
  ? never
  : Field['kind'] extends 'usd'
    ? `${Field['wire']}_nano_usd` | `${Field['wire']}_usd`
    : Field['wire'];

type JsonValue<Field extends ReceiptField> = Field extends { readonly of: readonly (infer Choice)[] }
  ? Choice
  : Field['kind'] extends keyof KindJson
    ? KindJson[Field['kind']]
    : never;

/** The fields of a table in JSON. */
export type FieldsJson<Table extends FieldTable> = {
  [Name in keyof Table as JsonName<Table[Name]>]: JsonValue<Table[Name]>;
};

function usageJson({ certainty, tokens }: Usage): UsageJson {
  return { certainty, tokens: { ...tokens } };
}

function attemptJson({ upstreamModel, durationMs, strategy, charged, ...attempt }: AttemptRecord): AttemptJson {
  const { provider, status, fault } = attempt;
  return {
    provider,
    upstream_model: upstreamModel,
    status,
    duration_ms: durationMs,
    fault,
    strategy: strategy ?? null,
    charged: charged === undefined ? null : usageJson(charged),
  };
}

function fieldJson({ kind, wire }: ReceiptField, value: unknown): object {
  switch (kind) {
    case 'purse':
      return {};
    case 'usd':
      return amountFields(wire, value as NanoUsd);
    case 'version':
      return { [wire]: String(value) };
    case 'time':
      return { [wire]: new Date(value as number).toISOString() };
    case 'usage':
      return { [wire]: usageJson(value as Usage) };
    case 'attempts':
      return { [wire]: (value as readonly AttemptRecord[]).map(attemptJson) };
    default:
      return { [wire]: structuredClone(value) };
  }
}

/** The fields of a table in JSON, in its order. */
export function fieldsJson<Table extends FieldTable>(table: Table, values: StoredValues<Table>): FieldsJson<Table> {
  const fields = Object.entries(table).map(([name, field]) => fieldJson(field, values[name]));
  return Object.assign({}, ...fields) as FieldsJson<Table>;
}
