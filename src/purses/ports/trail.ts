import type { Receipt } from '../../domain/receipt.ts';

// The port of the trail: what a process has settled recently, kept on its machine, because a server that takes over may
// lack the last commits. Unlike the journal it need not outlive the machine.

/** The trail of one epoch. */
export interface Trail {
  /** Adds receipts that the server of this timeline is about to settle. It resolves once they outlive the process. */
  add(receipts: readonly Receipt[], timeline: string | null): Promise<void>;
  /** Adds nothing more; what is there stays. */
  close(): Promise<void>;
  /** Forgets all of it. */
  clear(): Promise<void>;
}

/** What an epoch has left, of one server. */
export interface LeftTrail {
  readonly epochId: bigint;
  /** Null if the epoch did not know it yet. */
  readonly timeline: string | null;
  /** Whether it is so old that the commits of its time are everywhere. */
  readonly isOld: boolean;
  readonly receipts: () => Promise<readonly Receipt[]>;
  /** Makes it one of the server of this timeline, as of now. */
  readonly moveTo: (timeline: string) => Promise<void>;
  /** Removes it. Harmless where it is gone. */
  readonly remove: () => Promise<void>;
}
