import { randomUUIDv7 } from 'node:crypto';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import type { ReceiptDraft } from '../../src/gate/purses/leases/hold.ts';

/** What a hold of the caller closes with. */
export function receiptDraft(principal: Principal, charge: NanoUsd, model = 'small-chat'): ReceiptDraft {
  const { workspaceId, projectId, keyId } = principal;
  return {
    requestId: randomUUIDv7(),
    workspaceId,
    projectId,
    keyId,
    dialect: 'chat_completions',
    model,
    priceVersionId: 1n,
    outcome: 'completed',
    charge,
    writeOff: 0n,
    fees: 0n,
    usage: { tokens: { ...NO_TOKENS, output: 1 }, certainty: 'exact' },
    shortenedToTokens: null,
    streamed: false,
    admittedAtMs: 0,
    durationMs: 0,
    firstEventMs: null,
    attempts: [],
    clientRequestId: null,
    idempotencyKey: null,
    isWhole: true,
  };
}
