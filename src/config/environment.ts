import type { Environment } from './variables.ts';

/** The environment of this process, as it is now. Every other module is handed what it needs of it. */
export function processEnvironment(): Environment {
  return process.env;
}
