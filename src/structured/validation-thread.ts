import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../lib/assert.ts';
import { CompiledSchemas } from './compiled-schemas.ts';
import type { ThreadMessage, ValidationResult, ValidationTask } from './validation-messages.ts';

// The entry of a thread that validates. It does one task at a time; whoever started it ends it when one takes too long.

const { niceness } = workerData as { niceness: number };
// Linux knows priorities of single threads; elsewhere this would be the whole process's.
if (process.platform === 'linux' && niceness > 0) setPriority(niceness);

/** In a millisecond. */
const MICROSECONDS = 1_000;

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
const schemas = new CompiledSchemas();

function say(result: ValidationResult | null): void {
  const { user, system } = process.threadCpuUsage();
  port?.postMessage({ result, cpuMs: (user + system) / MICROSECONDS } satisfies ThreadMessage);
}

port.on('message', (task: ValidationTask) => {
  // Recursion that goes too deep, mostly. What the error says may quote the value, so nobody is told.
  schemas.run(task).then(say, () => say({ kind: 'failed' }));
});
await schemas.warmUp();
say(null);
