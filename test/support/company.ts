import { randomUUID } from 'node:crypto';
import { type AccessChange, changeAccess } from '../../src/control/identity/workspace-access.ts';
import { addDomain, approveDomain } from '../../src/control/identity/workspace-domains.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { TargetNetwork } from '../../src/lib/target-network.ts';
import { granted } from './accounts.ts';
import { newWorkspace } from './identity.ts';
import { testKeyring } from './keyring.ts';
import { scopeOf } from './scopes.ts';

/** Changes how a workspace is accessed, whatever was decided before. */
export async function changeAccessOf(sql: Sql, workspaceId: string, change: AccessChange) {
  const parts = { sql, keyring: testKeyring(sql), network: new TargetNetwork(['127.0.0.0/8']) };
  return await changeAccess(parts, scopeOf(workspaceId), { version: null, change });
}

/** A domain that no other workspace has, which the operator has approved. */
export async function provenDomain(sql: Sql, workspaceId: string): Promise<string> {
  const domain = `d-${randomUUID()}.example`;
  granted(await addDomain(sql, scopeOf(workspaceId), domain));
  granted(await approveDomain(sql, scopeOf(workspaceId), domain));
  return domain;
}

/** A workspace with a domain of its own, and this access. */
export async function openCompany(
  sql: Sql,
  access: AccessChange,
): Promise<{ readonly workspaceId: string; readonly domain: string }> {
  const workspaceId = await newWorkspace(sql);
  const domain = await provenDomain(sql, workspaceId);
  granted(await changeAccessOf(sql, workspaceId, access));
  return { workspaceId, domain };
}
