import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  ChangedKeyJson,
  CreatedKeyJson,
  KeyCreation,
  KeyJson,
  KeyRotation,
  KeyUpdate,
  RotatedKeyJson,
} from '../../../src/control/admin/accounts/account-contract.ts';
import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { usageGroupsThatFit } from '../../../src/domain/usage-bounds.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

export const KEY_SORTS = ['created', 'name', 'expiry', 'spend', 'last_use'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

export const KEY_STATES = ['active', 'disabled', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

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

const PAGE_ROWS = 50;

const COUNTED_MAX = 200;

/** The first of the keys that work, to count them. */
export const activeKeysQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'active'],
    queryFn: ({ signal }) =>
      callApi<Page<KeyJson>>('GET', pathOf`/workspaces/${workspace}/keys`, {
        signal,
        query: { state: 'active', limit: COUNTED_MAX },
      }),
  });

export const keysQuery = (workspace: string, listing: KeyListing) =>
  infiniteQueryOptions({
    queryKey: ['workspace', workspace, 'keys', 'list', listing],
    queryFn: ({ signal, pageParam }) => {
      const { search, project, state, createdBy, sort, descending } = listing;
      const path =
        project === null
          ? pathOf`/workspaces/${workspace}/keys`
          : pathOf`/workspaces/${workspace}/projects/${project}/keys`;
      const direction = descending ? 'desc' : 'asc';
      const query = { search, state, created_by: createdBy, sort, direction, cursor: pageParam, limit: PAGE_ROWS };
      return callApi<Page<KeyJson>>('GET', path, { signal, query });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const keyQuery = (workspace: string, key: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'key', key],
    queryFn: ({ signal }) => callApi<KeyJson>('GET', pathOf`/workspaces/${workspace}/keys/${key}`, { signal }),
  });

const CHOICES_MAX = 50;

/** Keys to choose from: those that work, whose name has the text. */
export const keyChoicesQuery = (workspace: string, search: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'choices', search],
    queryFn: async ({ signal }): Promise<readonly KeyJson[]> => {
      const query = { search, state: 'active', sort: 'name', limit: CHOICES_MAX };
      return (await callApi<Page<KeyJson>>('GET', pathOf`/workspaces/${workspace}/keys`, { signal, query })).data;
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
      callApi<UsageJson>('GET', pathOf`/workspaces/${workspace}/usage`, {
        signal,
        query: { key: id, from, bucket: 'day', group_by: 'model', limit: usageGroupsThatFit(KEY_USAGE_DAYS) },
      }),
    staleTime: 60_000,
  });

/** A new key; without its secret if it was created by an earlier request, whose answer had it. */
export type NewKeyJson = CreatedKeyJson | (ChangedKeyJson & { readonly key: null });

export const createKey = (workspace: string, project: string, body: KeyCreation) =>
  callApi<NewKeyJson>('POST', pathOf`/workspaces/${workspace}/projects/${project}/keys`, { body });

/** A key that is changed, as it was read. */
type Seen = Pick<KeyJson, 'workspace_id' | 'id' | 'version'>;

const below = ({ workspace_id: workspace, id }: Omit<Seen, 'version'>) => pathOf`/workspaces/${workspace}/keys/${id}`;

export const updateKey = (key: Seen, body: KeyUpdate) =>
  callApi<ChangedKeyJson>('PATCH', below(key), { body, version: key.version });

export const rotateKey = (key: Seen, body: KeyRotation) =>
  callApi<RotatedKeyJson>('POST', `${below(key)}/rotate`, { body, version: key.version });

export const endFormerSecret = (key: Omit<Seen, 'version'>) =>
  callApi<KeyJson>('POST', `${below(key)}/end-former-secret`);

export const revokeKey = (key: Omit<Seen, 'version'>) => callApi<KeyJson>('POST', `${below(key)}/revoke`);
