import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Vite from 'vite';

// Makes console/dist out of console/ by Vite. It runs on every install. Vite is one of development's packages: where they
// are left out, what an earlier build made stays, or else a page that says what is missing takes its place.

const ROOM = join(import.meta.dirname, '../console');
const OUTPUT = join(ROOM, 'dist');

async function findVite(): Promise<typeof Vite | null> {
  try {
    return await import('vite');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw fault;
  }
}

const vite = await findVite();
if (vite === null) {
  if (!existsSync(join(OUTPUT, 'index.html'))) {
    await cp(join(ROOM, 'public'), OUTPUT, { recursive: true });
    await cp(join(ROOM, 'not-built.html'), join(OUTPUT, 'index.html'));
  }
  console.log('The console is not built: that takes the packages for development, which "npm ci" installs.');
} else {
  await vite.build({ configFile: join(ROOM, 'vite.config.ts'), logLevel: 'warn' });
}
