import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../lib/assert.ts';
import {
  resultOfException,
  type ThreadMessage,
  type ValidationResult,
  type ValidationTask,
} from './validation-messages.ts';

// The entry point of a validation thread. It runs its tasks one by one; its owner ends it if that takes too long.

const { niceness } = workerData as { niceness: number };
// Linux has priorities of single threads; elsewhere this would change the whole process's.
if (process.platform === 'linux' && niceness > 0) setPriority(niceness);

// Loading the validator takes far longer than a validation, so it is done after the priority is lowered.
const { CompiledSchemas } = await import('./compiled-schemas.ts');

/** In a millisecond. */
const MICROSECONDS = 1_000;

const port = parentPort;
assert(port !== null, 'this is the entry of a thread');
const schemas = new CompiledSchemas();

function say(results: readonly ValidationResult[]): void {
  const { user, system } = process.threadCpuUsage();
  port?.postMessage({ results, cpuMs: (user + system) / MICROSECONDS } satisfies ThreadMessage);
}

async function resultsOf(tasks: readonly ValidationTask[]): Promise<ValidationResult[]> {
  const results: ValidationResult[] = [];
  for (const task of tasks) {
    try {
      results.push(await schemas.run(task));
    } catch (error) {
      results.push(resultOfException(error));
    }
  }
  return results;
}

port.on('message', (tasks: readonly ValidationTask[]) => void resultsOf(tasks).then(say));
await schemas.warmUp();
say([]);
