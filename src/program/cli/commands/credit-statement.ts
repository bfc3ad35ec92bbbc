import { type Command, InvalidArgumentError } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { printRecords } from '../print-records.ts';
import { pairs, table } from '../text-layout.ts';

type Statement = Awaited<ReturnType<AdminClient['showStatement']>>;

interface StatementOptions {
  readonly month?: string;
  readonly csv?: true;
}

const LINES_MAX = 200;

/** `credit statement`: a month of a workspace's credit. */
export function addStatementCommand(credit: Command, context: CliContext): void {
  credit
    .command('statement')
    .summary('show a month of the credit: its postings and the charges of each day, with a running balance')
    .argument('<workspace>', 'id or name')
    .option('--month <month>', 'such as 2026-11 (UTC); the present one unless given', month)
    .option('--csv', 'print all lines as CSV, the oldest first')
    .addHelpText('after', example('credit statement acme --month 2026-11 --csv'))
    .action(async (workspace: string, own: StatementOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const query = definedFields({ month: own.month });
      if (own.csv === true) return await printRecords(context, await client.exportStatement(workspace, query));
      const statement = await readStatement(client, workspace, query);
      context.print(options, statement, statementText(statement));
    });
}

/** All lines of the month, with its opening and closing balance. */
async function readStatement(
  client: AdminClient,
  workspace: string,
  query: { readonly month?: string },
): Promise<Statement> {
  const first = await client.showStatement(workspace, { ...query, limit: LINES_MAX });
  const data = [...first.data];
  for (let cursor = first.next_cursor; cursor !== null;) {
    const page = await client.showStatement(workspace, { ...query, limit: LINES_MAX, cursor });
    data.push(...page.data);
    cursor = page.next_cursor;
  }
  return { ...first, data, next_cursor: null };
}

function month(text: string): string {
  if (/^2\d{3}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Write a month such as 2026-11.');
}

/** A party of a statement in one line. */
export function partyText({ name, address, tax_id: taxId }: Statement['buyer']): string {
  return [name, address, taxId].filter((part) => part !== null).join(', ');
}

function statementText(statement: Statement): string {
  const facts = pairs([
    ['number', statement.number],
    ['month', statement.month],
    ['seller', statement.seller === null ? null : partyText(statement.seller)],
    ['buyer', partyText(statement.buyer)],
    ['opening balance', `${statement.opening_usd} USD`],
    ['closing balance', `${statement.closing_usd} USD`],
  ]);
  const rows = statement.data.map((line) => [
    line.kind === 'usage' ? line.starts_at.slice(0, 10) : line.starts_at,
    line.kind.replace('_', '-'),
    line.amount_usd,
    line.balance_usd,
    line.requests,
    line.reason,
  ]);
  const right = ['AMOUNT USD', 'BALANCE USD', 'REQUESTS'];
  const headings = ['AT', 'KIND', ...right, 'REASON'];
  return `${facts}\n${table(headings, rows, 'Nothing was posted or charged.', right)}`;
}
