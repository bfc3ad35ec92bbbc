import type { Program } from './program.ts';

/** A workspace with one project and one key, made through the command line. */
export interface Tenant {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
}

let made = 0;

/** Makes a tenant with this credit; `projectArgs` and `keyArgs` are flags of `project create` and `key create`. */
export async function createTenant(
  program: Program,
  tenant: { credit?: string; projectArgs?: readonly string[]; keyArgs?: readonly string[] } = {},
): Promise<Tenant> {
  made += 1;
  const workspace = await program.json<{ id: string }>('workspace', 'create', `tenant ${made}`);
  if (tenant.credit !== undefined) {
    await program.json('credit', 'grant', workspace.id, tenant.credit, '--reason', 'test');
  }
  const { projectArgs = [], keyArgs = [] } = tenant;
  const named = [workspace.id, `project ${made}`];
  const project = await program.json<{ id: string }>('project', 'create', ...named, ...projectArgs);
  const key = await program.json<{ id: string; key: string }>('key', 'create', project.id, ...keyArgs);
  return { workspaceId: workspace.id, projectId: project.id, keyId: key.id, key: key.key };
}

/** Sends a chat request with this key. */
export function chat(
  program: Pick<Program, 'url'>,
  key: string,
  body: object,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });
}
