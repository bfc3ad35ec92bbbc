import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../lib/assert.ts';
import { CompiledSchemas } from './compiled-schemas.ts';
import type { ValidationResult, ValidationTask } from './validation-messages.ts';

// The entry of a thread that validates. It does one task at a time; whoever started it ends it when one takes too long.

const { niceness } = workerData as { niceness: number };
// Linux knows priorities of single threads; elsewhere this would be the whole process's.
if (process.platform === 'linux' && niceness > 0) setPriority(niceness);

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
const schemas = new CompiledSchemas();
port.on('message', (task: ValidationTask) => {
  schemas.run(task).then(
    (result) => port.postMessage(result),
    // Recursion that goes too deep, mostly. What the error says may quote the value, so nobody is told.
    () => port.postMessage({ kind: 'failed' } satisfies ValidationResult),
  );
});
await schemas.warmUp();
port.postMessage('ready');
