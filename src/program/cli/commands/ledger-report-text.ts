import type { LedgerReport } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

/** What a proof of the ledger has found. */
export function ledgerReportText(report: LedgerReport): string {
  const sums = pairs([
    ['credit posted', `${report.credit_usd} USD`],
    ['charges', `${report.charges_usd} USD`],
    ['balance', `${report.balance_usd} USD`],
    ['owed', `${report.owed_usd} USD`],
    ['write-offs', `${report.write_offs_usd} USD`],
    ['workspaces', report.workspaces],
    ['receipts', report.receipts],
    ['audit events', report.audit_events],
    ['differences', report.difference_count],
  ]);
  if (report.ok) return `${sums}\nThe ledger adds up, to the last nano-USD.\n`;
  const rows = report.differences.map((each) => [
    each.check,
    each.workspace_id,
    each.subject_id,
    each.expected,
    each.actual,
  ]);
  return `${sums}\n${table(['CHECK', 'WORKSPACE', 'SUBJECT', 'EXPECTED', 'ACTUAL'], rows, 'No difference was listed.')}`;
}
