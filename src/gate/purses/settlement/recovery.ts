import type { Receipt } from '../../../domain/receipt.ts';
import type { LeftJournal, LeftTrail, Trail } from '../ports/disk.ts';
import type { PurseStore } from '../ports/database.ts';
import { ReceiptBatches, type UnsettledReceipt } from './receipt-batches.ts';

const RECEIPTS_PER_BATCH = 500;
/** Fewer than the connections of a process. */
const FENCED_AT_ONCE = 8;

/** Called with receipts that the database refuses for good. */
type OnPoison = (receipt: Receipt, fault: unknown) => void;

/**
 * Settles the journals of epochs whose processes are gone, then fences the epochs and returns their leases. The caller
 * must know that the processes are gone. An epoch that still counts as live is charged to its own leases; one that a
 * peer has fenced is charged late. Journaled receipts are added to the trail first, for `retrace`. Repeating it
 * changes nothing. @throws DatabaseUnavailable
 */
export async function recover(
  store: PurseStore,
  epochIds: readonly bigint[],
  journals: readonly LeftJournal[],
  { trailOf, onPoison }: { readonly trailOf: (epochId: bigint) => Trail | null; readonly onPoison: OnPoison },
): Promise<void> {
  for (const { epochId, receipts, remove } of journals) {
    const trail = trailOf(epochId);
    await trail?.add(receipts, null);
    await trail?.close();
    await settleAll(batchesOf(store, epochId, onPoison), receipts);
    await remove();
  }
  await fenceAll(store, epochIds);
}

/** A few concurrently: workers that died at their starts leave many, and a slow database takes seconds for each. */
async function fenceAll(store: PurseStore, epochIds: readonly bigint[]): Promise<void> {
  const waiting = [...epochIds];
  const fenceNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await store.fence(id);
  };
  await Promise.all(Array.from({ length: FENCED_AT_ONCE }, fenceNext));
}

/**
 * Resubmits receipts of gone processes that were settled on another server than the present one, which may lack them;
 * only the missing ones take effect. Old trails of the present server are removed. The caller must know that the
 * processes are gone. Repeating it changes nothing. @throws DatabaseUnavailable
 */
export async function retrace(store: PurseStore, trails: readonly LeftTrail[], onPoison: OnPoison): Promise<void> {
  if (trails.length === 0) return;
  const present = await store.timeline();
  for (const { epochId, timeline, isOld, receipts, moveTo, remove } of trails) {
    if (timeline === present) {
      if (isOld) await remove();
      continue;
    }
    // To this server the epoch may still be live.
    await store.fence(epochId);
    const batches = batchesOf(store, epochId, onPoison);
    batches.fence();
    await settleAll(batches, await receipts());
    // The next server may lack it as well.
    await moveTo(present);
  }
}

function batchesOf(store: PurseStore, epochId: bigint, onPoison: OnPoison): ReceiptBatches<UnsettledReceipt> {
  return new ReceiptBatches<UnsettledReceipt>({
    store,
    epochId,
    onFenced: () => undefined,
    onLost: null,
    onUnavailable: (fault) => Promise.reject(fault),
    onBusy: null,
    onLate: null,
    onEnd: ({ receipt }, end) => {
      if (end.kind === 'refused') onPoison(receipt, end.fault);
    },
  });
}

async function settleAll(batches: ReceiptBatches<UnsettledReceipt>, receipts: readonly Receipt[]): Promise<void> {
  for (let start = 0; start < receipts.length; start += RECEIPTS_PER_BATCH) {
    const batch = receipts.slice(start, start + RECEIPTS_PER_BATCH);
    await batches.settle(batch.map((receipt) => ({ receipt, answer: null })));
  }
}
