import type { KeyCreation } from '../../src/control/admin/accounts/account-contract.ts';
import { type SignedInPerson, signedIn } from './signed-in-person.ts';
import type { Site } from './site.ts';

/** A workspace of a test of pages: its owner, a project and credit for requests. */
export interface WorkspaceStage {
  readonly owner: SignedInPerson;
  readonly workspace: string;
  readonly project: string;
  readonly createKey: (settings: Omit<KeyCreation, 'once'>) => Promise<{ readonly id: string; readonly key: string }>;
  /** Sends a short request to the sandbox with a key. Resolves with the status. */
  readonly ask: (key: string) => Promise<number>;
}

export async function openWorkspace(site: Site, projectName = 'web'): Promise<WorkspaceStage> {
  const owner = await signedIn(site);
  const workspace = owner.workspaceId;
  await site.admin.postCredit(workspace, { kind: 'grant', amount_usd: '5.00', reason: 'a test' });
  const { id: project } = await site.admin.createProject(workspace, { name: projectName });
  return {
    owner,
    workspace,
    project,
    createKey: (settings) => site.admin.createKey(project, settings),
    ask: async (key) => {
      const answer = await fetch(`${site.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await answer.text();
      return answer.status;
    },
  };
}
