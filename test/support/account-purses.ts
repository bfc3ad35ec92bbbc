import type { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import type { NanoUsd } from '../../src/domain/money.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import { windowAt } from '../../src/domain/window.ts';
import type { BriefKind, DrawRequest, PurseKind, PurseName } from '../../src/gate/purses/ports/database.ts';
import { type Account, drawAll } from './accounts.ts';
import { receiptWith } from './receipts.ts';

// An account's three purses as the database knows them, what is drawn of them, and receipts that are charged to them. Projects
// have budgets by the month here, as keys have.

/** The kinds of purses that every account has. */
export type AccountPurse = Exclude<PurseKind, 'member' | BriefKind>;

/** The account's purse of this kind, at this time. */
export function purseOf({ workspace, project, key }: Account, kind: AccountPurse, atMs = Date.now()): PurseName {
  const { period, startMs: windowStartMs, endMs: windowEndMs } = windowAt(kind === 'credit' ? 'never' : 'month', atMs);
  const subjectId = { credit: workspace.id, project: project.id, key: key.id }[kind];
  return { workspaceId: workspace.id, kind, subjectId, period, windowStartMs, windowEndMs };
}

/** A draw of just what one hold needs. */
export function drawOf(purse: PurseName, need: NanoUsd, sequence = 1n): DrawRequest {
  return { purse, sequence, keep: 0n, slack: 0n, needs: [need], ahead: 0n };
}

/** A draw of each of the account's purses: credit, project, key. */
export function drawsOf(account: Account, need: NanoUsd = 10n, sequence = 1n): readonly DrawRequest[] {
  return (['credit', 'project', 'key'] as const).map((kind) => drawOf(purseOf(account, kind), need, sequence));
}

/** A receipt of one of the account's requests, which is charged all that was drawn of its purses for it. */
export async function drawReceipt(
  store: PostgresPurseStore,
  epoch: bigint,
  account: Account,
  need: NanoUsd,
): Promise<Receipt> {
  const drawn = await drawAll(store, epoch, drawsOf(account, need));
  const [creditPurseId = 0n, projectPurseId = 0n, keyPurseId = 0n] = drawn.map(({ purseId }) => purseId);
  return receiptOf(account, { creditPurseId, projectPurseId, keyPurseId }, need);
}

/** A receipt of one of the account's requests, which is charged to leases of these purses. */
export function receiptOf(
  { workspace, project, key }: Account,
  purses: Pick<Receipt, 'creditPurseId' | 'projectPurseId' | 'keyPurseId'>,
  charge: NanoUsd,
): Receipt {
  const month = windowAt('month', Date.now());
  const ids = { workspaceId: workspace.id, projectId: project.id, keyId: key.id };
  return receiptWith({ ...ids, ...purses, projectWindow: month, keyWindow: month, charge, hold: charge });
}
