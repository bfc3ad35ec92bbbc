import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminRefused } from '../../../control/admin/client/send.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import type { KEY_COMMANDS } from '../../../control/operations/key-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { type Column, columnsText } from '../columns.ts';
import type { DeclaredCommands } from '../declared-commands.ts';
import { onlyWorkspace } from '../only-workspace.ts';

type Key = Awaited<ReturnType<AdminClient['showKey']>>;

type Commands = DeclaredCommands<typeof KEY_COMMANDS>;

/** A name has at most so many characters, and a key has more. */
const SEARCHED_MAX = 40;

/** `key list`, and `key find`, which takes what is known of a key. */
export function addKeyListing(commands: Commands, context: CliContext): void {
  commands.run('key list', async ({ given: { project, workspace, ...filter }, options }) => {
    if ((project === undefined) === (workspace === undefined))
      throw new CliFailure('name either a project or, with --workspace, a workspace');
    const client = context.connect(options);
    const data = await readAllPages((page) => {
      const query = { ...page, ...definedFields(filter) };
      return project === undefined ? client.listKeys(workspace ?? '', query) : client.listProjectKeys(project, query);
    });
    context.print(options, { data }, columnsText(data, 'There is no key.', COLUMNS));
  });
  commands.run('key find', async ({ given, options }) => {
    const client = context.connect(options);
    const data = await findKeys(client, given.text, given.workspace);
    if (data.length === 0) throw new CliFailure('no key was found');
    context.print(options, { data }, await placesText(client, data));
  });
}

const COLUMNS: readonly Column<Key>[] = [
  ['NAME', 'name'],
  ['KEY', 'masked_key'],
  ['STATE', stateOf],
  ['USD A MONTH', (each) => each.spend_limit_usd ?? 'no limit', 'right'],
  ['USED', 'used_usd', 'right'],
  ['MODELS', (each) => each.models?.join(',') ?? 'all'],
  ['EXPIRES', (each) => each.expires_at ?? 'never'],
  ['LAST USED', (each) => each.last_used_at ?? 'never'],
  ['ID', 'id'],
];

/** The one key that the text names, or else those of a workspace in which it occurs. */
async function findKeys(client: AdminClient, text: string, workspace: string | undefined): Promise<readonly Key[]> {
  try {
    return [await client.showKey(text)];
  } catch (fault) {
    // A text that may have a part of a secret is not searched for: searches are in URLs.
    if (!(fault instanceof AdminRefused) || fault.code !== 'NOT_FOUND' || text.length > SEARCHED_MAX) throw fault;
  }
  const searched = await onlyWorkspace(client, workspace);
  return await readAllPages((page) => client.listKeys(searched, { ...page, search: text }));
}

/** The keys, each with the names of its workspace and project. */
async function placesText(client: AdminClient, keys: readonly Key[]): Promise<string> {
  // All are of one workspace: a key is found by itself or in a search of one.
  const workspace = await client.showWorkspace(keys[0]?.workspace_id ?? '');
  return columnsText(keys, '', [
    ['WORKSPACE', () => workspace.name],
    ['PROJECT', 'project_name'],
    ['NAME', 'name'],
    ['KEY', 'masked_key'],
    ['STATE', stateOf],
    ['ID', 'id'],
  ]);
}

/** The state of a key, in a word. */
export function stateOf({ revoked_at, disabled_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return disabled_at === null ? 'active' : 'disabled';
}
