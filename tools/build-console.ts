import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

// Makes console/dist out of console/src: scripts lose their types, everything else is copied as it is. It runs on
// every install, so it works where development's packages are left out.

const SOURCE = join(import.meta.dirname, '../console/src');
const OUTPUT = join(import.meta.dirname, '../console/dist');

/** The paths of links for people, which one page serves. */
const ACCOUNT_PAGES = ['set-up', 'invitation', 'reset-password', 'sign-up'];

await rm(OUTPUT, { recursive: true, force: true });
await mkdir(OUTPUT);
for (const name of await readdir(SOURCE)) {
  const source = join(SOURCE, name);
  if (name.endsWith('.ts')) {
    const script = stripTypeScriptTypes(await readFile(source, 'utf8'));
    await writeFile(join(OUTPUT, name.replace(/\.ts$/, '.js')), script);
  } else if (name === 'account.html') {
    for (const page of ACCOUNT_PAGES) await cp(source, join(OUTPUT, page, 'index.html'));
  } else {
    await cp(source, join(OUTPUT, name));
  }
}
