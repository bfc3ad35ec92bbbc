import { readFileSync } from 'node:fs';

// package.json stands as far above this file in a checkout, below src/, as in the package, below dist/.
const description = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** The version of this program. */
export const PROGRAM_VERSION = description.version;
