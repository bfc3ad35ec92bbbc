import { type FoldingParts, UsageFolding } from './folding.ts';
import { buildUsage, rebuildUsage } from './rebuilding.ts';

/** Counts all receipts that are settled by now, from the first one on if none has been counted yet. */
export async function countUsage(parts: FoldingParts): Promise<void> {
  await buildUsage(parts);
  await new UsageFolding(parts).fold();
}

/** Counts all receipts that are there once more. Usage is not answered until that is done. */
export async function recountUsage(parts: FoldingParts): Promise<void> {
  await rebuildUsage(parts);
  await new UsageFolding(parts).fold();
}
