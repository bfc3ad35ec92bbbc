import { type Command, Option } from 'commander';
import { AdminRefused, type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onlyWorkspace } from '../only-workspace.ts';
import { table } from '../text-layout.ts';

type Key = Awaited<ReturnType<AdminClient['showKey']>>;
type KeyQuery = NonNullable<Parameters<AdminClient['listKeys']>[1]>;

interface ListOptions {
  readonly workspace?: string;
  readonly search?: string;
  readonly state?: NonNullable<KeyQuery['state']>;
  readonly sort?: NonNullable<KeyQuery['sort']>;
}

const PROJECT = 'id, workspace/project, or a name that only one project has';
const HEADINGS = ['NAME', 'KEY', 'STATE', 'USD A MONTH', 'USED', 'MODELS', 'EXPIRES', 'LAST USED', 'ID'];
/** A name has at most so many characters, and a key has more. */
const SEARCHED_MAX = 40;
const RIGHT = ['USD A MONTH', 'USED'];

/** `key list`, and `key find`, which knows no more than what somebody has of a key. */
export function addKeyListing(key: Command, context: CliContext): void {
  key
    .command('list')
    .summary('list the keys of a project, or of a workspace')
    .argument('[project]', PROJECT)
    .option('--workspace <workspace>', 'those of all projects of this workspace: id or name')
    .option('--search <text>', 'only those with this in their name, their key or the name of who created them')
    .addOption(new Option('--state <state>', 'only those').choices(['active', 'disabled', 'expired', 'revoked']))
    .addOption(new Option('--sort <by>', 'the order').choices(['created', 'name', 'expiry', 'spend', 'last_use']))
    .addHelpText('after', example('key list --workspace acme --sort spend'))
    .action(async (project: string | undefined, own: ListOptions, command: Command) => {
      const { workspace, ...filter } = own;
      if ((project === undefined) === (workspace === undefined))
        throw new CliFailure('name either a project or, with --workspace, a workspace');
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) =>
        project === undefined
          ? client.listKeys(workspace ?? '', { ...page, ...filter })
          : client.listProjectKeys(project, { ...page, ...filter }),
      );
      context.print(options, { data }, keysText(data, 'There is no key.'));
    });

  key
    .command('find')
    .summary('find a key by what is known of it: in full, masked, its id, its last four characters, or a name')
    .argument('<text>', 'a key in any printed form, or a part of its name')
    .option('--workspace <workspace>', 'where to look for a part; may be left out if there is only one')
    .addHelpText('after', example('key find fg_live_00a8Jk2LmQ9xYz…7Rt2'))
    .action(async (text: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await findKeys(client, text, own.workspace);
      if (data.length === 0) throw new CliFailure('no key was found');
      context.print(options, { data }, await placesText(client, data));
    });
}

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
  const rows = keys.map((key) => [workspace.name, key.project_name, key.name, key.masked_key, stateOf(key), key.id]);
  return table(['WORKSPACE', 'PROJECT', 'NAME', 'KEY', 'STATE', 'ID'], rows, '');
}

function keysText(keys: readonly Key[], empty: string): string {
  const rows = keys.map((each) => [
    each.name,
    each.masked_key,
    stateOf(each),
    each.spend_limit_usd ?? 'no limit',
    each.used_usd,
    each.models?.join(',') ?? 'all',
    each.expires_at ?? 'never',
    each.last_used_at ?? 'never',
    each.id,
  ]);
  return table(HEADINGS, rows, empty, RIGHT);
}

/** The state of a key, in a word. */
export function stateOf({ revoked_at, disabled_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return disabled_at === null ? 'active' : 'disabled';
}
