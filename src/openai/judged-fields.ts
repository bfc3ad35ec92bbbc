import { isDeepStrictEqual } from 'node:util';
import { fieldFault, type BodyFault } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';
import type { FieldReader } from './request-fields.ts';

// Fields by which a request could buy something else than its model's entry prices, or reach what isn't the caller's.

/** Null may always pass: it asks for nothing. */
export interface Judgement {
  /** The other values that may pass. */
  readonly values: readonly unknown[];
  /** What any other value does, in the words of the refusal. */
  readonly reason: string;
}

/** More than any value takes that may pass. */
const JUDGED_BYTES_MAX = 1_024;

/** No value may pass. */
export function never(reason: string): Judgement {
  return { values: [], reason };
}

/** The readers of a body's judged fields, by their names. */
export function judgedBy(judgements: Readonly<Record<string, Judgement>>): Record<string, FieldReader<unknown>> {
  const readers = Object.entries(judgements).map(([name, judgement]) => [name, readerOf(judgement)] as const);
  return Object.fromEntries(readers);
}

function readerOf(judgement: Judgement): FieldReader<unknown> {
  return (scan, _draft, name) => judge(scan, name, judgement);
}

function judge(scan: JsonScan, name: string, { values, reason }: Judgement): BodyFault | null {
  // No object is an allowed value, and nothing long is, so none is worth parsing.
  const value: unknown = scan.kind() === 'object' || scan.exceeds(JUDGED_BYTES_MAX) ? undefined : scan.parsed();
  if (value === null || values.some((each) => isDeepStrictEqual(each, value))) return null;
  if (values.length === 0) return fieldFault(name, `'${name}' is not supported here: it ${reason}.`);
  const allowed = values.map((each) => JSON.stringify(each)).join(' or ');
  return fieldFault(name, `'${name}' can only be ${allowed} here: anything else ${reason}.`);
}
