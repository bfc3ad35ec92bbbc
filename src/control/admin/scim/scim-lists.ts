import type { ListPart } from '../../identity/directory/directory-users.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { readFilter } from './scim-filter.ts';
import { scimRefusal } from './scim-refusals.ts';

// Lists as SCIM has them (RFC 7644, 3.4.2): a part from an index on, which begins at 1.

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
/** The resources of an answer. */
export const LIST_MAX = 200;
const LIST_USUAL = 100;
const INDEX_MAX = 1_000_000;

/** The query of a request. */
export type Query = (name: string) => string | undefined;

/** What a list is asked for. */
export interface ListRequest<Field extends string> {
  readonly asked: ReadonlyMap<Field, string | boolean>;
  readonly part: ListPart;
}

/** Reads what a list is asked for; `fields` has the names of what it can be filtered by. */
export function readListRequest<Field extends string>(
  query: Query,
  fields: ReadonlyMap<string, Field>,
): ListRequest<Field> | Refusal {
  const filter = query('filter');
  const asked = filter === undefined ? new Map<Field, string | boolean>() : readFilter(filter, fields);
  if (isRefusal(asked)) return asked;
  const startIndex = wholeNumber(query, 'startIndex', 1);
  if (isRefusal(startIndex)) return startIndex;
  const count = wholeNumber(query, 'count', LIST_USUAL);
  if (isRefusal(count)) return count;
  const offset = Math.min(Math.max(startIndex, 1), INDEX_MAX) - 1;
  return { asked, part: { offset, count: Math.min(Math.max(count, 0), LIST_MAX) } };
}

function wholeNumber(query: Query, name: string, usual: number): number | Refusal {
  const text = query(name);
  if (text === undefined || text === '') return usual;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : scimRefusal('invalidValue', `"${name}" must be a whole number.`);
}

/** A list as an answer has it. */
export function listJson(resources: readonly object[], total: number, { offset }: ListPart) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

const ALWAYS: readonly string[] = ['schemas', 'id', 'meta'];

/** The resource with the attributes alone that a request asks for, or without those that it excludes. */
export function projected(query: Query, resource: Readonly<Record<string, unknown>>): object {
  const only = namesIn(query('attributes'));
  const without = namesIn(query('excludedAttributes'));
  if (only === null && without === null) return resource;
  const entries = Object.entries(resource).filter(([name]) => {
    if (ALWAYS.includes(name)) return true;
    return only === null ? without?.has(name.toLowerCase()) !== true : only.has(name.toLowerCase());
  });
  return Object.fromEntries(entries);
}

/** Names of attributes in lower case, without their parts. */
function namesIn(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text === '') return null;
  return new Set(text.split(',').map((name) => name.trim().toLowerCase().split('.', 1)[0] ?? ''));
}
