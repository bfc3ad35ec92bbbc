import { Argument, type Command, Option } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import { example } from '../example.ts';
import { instant } from '../option-values.ts';
import { printRecords } from '../print-records.ts';

type UsageQuery = NonNullable<Parameters<AdminClient['exportUsage']>[1]>;

interface ExportOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by?: NonNullable<UsageQuery['group_by']>;
  readonly bucket?: NonNullable<UsageQuery['bucket']>;
}

const GROUPS = ['model', 'key', 'member', 'project', 'outcome', 'dialect', 'session'];

/** `ledger export`: the records of a workspace, for spreadsheets and programs. */
export function addExportCommand(ledger: Command, context: CliContext): void {
  ledger
    .command('export')
    .summary('print records as CSV, or as lines of JSON, with amounts that add up to the ledger')
    .addArgument(new Argument('<what>', 'which records').choices(['receipts', 'entries', 'usage']))
    .argument('<workspace>', 'id or name')
    .option('--from <date>', 'from this time on; a date means its start in UTC', instant)
    .option('--to <date>', 'before this time; a date means its start in UTC', instant)
    .addOption(new Option('--by <what>', 'how to group usage').choices(GROUPS))
    .addOption(new Option('--bucket <length>', 'how to cut usage in time').choices(['hour', 'day']))
    .addHelpText('after', example('ledger export receipts acme --from 2026-11-01 --to 2026-12-01'))
    .action(async (what: 'receipts' | 'entries' | 'usage', workspace: string, own: ExportOptions, command: Command) => {
      const options = globalsOf(command);
      const { by, bucket, ...range } = own;
      const query = { ...range, format: options.json === true ? ('ndjson' as const) : ('csv' as const) };
      const client = context.connect(options);
      if (what === 'usage') {
        const grouped = { ...query, ...definedFields({ group_by: by, bucket }) };
        return await printRecords(context, await client.exportUsage(workspace, grouped));
      }
      if (by !== undefined || bucket !== undefined) throw new CliFailure('--by and --bucket are for usage');
      await printRecords(context, await client.exportRecords(workspace, what, query));
    });
}
