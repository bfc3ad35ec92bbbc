import type { PriceAdjustmentChange } from '../../../src/control/admin/catalogue/price-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

/** By how much a workspace's prices differ from the list's, now and formerly, the newest first. */
export const adjustmentsQuery = (workspace: string) =>
  pagedQuery(['workspace', workspace, 'prices'], ({ signal, cursor }) =>
    callApi('GET /workspaces/{workspace}/prices', { workspace, signal, query: { cursor, limit: 200 } }),
  );

export const adjustPrices = (workspace: string, body: PriceAdjustmentChange) =>
  callApi('POST /workspaces/{workspace}/prices', { workspace, body });
