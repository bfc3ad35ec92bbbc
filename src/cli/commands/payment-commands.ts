import type { Command } from 'commander';
import { readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { table } from '../text-layout.ts';

const RIGHT = ['CREDIT USD', 'FEE USD', 'REFUNDED USD', 'DISPUTED USD'];

/** `payments list`. */
export function addPaymentCommands(program: Command, context: CliContext): void {
  program
    .command('payments')
    .summary('payments for credit')
    .command('list')
    .summary('list top-ups and what became of them, of one workspace or of all')
    .argument('[workspace]', 'id or name')
    .action(async (workspace: string | undefined, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) =>
        workspace === undefined ? client.listPayments(page) : client.listTopUps(workspace, page),
      );
      const rows = data.map((topUp) => [
        topUp.created_at,
        topUp.id,
        topUp.workspace_id,
        topUp.provider,
        topUp.state,
        topUp.amount_usd,
        topUp.fee_usd,
        topUp.refunded_usd,
        topUp.disputed_usd,
        topUp.payment,
      ]);
      const headings = ['CREATED', 'ID', 'WORKSPACE', 'PROVIDER', 'STATE', ...RIGHT, 'PAYMENT'];
      context.print(options, { data }, table(headings, rows, 'There is no top-up yet.', RIGHT));
    });
}
