import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Puts a compressed sibling beside each text in console/dist: `x.js.br` and `x.js.gz`. It runs on every install, after the
// console and the manual are built.

const OUTPUT = join(import.meta.dirname, '../console/dist');
const TEXTS: readonly string[] = ['.html', '.css', '.js', '.svg', '.txt'];

/** Less than this is one packet either way. */
const BYTES_MIN = 1_024;

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < BYTES_MIN) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { ...quality, ...hint } }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

const entries = await readdir(OUTPUT, { recursive: true, withFileTypes: true });
const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
await Promise.all(paths.filter((path) => TEXTS.includes(extname(path))).map(compress));
