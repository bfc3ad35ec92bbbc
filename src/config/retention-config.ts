import { dirname, resolve } from 'node:path';
import type { BackupConfig, LedgerConfig } from './config.ts';
import type { ConfigFile } from './config-file.ts';

// The settings of what is kept. Paths start from the file's directory.

/** The word for receipts that are dropped without an export. */
export const NO_EXPORT = 'none';

export function ledgerOf({ path, settings: { ledger } }: ConfigFile): LedgerConfig {
  const { keep, export_to: exportTo = NO_EXPORT } = ledger;
  return {
    keepDays: keep ?? null,
    exportTo: exportTo === NO_EXPORT ? null : resolve(dirname(path ?? '.'), exportTo),
  };
}

/** Null: none are written by a schedule. */
export function backupOf({ path, settings: { backup } }: ConfigFile): BackupConfig | null {
  const { schedule, folder, recipients, keep, verify: verifies } = backup;
  if (schedule === undefined || folder === undefined) return null;
  return { schedule, folder: resolve(dirname(path ?? '.'), folder), recipients, keep, verifies };
}
