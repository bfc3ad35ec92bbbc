import { type Command, Option } from 'commander';
import { DIALECTS, OUTCOMES } from '../../../domain/receipt.ts';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext, type GlobalOptions } from '../cli-context.ts';
import { example } from '../example.ts';
import { CliFailure } from '../cli-failure.ts';
import { onlyWorkspace } from '../only-workspace.ts';
import { countUpTo, httpStatus, instant, timeSince, usd } from '../option-values.ts';
import { plain, table } from '../text-layout.ts';
import { followRequests, pollStart, POLLED_MAX, type ReceiptSummary } from './follow-requests.ts';
import { refusalCountsText, refusalsText } from './refusal-text.ts';

type ReceiptQuery = NonNullable<Parameters<AdminClient['listReceipts']>[1]>;
type RefusalQuery = NonNullable<Parameters<AdminClient['listRefusals']>[1]>;
type ReceiptPage = Awaited<ReturnType<AdminClient['listReceipts']>>;

interface RequestsOptions {
  readonly key?: string;
  readonly project?: string;
  readonly model?: string;
  readonly outcome?: NonNullable<ReceiptQuery['outcome']>;
  readonly dialect?: NonNullable<ReceiptQuery['dialect']>;
  readonly session?: string;
  readonly endUser?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minCharge?: string;
  readonly limit: number;
  readonly follow?: true;
  readonly refused?: true;
  readonly all?: true;
  readonly count?: true;
  readonly status?: string;
  readonly code?: string;
}

const ITEMS_MAX = 200;
/** While it follows requests, an instance that does not answer in this time counts as away. */
const POLL_ANSWER_MS_MAX = 10_000;
const POLL_MS = 1_000;

/** `requests [WORKSPACE]`: the newest requests of a workspace that have a receipt, or that were refused. */
export function addRequestsCommand(program: Command, context: CliContext): void {
  program
    .command('requests')
    .summary('list the newest requests of a workspace, or the refused ones')
    .argument('[workspace]', 'id or name; may be left out if there is only one')
    .option('--key <key>', 'only those of this key: its id, or the key up to its public id')
    .option('--project <project>', 'only those of this project: its id or name')
    .option('--model <id>', 'only those of this model')
    .addOption(new Option('--outcome <outcome>', 'only those that ended so').choices(OUTCOMES).conflicts('refused'))
    .addOption(new Option('--dialect <dialect>', 'only those of this API').choices(DIALECTS).conflicts('refused'))
    .addOption(new Option('--session <id>', "only those of this agent's session").conflicts('refused'))
    .addOption(new Option('--end-user <name>', 'with --project: only those of this end user').conflicts('refused'))
    .option('--since <time>', 'from here on: 30m, 12h, 7d, a date or an instant', timeSince)
    .option('--until <time>', 'before this date or instant', instant)
    .addOption(
      new Option('--min-charge <usd>', 'only those that were charged as much or more')
        .argParser(usd)
        .conflicts('refused'),
    )
    .option('--limit <number>', `how many, at most ${ITEMS_MAX}`, countUpTo(ITEMS_MAX), 20)
    .option('-f, --follow', 'go on, and print each new request within a second, until Ctrl-C')
    .addOption(new Option('--refused', 'those that were refused, as long as they are kept').conflicts('follow'))
    .addOption(
      new Option('--status <status>', 'only those answered so: a status such as 402, or 2xx, 4xx or 5xx')
        .argParser(httpStatus)
        .conflicts(['outcome', 'dialect', 'session', 'endUser', 'minCharge', 'follow']),
    )
    .addOption(new Option('--all', 'with --refused: those of all workspaces').conflicts(['key', 'project']))
    .addOption(new Option('--count', 'with --refused --all: how many with each code, rather than each request'))
    .addOption(new Option('--code <code>', 'only those that were refused with this code').implies({ refused: true }))
    .addHelpText('after', example('requests acme --status 4xx --since 12h'))
    .action(async (named: string | undefined, own: RequestsOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      if (own.all === true) {
        if (named !== undefined || own.refused !== true)
          throw new CliFailure('--all lists the --refused of all workspaces');
        if (own.count === true) {
          const counts = await client.countAllRefusals(refusalChoiceOf(own));
          return context.print(options, counts, refusalCountsText(counts));
        }
        const refused = await client.listAllRefusals({ ...refusalChoiceOf(own), limit: own.limit });
        return context.print(options, refused, refusalsText(refused));
      }
      if (own.count === true) throw new CliFailure('--count takes --refused --all');
      const workspace = await onlyWorkspace(client, named);
      if (own.refused === true || isError(own.status)) {
        const refused = await client.listRefusals(workspace, refusalQueryOf(own));
        const failed =
          own.status === '5xx' ? (await search(client, workspace, { ...own, outcome: 'failed' })).data : [];
        const failedText = failed.length === 0 ? '' : `\n${requestsText(failed)}`;
        const found = own.status === undefined ? refused : { ...refused, failed };
        return context.print(options, found, refusalsText(refused) + failedText);
      }
      if (own.follow === true) return await follow(context, client, { workspace, own, options });
      const found = await search(client, workspace, own);
      const { data, end_user_since: since } = found;
      const sinceText = since === undefined ? '' : `Requests of end users are found from ${since} on.\n`;
      context.print(options, found, requestsText(data) + sinceText);
    });
}

