import type { Account } from '../../test/support/accounts.ts';
import { openLargeWorkspace } from '../../test/support/large-workspace.ts';
import type { Stage } from '../stage.ts';

const KEYS = 50_000;
const RECEIPTS = 200_000;

const opened = new WeakMap<Stage, Account>();

/** The workspace of a stage that has 50,000 keys and 200,000 receipts, or a part of them. */
export async function largeWorkspaceOf(stage: Stage, scale: number): Promise<Account> {
  const known = opened.get(stage);
  if (known !== undefined) return known;
  const receipts = Math.ceil(RECEIPTS * scale);
  const account = await openLargeWorkspace(stage.instance.database, { keys: Math.ceil(KEYS * scale), receipts });
  stage.expectReceipts(receipts);
  opened.set(stage, account);
  return account;
}
