import type { KeySort, KeyState } from '../../../../src/domain/key-lists.ts';
import type { KeyListing } from '../../api/keys.ts';

/** What the address says of the list of keys. */
export interface KeySearch {
  readonly search?: string | undefined;
  readonly project?: string | undefined;
  readonly state?: KeyState | undefined;
  /** A user's id, or "me". */
  readonly owner?: string | undefined;
  readonly sort?: KeySort | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Whether it leaves keys out. */
export function isFiltered({ search, project, state, owner }: KeySearch): boolean {
  return [search, project, state, owner].some((value) => value !== undefined);
}

/** The list that it asks for. `me` is the signed-in user's id. */
export function listingOf(search: KeySearch, me: string): KeyListing {
  const { search: text = '', project = null, state = null, owner, sort = 'created', direction = 'desc' } = search;
  const createdBy = owner === 'me' ? me : (owner ?? null);
  return { search: text, project, state, createdBy, sort, descending: direction === 'desc' };
}
