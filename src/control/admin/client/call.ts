import type { LocationJson } from '../accounts/account-contract.ts';

// What all calls of the admin API's client are made of.

/** Sends one request below `/admin/v1`, and returns the body of its answer. */
export type Call = <Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', at: string, body?: object) => Promise<Answer>;

/** The requested page of a list, by the `next_cursor` of the previous page; 200 items at most. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page of a list; on the last page, `next_cursor` is null. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** Joins values into a path; each is encoded, so a name may contain any character. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/** The defined values, as a query string. */
export function queryOf(values: object): string {
  const entries = Object.entries(values) as [string, string | number | boolean | undefined][];
  const given = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Where the lists of a workspace begin; null: those of the operator. */
export function ownerPath(workspace: string | null): string {
  return workspace === null ? '' : path`/workspaces/${workspace}`;
}

/** Where a project, a key or a request is. Exactly one of them is given. */
export async function locate(
  call: Call,
  query: { readonly project: string } | { readonly key: string } | { readonly request_id: string },
): Promise<LocationJson> {
  return await call<LocationJson>('GET', '/look-up' + queryOf(query));
}
