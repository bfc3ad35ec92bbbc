import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { ReceiptDraft } from '../../src/gate/purses/leases/hold.ts';
import { receiptWith } from '../support/receipts.ts';

/** What a hold of the caller closes with. */
export function receiptDraft(principal: Principal, charge: NanoUsd, model = 'small-chat'): ReceiptDraft {
  const { workspaceId, projectId, keyId } = principal;
  return receiptWith({ workspaceId, projectId, keyId, model, charge, admittedAtMs: 0, durationMs: 0 });
}
