import type { Command } from 'commander';
import type { AdminClient } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

type Receipt = Awaited<ReturnType<AdminClient['showReceipt']>>;

/** `receipt REQUEST_ID`: the stored record of one request. */
export function addReceiptCommand(program: Command, context: CliContext): void {
  program
    .command('receipt')
    .summary('show what a request used and cost')
    .argument('<request-id>', 'the x-request-id of its answer')
    .action(async (requestId: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const receipt = await context.connect(options).showReceipt(requestId);
      context.print(options, receipt, receiptText(receipt));
    });
}

function receiptText(receipt: Receipt): string {
  const { certainty, tokens } = receipt.usage;
  const used = Object.entries(tokens).filter(([, count]) => count > 0);
  const usage = used.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ');
  const facts = pairs([
    ['request', receipt.request_id],
    ['model', receipt.model],
    ['outcome', receipt.outcome],
    ['charge', `${receipt.charge_usd} USD`],
    ['hold', `${receipt.hold_usd} USD`],
    ['write-off', `${receipt.write_off_usd} USD`],
    ['usage', `${usage === '' ? 'no tokens' : usage} (${certainty})`],
    ['shortened to', receipt.shortened_to_tokens],
    ['price version', receipt.price_version],
    ['admitted', receipt.admitted_at],
    ['duration', `${receipt.duration_ms} ms`],
    ['workspace', receipt.workspace_id],
    ['project', receipt.project_id],
    ['key', receipt.key_id],
  ]);
  const rows = receipt.attempts.map((attempt) => [
    attempt.provider,
    attempt.upstream_model,
    attempt.status,
    attempt.duration_ms,
    attempt.fault,
  ]);
  return `${facts}\n${table(['PROVIDER', 'MODEL', 'STATUS', 'MS', 'FAULT'], rows, 'No route was tried.', ['STATUS', 'MS'])}`;
}
