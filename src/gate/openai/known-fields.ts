import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../lib/assert.ts';
import { fieldFault, type BodyFault, type FaultDetails } from './body-fault.ts';
import type { JsonScan } from './json-scan.ts';

// The known fields at the top level of a body, and the known members of the objects in it, each with a verdict.
// Unknown ones are collected in unknown-fields.ts.

/** Fields with the same verdict for the same reason. */
export type FieldGroup = PassingFields | PricedFields | RefusedFields;

interface FieldFacts {
  readonly names: readonly string[];
  /** For the table of docs/fields.md. */
  readonly reason: string;
  /** The field doesn't affect the answer, so that a provider without an equivalent can ignore it. */
  readonly isSilent?: true;
  /** How it becomes chat: `same` is copied under its name, `read` has a reader; absent if it isn't translated. */
  readonly inChat?: 'same' | 'read';
  /** A provider that counts a request's tokens accepts it. */
  readonly isCounted?: true;
}

/** Passed on unread: they don't affect the cost of a request, or what it can access. */
export interface PassingFields extends FieldFacts {
  readonly verdict: 'passes';
  /** The members of its value, or of the objects in a list; absent if all of it is the caller's own. */
  readonly members?: FieldTable;
}

/** Read before they pass, because the hold or the caller's rights depend on their values. */
export interface PricedFields extends FieldFacts {
  readonly verdict: 'priced';
}

/** Refused, except for null, which requests nothing, and for `values`. */
export interface RefusedFields extends FieldFacts {
  readonly verdict: 'refused';
  /** The values that pass; absent if none does. */
  readonly values?: readonly unknown[];
  /** For clients that recognise the refusal by them. */
  readonly details?: FaultDetails;
}

/** A table of fields or members, each listed once. */
export interface FieldTable<Priced extends string = string> {
  readonly groups: readonly FieldGroup[];
  readonly byName: ReadonlyMap<string, FieldGroup>;
  /** The fields for which a reader that uses this table must have a function. */
  readonly priced: ReadonlySet<Priced>;
}

/** The names of a table's priced fields. */
export type PricedIn<Table> = Table extends FieldTable<infer Priced> ? Priced : never;

type PricedNames<Groups extends readonly FieldGroup[]> = Extract<
  Groups[number],
  { readonly verdict: 'priced' }
>['names'][number];

/** Makes a table of groups; a field listed twice is a bug. */
export function fieldTable<const Groups extends readonly FieldGroup[]>(
  ...groups: Groups
): FieldTable<PricedNames<Groups>> {
  const byName = new Map(groups.flatMap((group) => group.names.map((name) => [name, group] as const)));
  const count = groups.reduce((sum, { names }) => sum + names.length, 0);
  assert(byName.size === count, 'a field has two verdicts');
  const priced = groups.flatMap(({ verdict, names }) => (verdict === 'priced' ? names : []));
  return { groups, byName, priced: new Set(priced as readonly PricedNames<Groups>[]) };
}

/** The names in the groups that satisfy the predicate. */
export function namesOf({ groups }: FieldTable, isMeant: (group: FieldGroup) => boolean): ReadonlySet<string> {
  return new Set(groups.flatMap((group) => (isMeant(group) ? group.names : [])));
}

/** More bytes than any value that may pass. */
const JUDGED_BYTES_MAX = 1_024;

/** The fault of the refused field at this position; null if its value may pass, and the scan is then past it. */
export function judge(scan: JsonScan, name: string, { values = [], reason, details }: RefusedFields): BodyFault | null {
  // No allowed value is an object or long, so others aren't parsed.
  const value: unknown = scan.kind() === 'object' || scan.exceeds(JUDGED_BYTES_MAX) ? undefined : scan.parsed();
  if (value === null || values.some((each) => isDeepStrictEqual(each, value))) return null;
  const allowed = values.map((each) => JSON.stringify(each)).join(' or ');
  const message =
    values.length === 0
      ? `'${name}' is not supported here: it ${reason}.`
      : `'${name}' can only be ${allowed} here: anything else ${reason}.`;
  return { ...fieldFault(name, message), ...(details && { details }) };
}
