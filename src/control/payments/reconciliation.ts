import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import type { PaymentProvider, ProviderPayment } from './payment-provider.ts';
import type { Payments } from './payments.ts';

// The nightly comparison with a provider's own records. Events that no webhook has brought are applied by the same path;
// payments that differ are reported, and never corrected by themselves.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How far back the first night reads events; each later one starts a day before the last one's end. */
const FIRST_EVENTS_MS = 3 * DAY_MS;
/** Providers forget events after 30 days. */
const EVENTS_MS_MAX = 29 * DAY_MS;
/** Payments of this time are compared: what bank transfers and most disputes take. */
const COMPARED_MS = 14 * DAY_MS;
/** The most parts of a list in one night: some ten thousand events or payments. */
const PAGES_MAX = 100;
const DIFFERENCES_KEPT = 100;

export interface ReconciliationParts {
  readonly sql: Sql;
  readonly provider: PaymentProvider;
  readonly payments: Payments;
}

/** The result of a night's comparison. */
export interface Reconciliation {
  readonly provider: string;
  readonly startedAt: Date;
  /** Events that no webhook had brought, and payments that were compared. */
  readonly missed: bigint;
  readonly compared: bigint;
  readonly differenceCount: bigint;
  /** The first ones, a sentence each. */
  readonly differences: readonly string[];
}

/** The last night's comparison with any provider; null: there was none. */
export async function lastReconciliation(sql: SqlRunner): Promise<Reconciliation | null> {
  const [row] = await sql.query<Reconciliation>(
    `select provider, started_at as "startedAt", missed, compared, difference_count as "differenceCount", differences
     from payment_reconciliations order by night desc limit 1`,
  );
  return row ?? null;
}

/**
 * Compares with the provider, once a night; null if this night's comparison was made. Two processes that do it at the same time
 * do no harm: the second one's record is dropped. @throws ProviderUnavailable, DatabaseUnavailable
 */
export async function reconcile(
  parts: ReconciliationParts,
  { night, now }: { readonly night: Date; readonly now: Date },
): Promise<Reconciliation | null> {
  const { sql, provider } = parts;
  const [last] = await sql.query<{ night: Date; eventsUntil: Date }>(
    `select night, events_until as "eventsUntil" from payment_reconciliations where provider = $1
     order by night desc limit 1`,
    [provider.name],
  );
  if (last !== undefined && last.night >= night) return null;
  const fromMs = last === undefined ? now.getTime() - FIRST_EVENTS_MS : last.eventsUntil.getTime() - DAY_MS;
  const events = await applyEvents(parts, new Date(Math.max(fromMs, now.getTime() - EVENTS_MS_MAX)));
  const comparison = await comparePayments(parts, now);
  const differences = [...events.differences, ...comparison.differences];
  const result: Reconciliation = {
    provider: provider.name,
    startedAt: now,
    missed: BigInt(events.missed),
    compared: BigInt(comparison.compared),
    differenceCount: BigInt(differences.length),
    differences: differences.slice(0, DIFFERENCES_KEPT),
  };
  await sql.query(
    `insert into payment_reconciliations
       (provider, night, started_at, events_until, missed, compared, difference_count, differences)
     values ($1, $2, $3, $3, $4, $5, $6, $7::jsonb) on conflict do nothing`,
    [
      result.provider,
      night,
      now,
      result.missed,
      result.compared,
      result.differenceCount,
      JSON.stringify(result.differences),
    ],
  );
  return result;
}

/** Applies what the provider has recorded since then. Most of it was applied before, and is a repetition. */
async function applyEvents(
  { provider, payments }: ReconciliationParts,
  since: Date,
): Promise<{ readonly missed: number; readonly differences: readonly string[] }> {
  let missed = 0;
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next } = await provider.listEvents(since, after);
    for (const event of items) {
      const { outcome } = await payments.apply(event);
      if (outcome === 'applied' || outcome === 'mismatch') missed += 1;
    }
    if (next === null) return { missed, differences: [] };
    after = next;
  }
  const sentence = `There are more than ${PAGES_MAX} pages of events since ${since.toISOString()}: older ones were not read.`;
  return { missed, differences: [sentence] };
}

