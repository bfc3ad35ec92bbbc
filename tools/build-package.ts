import { join } from 'node:path';
import { buildProgram } from './program-build.ts';

// Makes dist/, what the npm package runs. `npm pack` calls it.

await buildProgram(join(import.meta.dirname, '../dist'));