function isError(status: string | undefined): boolean {
  return status !== undefined && !status.startsWith('2');
}

function queryOf({
  key,
  project,
  model,
  dialect,
  session,
  endUser,
  since,
  until,
  minCharge,
  ...own
}: RequestsOptions): ReceiptQuery {
  const outcome = own.outcome ?? (own.status?.startsWith('2') === true ? 'completed' : undefined);
  const time = { from: since, to: until };
  const served = { session, end_user: endUser };
  return definedFields({ key, project, model, outcome, dialect, ...served, ...time, min_charge_usd: minCharge });
}

function refusalQueryOf({ key, project, ...own }: RequestsOptions): RefusalQuery {
  return { ...refusalChoiceOf(own), ...definedFields({ key, project }), limit: own.limit };
}

type RefusalChoice = Omit<RefusalQuery, 'key' | 'project' | 'cursor' | 'limit'>;

function refusalChoiceOf({ model, since, until, status, code }: RequestsOptions): RefusalChoice {
  return definedFields({ model, from: since, to: until, code: code as RefusalQuery['code'], status });
}

/** Searches in as many calls as it takes, since each looks at a part of the receipts only. */
async function search(
  client: AdminClient,
  workspace: string,
  own: RequestsOptions,
): Promise<{ readonly data: readonly ReceiptSummary[]; readonly end_user_since?: string }> {
  let since: string | null = null;
  const found: ReceiptSummary[] = [];
  let cursor: string | null = null;
  do {
    const limit = own.limit - found.length;
    const page: ReceiptPage = await client.listReceipts(workspace, {
      ...queryOf(own),
      limit,
      ...definedFields({ cursor: cursor ?? undefined }),
    });
    found.push(...page.data);
    cursor = page.next_cursor;
    since = page.end_user_since;
  } while (cursor !== null && found.length < own.limit);
  return { data: found, ...definedFields({ end_user_since: since ?? undefined }) };
}

interface FollowedList {
  readonly workspace: string;
  readonly own: RequestsOptions;
  readonly options: GlobalOptions;
}

/** Prints the newest requests, then each new one, a line each, until the process is stopped. */
async function follow(context: CliContext, client: AdminClient, { workspace, own, options }: FollowedList) {
  const onRequest = (each: ReceiptSummary): void => context.print(options, each, `${lineOf(each)}\n`);
  const newest = async (connected: AdminClient, from: string) => {
    const query = { ...queryOf(own), from: later(from, own.since), limit: POLLED_MAX };
    return (await connected.listReceipts(workspace, query)).data;
  };
  const stopped = context.surroundings.stopped();
  // In this order, so that a request in between is printed.
  const before = await newest(client, pollStart());
  const { data: shown } = await search(client, workspace, own);
  for (const each of shown.toReversed()) onRequest(each);
  const following = {
    connect: () => context.connect(options, { answerMsMax: POLL_ANSWER_MS_MAX }),
    newest,
    onRequest,
    onNotice: (sentence: string) => context.surroundings.err(`faregate: ${sentence}\n`),
    stopped,
    pollMs: POLL_MS,
  };
  await followRequests(following, [...before, ...shown]);
}

/** The later one of two ISO instants in UTC. */
function later(one: string, other: string | undefined): string {
  return other !== undefined && other > one ? other : one;
}

function cellsOf(each: ReceiptSummary): readonly string[] {
  const { admitted_at: at, model, outcome, net_charge_usd: charge, duration_ms: ms, key_name: key } = each;
  return [at, model, outcome, charge, String(ms), key, each.request_id];
}

function lineOf(each: ReceiptSummary): string {
  return plain(cellsOf(each).join('  '));
}

function requestsText(found: readonly ReceiptSummary[]): string {
  const headings = ['ADMITTED', 'MODEL', 'OUTCOME', 'USD', 'MS', 'KEY', 'REQUEST'];
  return table(headings, found.map(cellsOf), 'No request was found.', ['USD', 'MS']);
}