interface OwnPayment {
  readonly topUpId: string;
  readonly payment: string | null;
  readonly total: NanoUsd;
  readonly refunded: NanoUsd;
}

async function comparePayments(
  { sql, provider }: ReconciliationParts,
  now: Date,
): Promise<{ readonly compared: number; readonly differences: readonly string[] }> {
  const from = new Date(now.getTime() - COMPARED_MS);
  // What was paid within the last hour may still be on its way here.
  const to = new Date(now.getTime() - HOUR_MS);
  const differences: string[] = [];
  const seen: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next }: Awaited<ReturnType<typeof provider.listPayments>> = await provider.listPayments(
      from,
      to,
      after,
    );
    const theirs = items.filter(({ topUpId }) => topUpId !== null);
    differences.push(...(await differencesOf(sql, provider.name, theirs)));
    seen.push(...theirs.map(({ payment }) => payment));
    if (next === null) {
      differences.push(...(await unknownThere(sql, provider.name, { from, to, seen })));
      return { compared: seen.length, differences };
    }
    after = next;
  }
  differences.push(
    `There are more than ${PAGES_MAX} pages of payments since ${from.toISOString()}: not all were compared.`,
  );
  return { compared: seen.length, differences };
}

/**
 * How the provider's payments differ from the top-ups that they name. Those of other instances, and of workspaces that live in other
 * cells, are passed over.
 */
async function differencesOf(
  sql: SqlRunner,
  provider: string,
  theirs: readonly ProviderPayment[],
): Promise<readonly string[]> {
  const rows = await sql.query<OwnPayment>(
    `select t.id as "topUpId", t.payment_reference as payment, t.amount_nano_usd + t.fee_nano_usd + t.tax_nano_usd as total, (
       select coalesce(sum(r.amount_nano_usd), 0)::bigint from payment_reversals r
       where r.provider = t.provider and r.payment_reference = t.payment_reference and r.kind = 'refund' and r.counted
     ) as refunded
     from top_ups t join workspaces w on w.id = t.workspace_id and w.moved_to is null
     where t.provider = $1 and t.id = any ($2::uuid[])`,
    [provider, theirs.map(({ topUpId }) => topUpId ?? '')],
  );
  const own = new Map(rows.map((row) => [row.topUpId, row]));
  return theirs.flatMap(({ topUpId, payment, amount, refunded }) => {
    const row = own.get(topUpId ?? '');
    if (row === undefined) return [];
    const name = `Payment ${payment} of top-up ${row.topUpId}`;
    if (row.payment === null) return [`${name} (${formatUsd(amount)} USD) succeeded there and is not paid here.`];
    if (row.payment !== payment) return [`${name} is not the payment that paid it here, ${row.payment}.`];
    if (row.total !== amount)
      return [`${name} is ${formatUsd(amount)} USD there and ${formatUsd(row.total)} USD here.`];
    if (row.refunded === refunded) return [];
    return [`${name} has refunds of ${formatUsd(refunded)} USD there and of ${formatUsd(row.refunded)} USD here.`];
  });
}

/** Top-ups that are paid here by payments that the provider has not listed. */
async function unknownThere(
  sql: SqlRunner,
  provider: string,
  { from, to, seen }: { readonly from: Date; readonly to: Date; readonly seen: readonly string[] },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string; payment: string }>(
    `select t.id, t.payment_reference as payment from top_ups t join ledger_postings q on q.id = t.posting_id
       join workspaces w on w.id = t.workspace_id and w.moved_to is null
     where t.provider = $1 and t.state = 'paid' and t.created_at >= $2 and q.posted_at < $3
       and t.payment_reference <> all ($4::text[])
     order by t.id limit ${DIFFERENCES_KEPT}`,
    [provider, from, to, seen],
  );
  return rows.map(({ id, payment }) => `Payment ${payment} of top-up ${id} is paid here and not known there.`);
}
