import type { Receipt } from '../../../domain/receipt.ts';

// The port behind which a process keeps receipts on its machine's disk: in the journal, those that the database doesn't
// take now; in the trail, those that it has settled recently. process/ implements it with files; simulation replaces it.

/** The journal of one epoch. */
export interface Journal {
  /** Resolves once the receipts are on disk, so that they outlive the process. */
  write(receipts: readonly Receipt[]): Promise<void>;
  /** Forgets what was written: all of it is settled. */
  clear(): Promise<void>;
}

/** A journal that a former epoch has left. */
export interface LeftJournal {
  readonly epochId: bigint;
  readonly receipts: readonly Receipt[];
  /** What can't be read though it was written in full, and the file that `remove` keeps it in; null if all can. */
  readonly damaged: { readonly lines: number; readonly file: string } | null;
  /** Removes it, once its receipts are settled. Harmless if it is gone. */
  readonly remove: () => Promise<void>;
}

/**
 * The trail of one epoch: a server that takes over may lack the last commits. Unlike the journal it need not outlive the
 * machine.
 */
export interface Trail {
  /** Adds receipts that the server of this timeline is about to settle. It resolves once they outlive the process. */
  add(receipts: readonly Receipt[], timeline: string | null): Promise<void>;
  /** Adds nothing more; what is there stays. */
  close(): Promise<void>;
  /** Forgets all of it. */
  clear(): Promise<void>;
}

/** A trail that an epoch has left, of one server. */
export interface LeftTrail {
  readonly epochId: bigint;
  /** Null if the epoch did not know it yet. */
  readonly timeline: string | null;
  /** Whether it is so old that the commits of its time are everywhere. */
  readonly isOld: boolean;
  readonly receipts: () => Promise<readonly Receipt[]>;
  /** Makes it one of the server of this timeline, as of now. */
  readonly moveTo: (timeline: string) => Promise<void>;
  /** Removes it. Harmless if it is gone. */
  readonly remove: () => Promise<void>;
}
