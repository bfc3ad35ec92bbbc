import type { Receipt } from '../../../domain/receipt.ts';

// The port to the machine's disk for a process's receipts: in the journal, those that the database doesn't accept now;
// in the trail, those settled recently. process/ implements it with files; simulation replaces it.

/** The journal of one epoch. */
export interface Journal {
  /** Resolves once the receipts are on disk and will outlive the process. */
  write(receipts: readonly Receipt[]): Promise<void>;
  /** Clears the journal: all of it is settled. */
  clear(): Promise<void>;
}

/** A journal left by an earlier epoch. */
export interface LeftJournal {
  readonly epochId: bigint;
  readonly receipts: readonly Receipt[];
  /** Complete lines that can't be read, and the file that `remove` keeps them in; null if there are none. */
  readonly damaged: { readonly lines: number; readonly file: string } | null;
  /** Removes it, once its receipts are settled. Harmless if it is gone. */
  readonly remove: () => Promise<void>;
}

/**
 * The trail of one epoch: a server that takes over may lack the last commits. Unlike the journal, it need not outlive
 * the machine.
 */
export interface Trail {
  /** Adds receipts before the server of this timeline settles them. Resolves once they will outlive the process. */
  add(receipts: readonly Receipt[], timeline: string | null): Promise<void>;
  /** Adds nothing more; the trail stays. */
  close(): Promise<void>;
  /** Clears the trail. */
  clear(): Promise<void>;
}

/** A trail left by an epoch, for one server. */
export interface LeftTrail {
  readonly epochId: bigint;
  /** Null if the epoch did not know it yet. */
  readonly timeline: string | null;
  /** Whether every server has the commits of that time by now. */
  readonly isOld: boolean;
  readonly receipts: () => Promise<readonly Receipt[]>;
  /** Changes its timeline to this one, as of now. */
  readonly moveTo: (timeline: string) => Promise<void>;
  /** Removes it. Harmless if it is gone. */
  readonly remove: () => Promise<void>;
}
