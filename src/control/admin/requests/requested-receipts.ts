import { findKeyId, findProjectId } from '../../accounts/references.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ReceiptChoice } from '../../ledger/receipt-search.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import type { ReceiptChoice as RequestedChoice } from '../ledger/ledger-contract.ts';
import { checkedUsd } from '../../../domain/money.ts';

/** The receipts that a query asks for, with ids for what it names; an unknown name is refused. */
export async function requestedReceipts(
  sql: SqlRunner,
  scope: WorkspaceScope,
  { key, project, model, outcome, dialect, session, min_charge_usd: charge }: RequestedChoice,
): Promise<ReceiptChoice | Refusal> {
  const keyId = key === undefined ? undefined : await findKeyId(sql, scope, key);
  if (isRefusal(keyId)) return keyId;
  const projectId = project === undefined ? undefined : await findProjectId(sql, scope, project);
  if (isRefusal(projectId)) return projectId;
  const chargeMin = charge === undefined ? undefined : checkedUsd(charge);
  return definedFields({ keyId, projectId, model, outcome, dialect, session, chargeMin });
}
