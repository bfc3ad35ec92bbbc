import { AdminRefused } from '../../../control/admin/client/send.ts';
import type { CliContext, GlobalOptions, LedgerReport } from '../cli-context.ts';
import { pairs } from '../text-layout.ts';
import { ledgerReportText } from './ledger-report-text.ts';

/** A cell's proof; or why there is none. */
type CellProof =
  | { readonly shard: string; readonly report: LedgerReport }
  | { readonly shard: string; readonly problem: string };

const SUMS = ['credit', 'charges', 'write_offs', 'balance', 'owed'] as const;
type Sums = Readonly<Record<`${(typeof SUMS)[number]}_nano_usd`, string>>;

/** Has this cell and all others prove their ledgers, one after the other, and prints each proof and the sum of all. */
export async function verifyCells(context: CliContext, options: GlobalOptions): Promise<void> {
  const client = context.connect(options);
  const { own, data } = await client.listCells();
  const proofs: CellProof[] = [{ shard: own.shard, report: await client.verifyLedger() }];
  for (const { shard } of data) {
    try {
      proofs.push({ shard, report: await client.verifyCell(shard) });
    } catch (fault) {
      if (!(fault instanceof AdminRefused)) throw fault;
      proofs.push({ shard, problem: fault.message });
    }
  }
  const reports = proofs.flatMap((proof) => ('report' in proof ? [proof.report] : []));
  const sum = sumOf(reports);
  const text = proofs.map((proof) => `Cell ${proof.shard}\n\n${proofText(proof)}\n`).join('');
  const amounts = SUMS.map((name): [string, string] => [name.replace('_', ' '), `${sum[`${name}_nano_usd`]} nano-USD`]);
  const missing = proofs.length - reports.length;
  const title = missing === 0 ? 'All cells' : `All cells but ${missing}`;
  context.print(options, { data: proofs, sum, missing }, `${text}${title}\n\n${pairs(amounts)}`);
  if (missing > 0) context.complain('not all cells have proven their ledgers');
  if (reports.some(({ ok }) => !ok))
    context.complain('a ledger does not add up; save its differences and a backup before you change anything');
}

function sumOf(reports: readonly Sums[]): Sums {
  const sum = (name: (typeof SUMS)[number]): string =>
    reports.reduce((total, report) => total + BigInt(report[`${name}_nano_usd`]), 0n).toString();
  return {
    credit_nano_usd: sum('credit'),
    charges_nano_usd: sum('charges'),
    write_offs_nano_usd: sum('write_offs'),
    balance_nano_usd: sum('balance'),
    owed_nano_usd: sum('owed'),
  };
}

function proofText(proof: CellProof): string {
  return 'report' in proof ? ledgerReportText(proof.report) : `No proof: ${proof.problem}\n`;
}
