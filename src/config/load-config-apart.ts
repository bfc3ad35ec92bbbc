import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ConfigFault } from './config-fault.ts';
import type { Config } from './config.ts';
import type { ConfigResult } from './config-thread.ts';
import { frozen } from './frozen.ts';
import type { ConfigSources } from './load-config.ts';

const THREAD = new URL('./config-thread.ts', import.meta.url);

/**
 * Reads the configuration in a thread of its own: a file of thousands of models takes a third of a second, for which
 * requests would stand still. @throws ConfigFault
 */
export async function loadConfigApart({ flags, env, cwd }: ConfigSources): Promise<Config> {
  const worker = new Worker(THREAD, { workerData: { flags, env: { ...env }, cwd }, env: {} });
  const [reading] = (await once(worker, 'message')) as [ConfigResult];
  if ('config' in reading) return frozen(reading.config);
  throw new ConfigFault(reading.where, reading.problem);
}
