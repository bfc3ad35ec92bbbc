import '../../lib/node-22.ts';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { BackupSource } from '../backup-files/backup-file.ts';
import { verifyBackup } from './restore.ts';
import { faultMessage } from '../../lib/fault-message.ts';

// The entry point of a process that restores a backup on trial, beside the one that serves. It yields to all others, and goes
// on to its end if the program that has started it is gone, since it has a database to remove.

/** What it is asked. */
export interface VerifyOrders {
  readonly config: Config;
  readonly source: BackupSource;
}

/** What it has found: the differences of the ledger, or why the backup could not be restored. */
export type VerifyAnswer = { readonly differences: number } | { readonly problem: string };

const PRIORITY = 10;

async function answer({ config, source }: VerifyOrders): Promise<VerifyAnswer> {
  try {
    return { differences: (await verifyBackup(config, source)).difference_count };
  } catch (fault) {
    return { problem: faultMessage(fault) };
  }
}

setPriority(PRIORITY);
const [orders] = (await once(process, 'message')) as [VerifyOrders];
const found = await answer(orders);
if (process.connected) process.send?.(found, undefined, undefined, () => process.disconnect?.());
