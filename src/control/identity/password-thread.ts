import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { assert } from '../../lib/assert.ts';
import { hashPassword, isPassword } from './password-hash.ts';

// The entry of the thread that computes password hashes. Node's own pool, which `argon2` would take, has four threads, and
// the journal's writes wait in it.

/** How far it stands back for the threads that serve requests. */
const NICENESS = 10;

export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'check'; readonly password: string; readonly hash: string };

/** A hash, or whether the password was right. */
export type PasswordResult = string | boolean;

// Linux knows priorities of single threads; elsewhere this would be the whole process's.
if (process.platform === 'linux') setPriority(NICENESS);

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
port.on('message', (task: PasswordTask) => {
  const result: PasswordResult =
    task.kind === 'hash' ? hashPassword(task.password) : isPassword(task.password, task.hash);
  port.postMessage(result);
});
