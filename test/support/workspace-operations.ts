import type { AdminApp } from '../../src/control/admin/route-access.ts';
import type { Permission } from '../../src/domain/roles.ts';

/** An operation on a workspace, as the document of the admin API has it. */
export interface WorkspaceOperation {
  readonly operationId: string;
  readonly method: string;
  /** Below `/admin/v1/workspaces/{workspace}`. */
  readonly path: string;
  readonly permission: Permission;
  readonly hasBody: boolean;
  /** Whether it answers members about their own things who have the permission for these alone. */
  readonly servesOwn: boolean;
}

/** All operations on a workspace that the app's document has. */
export async function workspaceOperations(described: AdminApp): Promise<readonly WorkspaceOperation[]> {
  const { paths } = (await (await described.request('/admin/openapi.json')).json()) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const root = '/admin/v1/workspaces/{workspace}';
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-access'] === 'workspace')
      .map(([method, operation]) => ({
        operationId: String(operation['operationId']),
        method: method.toUpperCase(),
        path: path.slice(root.length),
        permission: operation['x-permission'] as Permission,
        hasBody: 'requestBody' in operation,
        servesOwn: 'x-own' in operation,
      })),
  );
}
