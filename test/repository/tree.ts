import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

// The files of this repository as the rules see them: everything that people wrote, nothing that is installed, built
// or kept by a running instance.

export const ROOT = join(import.meta.dirname, '../..');

const NOT_OURS = new Set(['node_modules', '.git', 'data', 'console/dist', 'package-lock.json', 'LICENSE']);
const TEXT = /(\.(tsx?|mjs|json|md|sql|css|html|svg|ya?ml|sh|conf|cfg|service|tpl|txt)|\/[^./]+)$/;

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = relative(ROOT, path).split(sep).join('/');
    if (NOT_OURS.has(name)) continue;
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield name;
  }
}

/** Every text file of the repository. */
export const FILES: readonly SourceFile[] = [...walk(ROOT)]
  .filter((path) => TEXT.test(`/${path}`))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Where lines of the files match: `path:line`, for a message that leads there. */
export function linesMatching(files: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}
