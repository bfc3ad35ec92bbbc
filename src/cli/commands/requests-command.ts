import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AdminClient } from '../../admin/client.ts';
import { globalsOf, type CliContext, type GlobalOptions } from '../cli-context.ts';
import { countUpTo, instant, usd } from '../option-values.ts';
import { plain, table } from '../text-layout.ts';

type ReceiptQuery = NonNullable<Parameters<AdminClient['listReceipts']>[1]>;
type ReceiptPage = Awaited<ReturnType<AdminClient['listReceipts']>>;
type ReceiptSummary = ReceiptPage['data'][number];

interface RequestsOptions {
  readonly key?: string;
  readonly project?: string;
  readonly model?: string;
  readonly from?: string;
  readonly to?: string;
  readonly minCharge?: string;
  readonly limit: number;
  readonly follow?: true;
}

const ITEMS_MAX = 200;
const POLL_MS = 1_000;

/** `requests WORKSPACE`: the newest requests of a workspace that have a receipt. */
export function addRequestsCommand(program: Command, context: CliContext): void {
  program
    .command('requests')
    .summary('list the newest requests of a workspace')
    .argument('<workspace>', 'id or name')
    .option('--key <key>', 'only those of this key: its id, or the key up to its public id')
    .option('--project <project>', 'only those of this project: its id or name')
    .option('--model <id>', 'only those of this model')
    .option('--from <time>', 'from this day or time on', instant)
    .option('--to <time>', 'before this day or time', instant)
    .option('--min-charge <usd>', 'only those that were charged as much or more', usd)
    .option('--limit <number>', `how many, at most ${ITEMS_MAX}`, countUpTo(ITEMS_MAX), 20)
    .option('-f, --follow', 'go on, and print each new request within a second, up to 200 of them')
    .action(async (workspace: string, own: RequestsOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      if (own.follow === true) return await follow(context, { client, workspace, own, options });
      const found = await search(client, workspace, own);
      context.print(options, { data: found }, requestsText(found));
    });
}

function queryOf(own: RequestsOptions): ReceiptQuery {
  const { key, project, model, from, to, minCharge } = own;
  return {
    ...(key === undefined ? {} : { key }),
    ...(project === undefined ? {} : { project }),
    ...(model === undefined ? {} : { model }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(minCharge === undefined ? {} : { min_charge_usd: minCharge }),
  };
}

/** Searches in as many calls as it takes, since each looks at a part of the receipts only. */
async function search(
  client: AdminClient,
  workspace: string,
  own: RequestsOptions,
): Promise<readonly ReceiptSummary[]> {
  const found: ReceiptSummary[] = [];
  let cursor: string | null = null;
  do {
    const limit = own.limit - found.length;
    const page: ReceiptPage = await client.listReceipts(workspace, {
      ...queryOf(own),
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && found.length < own.limit);
  return found;
}

interface Following {
  readonly client: AdminClient;
  readonly workspace: string;
  readonly own: RequestsOptions;
  readonly options: GlobalOptions;
}

/** Prints the newest requests, then each new one, a line each, until the process is stopped. */
async function follow(context: CliContext, { client, workspace, own, options }: Following): Promise<never> {
  let seen: ReadonlySet<string> | null = null;
  for (;;) {
    const { data } = await client.listReceipts(workspace, { ...queryOf(own), limit: ITEMS_MAX });
    const before: ReadonlySet<string> | null = seen;
    const fresh = before === null ? data.slice(0, own.limit) : data.filter((each) => !before.has(each.request_id));
    for (const each of fresh.toReversed()) context.print(options, each, `${lineOf(each)}\n`);
    seen = new Set(data.map((each) => each.request_id));
    await delay(POLL_MS);
  }
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
