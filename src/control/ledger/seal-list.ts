import type { NanoUsd } from '../../domain/money.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** A week of receipts with stored totals. */
export interface Seal {
  /** The least id of a receipt that is younger. */
  readonly id: string;
  /** The partition. */
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  readonly receipts: bigint;
  readonly charges: NanoUsd;
  readonly writeOffs: NanoUsd;
  /** SHA-256 of the stored totals, a line for each purse in order: its id, receipts and charges. */
  readonly digest: string;
  readonly sealedAt: Date;
  /** When its receipts were exported by the schedule; null if they were not. */
  readonly exportedAt: Date | null;
  /** To which file, and that file's SHA-256. */
  readonly exportFile: string | null;
  readonly exportSha256: string | null;
  /** When its receipts were dropped; null if they are kept. */
  readonly droppedAt: Date | null;
}

type Row = Omit<Seal, 'charges' | 'writeOffs'> & { readonly charges: string; readonly writeOffs: string };

/** SQL for the time that the bound of a partition has in its first 48 bits. */
const timeOf = (id: string): string =>
  `to_timestamp(('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`;

/** A page of the seals, that of the newest receipts first. The digests are those of the totals as they are now. */
export async function listSeals(sql: SqlRunner, _scope: OperatorScope, page: PageRequest): Promise<Page<Seal>> {
  const { items, next } = await readPage(page, (after, count) =>
    sql.query<Row>(
      `select seals.up_to as id, seals.name, ${timeOf('from_id')} as "from", ${timeOf('up_to')} as "to", seals.receipts, charges::text,
         seals.write_off_nano_usd::text as "writeOffs", digest, seals.sealed_at as "sealedAt",
         seals.exported_at as "exportedAt", seals.export_file as "exportFile",
         encode(seals.export_sha256, 'hex') as "exportSha256", seals.dropped_at as "droppedAt"
       from (
         select name, from_id, up_to, receipts, write_off_nano_usd, sealed_at, exported_at, export_file, export_sha256, dropped_at
         from sealed_partitions where $1::uuid is null or up_to < $1 order by up_to desc limit $2
       ) seals cross join lateral (
         select coalesce(sum(charge_nano_usd) filter (where kind = 'credit'), 0) as charges,
           encode(sha256(convert_to(coalesce(string_agg(
             format('%s %s %s', purse_id, totals.receipts, charge_nano_usd), e'\\n' order by purse_id
           ), ''), 'UTF8')), 'hex') as digest
         from partition_totals totals join purses on purses.id = purse_id where partition = seals.name
       ) totals order by seals.up_to desc`,
      [after, count],
    ),
  );
  const amounts = ({ charges, writeOffs }: Row) => ({ charges: BigInt(charges), writeOffs: BigInt(writeOffs) });
  return { items: items.map((row) => ({ ...row, ...amounts(row) })), next };
}
