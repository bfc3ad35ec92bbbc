import type { Receipt } from '../domain/receipt.ts';
import type { LeftJournal } from './journal.ts';
import type { PurseStore } from './purse-store.ts';
import { ReceiptBatches, type UnsettledReceipt } from './receipt-batches.ts';

const RECEIPTS_PER_BATCH = 500;

/**
 * Settles what epochs whose processes are gone left in their journals, then fences them and gives their leases back. Only
 * whoever knows that they are gone may do so. An epoch that still counts as live takes its charges from its own leases;
 * one that a peer has fenced is late. Repeating it changes nothing. @throws DatabaseUnavailable
 */
export async function recover(
  store: PurseStore,
  epochIds: readonly bigint[],
  journals: readonly LeftJournal[],
  onPoison: (receipt: Receipt, fault: unknown) => void,
): Promise<void> {
  for (const { epochId, receipts, remove } of journals) {
    const batches = new ReceiptBatches<UnsettledReceipt>({
      store,
      epochId,
      onFenced: () => undefined,
      onUnavailable: (fault) => Promise.reject(fault),
      onEnd: ({ receipt }, end) => {
        if (end.kind === 'refused') onPoison(receipt, end.fault);
      },
    });
    for (let start = 0; start < receipts.length; start += RECEIPTS_PER_BATCH) {
      const batch = receipts.slice(start, start + RECEIPTS_PER_BATCH);
      await batches.settle(batch.map((receipt) => ({ receipt, answer: null })));
    }
    await remove();
  }
  for (const epochId of epochIds) await store.fence(epochId);
}
