import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VerifyAnswer, VerifyOrders } from './verify-entry.ts';
import { faultMessage } from '../../lib/fault-message.ts';

const ENTRY = new URL('./verify-entry.ts', import.meta.url);

/** Restores a backup on trial in a process of its own, so that requests don't wait for it, and proves its ledger. */
export async function verifyApart(orders: VerifyOrders): Promise<VerifyAnswer> {
  const child = fork(fileURLToPath(ENTRY), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  // A program that stops doesn't wait for it.
  child.unref();
  const exited = once(child, 'exit').then(
    (): VerifyAnswer => ({ problem: 'the process that restored it on trial has ended early' }),
    (fault: unknown): VerifyAnswer => ({ problem: faultMessage(fault) }),
  );
  const answered = new Promise<VerifyAnswer>((resolve) => {
    child.once('message', (answer) => resolve(answer as VerifyAnswer));
  });
  child.send(orders, () => undefined);
  child.channel?.unref();
  return await Promise.race([answered, exited]);
}
