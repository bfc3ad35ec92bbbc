import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  KeyCreation,
  KeyJson,
  KeyRotation,
  KeyUpdate,
} from '../../../src/control/admin/accounts/account-contract.ts';
import type { KeySort, KeyState } from '../../../src/domain/key-lists.ts';
import { usageGroupsThatFit } from '../../../src/domain/usage-bounds.ts';
import type { SearchTexts } from '../paths.ts';
import { callApi } from './client.ts';
import { filteredQuery } from './paged.ts';

/** Which keys of a workspace are listed, and in which order. */
export interface KeyListing {
  readonly search: string;
  readonly project: string | null;
  readonly state: KeyState | null;
  /** The user who created them. */
  readonly createdBy: string | null;
  readonly sort: KeySort;
  readonly descending: boolean;
}

/** What the address says of the list of keys. Its owner is a user's id, or "me". */
export interface KeySearch extends SearchTexts<'search' | 'project' | 'owner'> {
  readonly state?: KeyState | undefined;
  readonly sort?: KeySort | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Whether it leaves keys out. */
export function leavesKeysOut({ search, project, state, owner }: KeySearch): boolean {
  return [search, project, state, owner].some((value) => value !== undefined);
}

/** The list that it asks for. `me` is the signed-in user's id. */
export function listingOf(search: KeySearch, me: string): KeyListing {
  const { search: text = '', project = null, state = null, owner, sort = 'created', direction = 'desc' } = search;
  const createdBy = owner === 'me' ? me : (owner ?? null);
  return { search: text, project, state, createdBy, sort, descending: direction === 'desc' };
}

const PAGE_ROWS = 50;

const COUNTED_MAX = 200;

/** The first of the keys that work, to count them. */
export const activeKeysQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'active'],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/keys', {
        workspace,
        signal,
        query: { state: 'active', limit: COUNTED_MAX },
      }),
  });

export const keysQuery = (workspace: string, listing: KeyListing) =>
  filteredQuery(['workspace', workspace, 'keys', 'list', listing], ({ signal, cursor }) => {
    const { search, project, state, createdBy, sort, descending } = listing;
    const direction = descending ? 'desc' : 'asc';
    const page = { cursor, limit: PAGE_ROWS };
    const query = { search, state, created_by: createdBy, sort, direction, ...page } as const;
    return project === null
      ? callApi('GET /workspaces/{workspace}/keys', { workspace, signal, query })
      : callApi('GET /workspaces/{workspace}/projects/{project}/keys', { workspace, project, signal, query });
  });

export const keyQuery = (workspace: string, key: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'key', key],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/keys/{key}', { workspace, key, signal }),
  });

const CHOICES_MAX = 50;

/** Keys to choose from: active ones with the text in their name. */
export const keyChoicesQuery = (workspace: string, search: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'choices', search],
    queryFn: async ({ signal }): Promise<readonly KeyJson[]> => {
      const query = { search, state: 'active', sort: 'name', limit: CHOICES_MAX } as const;
      return (await callApi('GET /workspaces/{workspace}/keys', { workspace, signal, query })).data;
    },
  });

/** Reads keys again that are shown, in lists and alone. Resolves when it is done. */
export async function reloadKeys(queries: QueryClient, workspace: string): Promise<void> {
  await Promise.all(
    ['key', 'keys'].map((area) => queries.invalidateQueries({ queryKey: ['workspace', workspace, area] })),
  );
}

export const KEY_USAGE_DAYS = 30;

/** What a key was used for by day and model, from the beginning of a day (UTC) on. */
export const keyUsageQuery = ({ workspace_id: workspace, id }: Pick<KeyJson, 'workspace_id' | 'id'>, from: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'usage', { key: id, from }],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/usage', {
        workspace,
        signal,
        query: { key: id, from, bucket: 'day', group_by: 'model', limit: usageGroupsThatFit(KEY_USAGE_DAYS) },
      }),
    staleTime: 60_000,
  });

/** Creates a key; the answer lacks the secret if an earlier request already created the key and got it. */
export const createKey = (workspace: string, project: string, body: KeyCreation) =>
  callApi('POST /workspaces/{workspace}/projects/{project}/keys', { workspace, project, body });

/** A key that is changed, as it was read. */
type Seen = Pick<KeyJson, 'workspace_id' | 'id' | 'version'>;

/** The parameters of the path of a key. */
const at = ({ workspace_id: workspace, id: key }: Omit<Seen, 'version'>) => ({ workspace, key });

export const updateKey = (key: Seen, body: KeyUpdate) =>
  callApi('PATCH /workspaces/{workspace}/keys/{key}', { ...at(key), body, version: key.version });

export const rotateKey = (key: Seen, body: KeyRotation) =>
  callApi('POST /workspaces/{workspace}/keys/{key}/rotate', { ...at(key), body, version: key.version });

export const endFormerSecret = (key: Omit<Seen, 'version'>) =>
  callApi('POST /workspaces/{workspace}/keys/{key}/end-former-secret', at(key));

export const revokeKey = (key: Omit<Seen, 'version'>) =>
  callApi('POST /workspaces/{workspace}/keys/{key}/revoke', at(key));
