import { parentPort, workerData } from 'node:worker_threads';
import { ConfigFault } from './config-fault.ts';
import type { Config } from './config.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';

// The entry of a thread that reads the configuration, and ends.

/** Its result. */
export type ConfigResult = { readonly config: Config } | { readonly where: string; readonly problem: string };

function readingOf(sources: ConfigSources): ConfigResult {
  try {
    return { config: loadConfig(sources) };
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    return { where: fault.where, problem: fault.problem };
  }
}

const port = parentPort;
port?.postMessage(readingOf(workerData as ConfigSources));
