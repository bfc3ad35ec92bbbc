import { queryOptions } from '@tanstack/react-query';
import type { CellsFoundJson } from '../../../src/control/admin/cells/cell-contract.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './client.ts';

const LOOK_EVERY_MS = 30_000;
const NAMES_MAX = 10;

/** This cell and the others, each of which has a second to answer. */
export const cellsQuery = queryOptions({
  queryKey: ['operator', 'cells'],
  queryFn: ({ signal }) => callApi('GET /cells', { signal }),
  refetchInterval: LOOK_EVERY_MS,
});

/** What is looked for: workspaces by a part of their names, or the one of a request. */
export type Sought = { readonly search: string } | { readonly request_id: string };

type Names = CellsFoundJson['data'][number]['workspaces'];

/** What is found in this cell and in the others. A workspace that has moved is found where it lives. */
export const foundInCellsQuery = (sought: Sought) =>
  queryOptions({
    queryKey: ['operator', 'cells', 'found', sought],
    queryFn: async ({ signal }) => {
      const others = callApi('GET /cells/search', { signal, query: sought });
      const [here, { data }] = await Promise.all([namesHere(sought, signal), others]);
      return { here, others: data };
    },
  });

async function namesHere(sought: Sought, signal: AbortSignal): Promise<Names> {
  if ('search' in sought) {
    const query = { ...sought, limit: NAMES_MAX };
    const { data } = await callApi('GET /workspaces', { signal, query });
    return data.filter(({ moved_to: movedTo }) => movedTo === null);
  }
  try {
    const found = await callApi('GET /look-up', { signal, query: sought });
    const { workspace_id: id, workspace_name: name, moved_to: movedTo } = found;
    return movedTo === null ? [{ id, name }] : [];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Adds a cell, or changes one; version 0: it is not known yet. */
export const storeCell = (
  { shard, version }: { readonly shard: string; readonly version: number },
  body: { readonly url: string; readonly token: string },
) => callApi('PUT /cells/{shard}', { shard, version, body });

export const deleteCell = (shard: string, version: number) => callApi('DELETE /cells/{shard}', { shard, version });
