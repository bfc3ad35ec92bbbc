import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

// Makes dist/, what the npm package runs: Node strips no types below node_modules. `npm pack` calls it. The tree of src/
// stays as it is, so that every path between its files, package.json and console/dist holds in both.

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
const OUTPUT = join(ROOT, 'dist');
/** Folders that are read when the program runs. */
const READ_AT_RUN_TIME = ['program/database/migrations', 'program/database/functions', 'program/database/releases'];
/** The entry of a thread or a process. The compiler rewrites what is imported, and leaves addresses alone. */
const ENTRY = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g;
const SOURCE_FILE = /'\.{1,2}\/[^']*\.ts'/;

async function finish(path: string): Promise<void> {
  const emitted = await readFile(path, 'utf8');
  const text = emitted.replace(ENTRY, (_, entry: string) => {
    if (!existsSync(join(dirname(path), `${entry}.js`)))
      throw new Error(`${path} starts ${entry}, which was not built`);
    return `new URL('${entry}.js', import.meta.url)`;
  });
  const left = SOURCE_FILE.exec(text);
  if (left !== null) throw new Error(`${relative(ROOT, path)} names the source file ${left[0]}`);
  if (text !== emitted) await writeFile(path, text);
}

await rm(OUTPUT, { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.package.json'], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) throw new Error('the compiler failed');
for (const folder of READ_AT_RUN_TIME) {
  await cp(join(SOURCE, folder), join(OUTPUT, folder), { recursive: true });
}
const built = await readdir(OUTPUT, { recursive: true });
await Promise.all(built.filter((path) => path.endsWith('.js')).map((path) => finish(join(OUTPUT, path))));
