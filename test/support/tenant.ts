import type { AdminClient } from '../../src/control/admin/client.ts';

/** A workspace with one project and one key. */
export interface Tenant {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
}

export interface TenantSettings {
  /** In USD; null is none at all. Unless given it is more than a test spends. */
  readonly credit?: string | null;
  readonly project?: Omit<Parameters<AdminClient['createProject']>[1], 'name'>;
  readonly key?: Omit<Parameters<AdminClient['createKey']>[1], 'once'>;
}

let made = 0;

/** Makes one; without settings it has no limits and may call all models. */
export async function createTenant(admin: AdminClient, settings: TenantSettings): Promise<Tenant> {
  const { credit = '1000', project = {}, key = {} } = settings;
  made += 1;
  const workspace = await admin.createWorkspace({ name: `tenant ${made}` });
  if (credit !== null) await admin.postCredit(workspace.id, { kind: 'grant', amount_usd: credit, reason: 'a test' });
  const { id: projectId } = await admin.createProject(workspace.id, { name: 'project', ...project });
  const created = await admin.createKey(projectId, key);
  return { workspaceId: workspace.id, projectId, keyId: created.id, key: created.key };
}
