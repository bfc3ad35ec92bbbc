import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

// Builds the program as the npm package has it: JavaScript, since Node strips no types below node_modules, in some forty files
// instead of twelve hundred, which load in half the time. Its dependencies stay packages of their own.

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
/** Folders that are read when the program runs. They are found at the same path as in the source. */
const READ_AT_RUN_TIME = ['program/database/migrations', 'program/database/functions', 'program/database/releases'];
/** The address of a thread's or a process's entry, which is no import to a bundler. */
const ENTRY = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g;
const SOURCE_FILE = /["'`]\.{1,2}\/[^"'`]*\.ts["'`]/;
/** The oldest Node that the package supports. */
const TARGET = 'node22.19';

/**
 * Keeps what source files find by their own place: all built files lie side by side in the folder that stands for src/.
 * An entry that is named by its address becomes a file there.
 */
const PLACES: Plugin = {
  name: 'places',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      if (!id.startsWith(SOURCE)) return null;
      const place = relative(SOURCE, id).replace(/\.ts$/, '.js');
      const entries = code.replace(ENTRY, (_, entry: string) => {
        const fileName = `${basename(entry)}.js`;
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${entry}.ts`), fileName });
        return `new URL('./${fileName}', import.meta.ownUrl)`;
      });
      return entries
        .replaceAll('import.meta.url', `new URL('./${place}', import.meta.ownUrl).href`)
        .replaceAll('import.meta.ownUrl', 'import.meta.url')
        .replaceAll('import.meta.dirname', `\`\${import.meta.dirname}/${dirname(place)}\``);
    },
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      const left = file.type === 'chunk' ? SOURCE_FILE.exec(file.code) : null;
      if (left !== null) this.error(`${file.fileName} names the source file ${left[0]}`);
    }
  },
};

/** Builds the program into a folder, whose former content is removed. @throws if a part can't be built */
export async function buildProgram(output: string): Promise<void> {
  await rm(output, { recursive: true, force: true });
  const build = await rolldown({
    input: { main: join(SOURCE, 'main.ts') },
    platform: 'node',
    external: /^[^./]/,
    transform: { target: TARGET },
    plugins: [PLACES],
  });
  await build.write({ dir: output, format: 'esm', chunkFileNames: '[name].js' });
  await build.close();
  for (const folder of READ_AT_RUN_TIME) {
    await cp(join(SOURCE, folder), join(output, folder), { recursive: true });
  }
}
