import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminClient } from '../../src/control/admin/client.ts';
import { AdminRefused } from '../../src/control/admin/client/send.ts';
import type { Account } from './accounts.ts';

// Everything of the control plane that is slow, all at once and over and over.

/** What came of it. */
export interface ControlTally {
  readonly proofs: number;
  readonly pages: number;
  readonly exportedBytes: number;
  readonly backupBytes: number;
  /** How often each message was the answer. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface ControlLoad {
  /** What has come of it so far. */
  readonly tally: ControlTally;
  /** Ends everything, what is being read included. */
  stop(): Promise<void>;
}

const PROVERS = 12;
const LISTERS = 3;
const EXPORTERS = 3;
const REFUSED_PAUSE_MS = 200;

/** Asks for proofs, all keys of the account's project, exports of its workspace, and backups. */
export function startControlLoad(admin: AdminClient, { workspace, project }: Account): ControlLoad {
  const stopping = new AbortController();
  const { signal } = stopping;
  const refused = new Map<string, number>();
  const tally = { proofs: 0, pages: 0, exportedBytes: 0, backupBytes: 0, refused };

  /** Takes bytes until their end, or until all is stopped. */
  const take = async (bytes: ReadableStream<Uint8Array>, count: (bytes: number) => void): Promise<void> => {
    for await (const chunk of bytes) {
      count(chunk.length);
      if (signal.aborted) return;
    }
  };
  const again = async (act: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await act();
      } catch (fault) {
        if (!(fault instanceof AdminRefused)) throw fault;
        refused.set(fault.message, (refused.get(fault.message) ?? 0) + 1);
        await sleep(REFUSED_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const prove = async (): Promise<void> => {
    const { ok } = await admin.verifyLedger();
    if (!ok) throw new Error('the ledger does not add up');
    tally.proofs += 1;
  };
  const list = async (): Promise<void> => {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<AdminClient['listProjectKeys']>> = await admin.listProjectKeys(project.id, {
        limit: 200,
        ...(cursor === null ? {} : { cursor }),
      });
      cursor = page.next_cursor;
      tally.pages += 1;
    } while (cursor !== null && !signal.aborted);
  };
  const exportAll = async (): Promise<void> =>
    take(await admin.exportRecords(workspace.id, 'receipts'), (bytes) => (tally.exportedBytes += bytes));
  const backUp = async (): Promise<void> => take(await admin.downloadBackup(), (bytes) => (tally.backupBytes += bytes));
  const actors = [
    ...Array.from({ length: PROVERS }, () => prove),
    ...Array.from({ length: LISTERS }, () => list),
    ...Array.from({ length: EXPORTERS }, () => exportAll),
    backUp,
  ];
  const running = Promise.all(actors.map(again));
  // What fails is told by `stop`.
  running.catch(() => stopping.abort());
  return {
    tally,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
