import { isDeepStrictEqual } from 'node:util';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';

// What a file would change.

/** A client that sends changes with this expected version; without one, any. */
export type Connect = (version?: number) => AdminClient;

export interface FieldChange {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface Change {
  readonly kind: 'workspace' | 'project' | 'end user' | 'member' | 'alert rule';
  readonly name: string;
  readonly change:
    | 'create'
    | 'update'
    | 'replace'
    | 'restore'
    | 'archive'
    | 'invite'
    | 'remove'
    | 'delete'
    | 'limit'
    | 'unlimit';
  readonly fields: readonly FieldChange[];
  /** Makes the change. Returns what people need to know of it, such as an invitation's link. */
  readonly make: (connect: Connect) => Promise<string | null>;
}

/** What one section of a file changes. */
export interface SectionPlan {
  readonly changes: readonly Change[];
  /** What would take away what the section leaves out. */
  readonly removals: readonly Change[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields that are to be other than they are. */
export function changedFields(from: Fields, to: Fields): readonly FieldChange[] {
  const names = Object.keys(to).filter((name) => !isDeepStrictEqual(from[name] ?? null, to[name] ?? null));
  return names.map((field) => ({ field, from: textOf(from[field]), to: textOf(to[field]) }));
}

/** Those of the fields that change. */
export function valuesOf(changes: readonly FieldChange[], to: Fields): Fields {
  return definedFields(Object.fromEntries(changes.map(({ field }) => [field, to[field]])));
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Makes a change about which people need not know more. */
export function silently(make: (connect: Connect) => Promise<unknown>): Change['make'] {
  return async (connect) => {
    await make(connect);
    return null;
  };
}
