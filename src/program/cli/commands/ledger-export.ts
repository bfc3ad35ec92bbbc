import type { AdminClient } from '../../../control/admin/client.ts';
import type { LEDGER_COMMANDS } from '../../../control/operations/ledger-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import type { Given } from '../declared-types.ts';

/** The records of a workspace, for spreadsheets and programs. */
export async function exportedRecords(
  client: AdminClient,
  { what, workspace, by, bucket, ...bounds }: Given<(typeof LEDGER_COMMANDS)['ledger export']>,
  format: 'csv' | 'ndjson',
): Promise<ReadableStream<Uint8Array>> {
  const query = { ...definedFields(bounds), format };
  if (what === 'usage')
    return await client.exportUsage(workspace, { ...query, ...definedFields({ group_by: by, bucket }) });
  if (by !== undefined || bucket !== undefined) throw new CliFailure('--by and --bucket are for usage');
  return await client.exportRecords(workspace, what, query);
}
