import { randomUUIDv7 } from 'node:crypto';
import type { Receipt } from '../../src/domain/receipt.ts';
import { NO_TOKENS } from '../../src/domain/usage.ts';
import { windowAt } from '../../src/domain/window.ts';

const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const PROJECT = '00000000-0000-7000-8000-000000000002';
const KEY = '00000000-0000-7000-8000-000000000003';

/** A receipt of a request that is like any other, but for what is given. */
export function receiptWith(given: Partial<Receipt> = {}): Receipt {
  return {
    requestId: randomUUIDv7(),
    workspaceId: WORKSPACE,
    projectId: PROJECT,
    keyId: KEY,
    creditPurseId: 1n,
    projectPurseId: 2n,
    keyPurseId: 3n,
    projectWindow: windowAt('month', 1_800_000_000_000),
    keyWindow: windowAt('month', 1_800_000_000_000),
    model: 'small-chat',
    priceVersionId: 1n,
    outcome: 'completed',
    charge: 7n,
    hold: 10n,
    writeOff: 0n,
    usage: { tokens: { ...NO_TOKENS, output: 1 }, certainty: 'exact' },
    shortenedToTokens: null,
    streamed: false,
    admittedAtMs: 1_800_000_000_000,
    durationMs: 12.5,
    firstEventMs: null,
    attempts: [],
    clientRequestId: null,
    idempotencyKey: null,
    ...given,
  };
}
