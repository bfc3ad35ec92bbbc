import type { AdminClient } from '../../../control/admin/client.ts';
import type { LEDGER_COMMANDS } from '../../../control/operations/ledger-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import type { Given } from '../declared-types.ts';

/** The records of a workspace, for spreadsheets and programs. */
export async function exportedRecords(
  client: AdminClient,
  { what, workspace, by, andBy, bucket, ...bounds }: Given<(typeof LEDGER_COMMANDS)['ledger export']>,
  format: 'csv' | 'ndjson',
): Promise<ReadableStream<Uint8Array>> {
  const query = { ...definedFields(bounds), format };
  if (what === 'usage')
    return await client.exportUsage(workspace, { ...query, ...definedFields({ group_by: by, and_by: andBy, bucket }) });
  if ([by, andBy, bucket].some((option) => option !== undefined)) {
    throw new CliFailure('--by, --and-by and --bucket are for usage');
  }
  return await client.exportRecords(workspace, what, query);
}
