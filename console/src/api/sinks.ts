import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { WorkspaceSinkJson, WorkspaceSinkUpdate } from '../../../src/control/admin/sinks/sink-contract.ts';
import { callApi } from './client.ts';

// What a workspace has delivered to the sinks of the instance.

export const sinksQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'sinks'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/sinks', { workspace, signal }),
  });

export const reloadSinks = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace, 'sinks'] });

export const updateSink = (workspace: string, { name, version }: WorkspaceSinkJson, body: WorkspaceSinkUpdate) =>
  callApi('PATCH /workspaces/{workspace}/sinks/{sink}', { workspace, sink: name, body, version });
