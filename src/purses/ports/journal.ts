import type { Receipt } from '../../domain/receipt.ts';

// The port of the local journal: where charges wait on this machine's own disk while the database can't take them.

/** The journal of one epoch. */
export interface Journal {
  /** Resolves once the receipts are on disk, so that they outlive the process. */
  write(receipts: readonly Receipt[]): Promise<void>;
  /** Forgets what was written: all of it is settled. */
  clear(): Promise<void>;
}

/** What a former epoch has left behind. */
export interface LeftJournal {
  readonly epochId: bigint;
  readonly receipts: readonly Receipt[];
  /** What can't be read though it was written in full, and the file that `remove` keeps it in; null where all can. */
  readonly damaged: { readonly lines: number; readonly file: string } | null;
  /** Removes it, once its receipts are settled. Harmless where it is gone. */
  readonly remove: () => Promise<void>;
}
