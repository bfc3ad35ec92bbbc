import type { AdminClient } from '../../control/admin/client.ts';
import { CliFailure } from './cli-failure.ts';

const LISTED_MAX = 200;

/** The workspace that was named; unless one was, the only one that is not closed. @throws CliFailure */
export async function onlyWorkspace(client: AdminClient, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { data, next_cursor: rest } = await client.listWorkspaces({ limit: LISTED_MAX });
  const open = data.filter(({ state }) => state !== 'closed');
  const [only, another] = open;
  if (only === undefined) throw new CliFailure('there is no workspace yet; make one with "faregate workspace create"');
  if (another !== undefined || rest !== null)
    throw new CliFailure('there are several workspaces; name one, as "faregate workspace list" lists them');
  return only.id;
}
