import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { Hold, ReceiptDraft } from '../../src/gate/purses/leases/hold.ts';
import type { Admitted } from './admissions.ts';
import type { Pending } from './fleet-oracle.ts';
import type { Process } from './machine.ts';
import type { Claimed } from './repeats.ts';
import { must } from './must.ts';
import type { SharedDatabase } from './shared-database.ts';
import type { TieredRequest } from './tiered-requests.ts';

export interface OpenHold {
  readonly hold: Hold;
  readonly process: Process;
  readonly pending: Pending;
  readonly epochId: bigint;
  /** Null where its project's rate limits were not asked. */
  readonly admitted: Admitted | null;
  /** Null where it came without an Idempotency-Key. */
  readonly claimed: Claimed | null;
  /** Null where an amount is held for no answer. */
  readonly tiered: TieredRequest | null;
}

export interface Closed {
  readonly charge: NanoUsd;
  readonly open: OpenHold;
  readonly isPoison: boolean;
  /** Whoever asked has been told that it is paid. */
  isPaid: boolean;
  /** Whoever asked has been told that the database refuses it. */
  isRefused: boolean;
}

/** What the check counts, so that a test can see that it has come to pass. */
interface Happened {
  fenced: number;
  late: number;
  writtenOff: number;
  sentAgain: number;
}

/** What callers were told is paid has its receipt, and no receipt is without a hold that closed. */
export function checkReceipts(
  database: SharedDatabase,
  closings: ReadonlyMap<string, Closed>,
  happened: Happened,
): void {
  const { model, lost } = database;
  for (const [requestId, closed] of closings) {
    const receipt = model.receipts.get(requestId);
    if (receipt !== undefined) {
      checkReceipt(database, receipt, closed, happened);
    } else {
      must(closed.isPoison || !closed.isPaid, 'an answer was paid for that has no receipt');
      must(!closed.isRefused || model.quarantined.has(requestId), 'what was refused is nowhere');
    }
    if (lost.has(requestId)) happened.sentAgain += 1;
  }
  for (const requestId of model.receipts.keys()) must(closings.has(requestId), 'a receipt that nobody has closed');
  happened.late += model.late.size;
  for (const { fenced } of model.epochs.values()) if (fenced) happened.fenced += 1;
}

function checkReceipt(
  { model }: SharedDatabase,
  receipt: Receipt,
  { charge, open, isPoison }: Closed,
  happened: Happened,
): void {
  const { principal, earliestMs, latestMs } = open.pending;
  must(!isPoison, 'bad text is stored');
  must(receipt.charge + receipt.writeOff === charge, 'a receipt is not what its hold closed with');
  must(receipt.writeOff === 0n || model.late.has(receipt.requestId), 'something is written off that was not late');
  if (receipt.writeOff > 0n) happened.writtenOff += 1;
  const charged = [
    [receipt.creditPurseId, principal.workspaceId],
    [receipt.projectPurseId, principal.projectId],
    [receipt.keyPurseId, principal.keyId],
    [receipt.memberPurseId ?? null, principal.memberLimitId],
    [receipt.endUserPurse?.purseId ?? null, principal.served?.endUserId ?? null],
    [receipt.sessionPurse?.purseId ?? null, principal.served?.sessionId ?? null],
  ] as const;
  for (const [purseId, subjectId] of charged) {
    if (purseId === null || subjectId === null) {
      must(
        purseId === subjectId,
        'a receipt charges the purses of a member, an end user and a session if and only if they have a limit',
      );
      continue;
    }
    const { name } = model.purseOf(purseId);
    must(name.subjectId === subjectId, 'a receipt charges a purse of others');
    const isIn = name.windowStartMs <= latestMs && (name.windowEndMs === null || name.windowEndMs > earliestMs);
    must(isIn, 'a receipt charges another window than the one that admitted it');
  }
}

/** Whether a hold that is closed can't be closed once more. */
export function refusesToClose(hold: Hold, draft: ReceiptDraft): boolean {
  try {
    hold.close(draft).catch(() => undefined);
    return false;
  } catch {
    return true;
  }
}
