import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// package.json stands as far above this file in a checkout, below src/, as in the package, below dist/.
const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string;
};

/** The version of this program. */
export const PROGRAM_VERSION = description.version;
