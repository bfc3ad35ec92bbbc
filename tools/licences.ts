import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licenceFaults, type LockedPackages } from './licence-faults.ts';

// Checks the licences of all dependencies, as package-lock.json has them. It needs no network.

const lock = JSON.parse(await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  readonly packages: LockedPackages;
};
const faults = licenceFaults(lock.packages);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`All ${Object.keys(lock.packages).length} packages have licences that are accepted, or a reason.`);
