import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { type AlertRule, RULE_COLUMNS } from './alert-rules.ts';
import type { InstanceKind } from '../../domain/alert-kinds.ts';
import { type Crossing, type Notifying, raiseAlerts, resolveAlerts } from './alerts.ts';
import { INSTANCE_ID } from './notice-owner.ts';

// What concerns the operator: the ledger's proofs, which the database records, and providers that refuse their keys, which
// each process that serves learns by its own attempts.

const OWNER = { workspaceId: INSTANCE_ID, workspaceName: '' };

/** A provider's alert is over once no process has reported it for so long. */
const PROVIDER_BACK = "interval '10 minutes'";

interface Proof {
  readonly startedAt: Date;
  readonly differences: bigint;
}

/** Raises the alert about the ledger if the last proof found differences, and ends alerts that are over. */
export async function watchInstance(tx: SqlRunner, notifying: Notifying): Promise<void> {
  const [proof] = await tx.query<Proof>(
    `select started_at as "startedAt", difference_count as differences from ledger_verifications
     order by started_at desc limit 1`,
  );
  if (proof !== undefined && proof.differences > 0n) {
    await raiseInstanceAlerts(tx, 'ledger_difference', [ledgerCrossing(proof)], notifying);
  }
  const over = await tx.query<{ id: string }>(
    `select id from alerts where workspace_id = $1 and resolved_at is null
       and (kind = 'provider_key_refused' and seen_at < now() - ${PROVIDER_BACK} or kind = 'ledger_difference' and $2)`,
    [INSTANCE_ID, proof?.differences === 0n],
  );
  await resolveAlerts(
    tx,
    [INSTANCE_ID],
    over.map(({ id }) => id),
  );
}

/** Records that these providers have refused their keys when this process last tried them. */
export async function reportRefusedKeys(sql: Sql, providers: readonly string[], notifying: Notifying): Promise<void> {
  if (providers.length === 0) return;
  await sql.transaction(async (tx) => {
    await raiseInstanceAlerts(tx, 'provider_key_refused', providers.toSorted().map(providerCrossing), notifying);
    await tx.query(
      `update alerts set seen_at = now()
       where workspace_id = $1 and kind = 'provider_key_refused' and subject_id = any ($2) and resolved_at is null`,
      [INSTANCE_ID, providers],
    );
  });
}

/** Raises alerts of the operator's own rules of this kind, in the caller's transaction. */
export async function raiseInstanceAlerts(
  tx: SqlRunner,
  kind: InstanceKind,
  crossings: readonly Crossing[],
  notifying: Notifying,
): Promise<void> {
  const rules = await tx.query<AlertRule>(
    `select ${RULE_COLUMNS} from alert_rules where workspace_id = $1 and kind = $2 and enabled order by id`,
    [INSTANCE_ID, kind],
  );
  for (const rule of rules) await raiseAlerts(tx, OWNER, { rule, crossings }, notifying);
}

function ledgerCrossing({ startedAt, differences }: Proof): Crossing {
  const count = differences === 1n ? '1 difference' : `${differences} differences`;
  return {
    subjectKind: 'ledger',
    subjectId: 'ledger',
    subjectName: 'ledger',
    window: null,
    summary: `The ledger does not add up: ${count} at the proof of ${startedAt.toISOString()}.`,
    value: null,
    limit: null,
  };
}

function providerCrossing(name: string): Crossing {
  return {
    subjectKind: 'provider',
    subjectId: name,
    subjectName: name,
    window: null,
    summary: `The provider "${name}" refuses its API key.`,
    value: null,
    limit: null,
  };
}
