import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

// Runs on every installation of a checkout: builds the pages. Where the packages for development are left out, what an earlier
// build made stays, or else a page that says what is missing.

const ROOT = join(import.meta.dirname, '..');
const CONSOLE = join(ROOT, 'console');
const OUTPUT = join(CONSOLE, 'dist');

if (existsSync(join(ROOT, 'node_modules/vite'))) {
  await import('./build-console.ts');
  await import('./manual/build-manual.ts');
  await import('./compress-console.ts');
} else {
  if (!existsSync(join(OUTPUT, 'index.html'))) {
    await cp(join(CONSOLE, 'public'), OUTPUT, { recursive: true });
    await cp(join(CONSOLE, 'not-built.html'), join(OUTPUT, 'index.html'));
  }
  console.log('The console is not built: that takes the packages for development, which "npm ci" installs.');
}
