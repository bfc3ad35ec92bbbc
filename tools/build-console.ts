import { join } from 'node:path';
import { build } from 'vite';

// Makes console/dist out of console/ by Vite. It runs on every install.

await build({ configFile: join(import.meta.dirname, '../console/vite.config.ts'), logLevel: 'warn' });
