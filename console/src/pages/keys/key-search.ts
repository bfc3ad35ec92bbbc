import type { KeySort, KeyState } from '../../api/keys.ts';

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
