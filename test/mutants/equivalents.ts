import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change of the code by which nothing that a caller could see changes. */
export interface EquivalentMutant {
  readonly file: string;
  /** The code that is replaced and what replaces it, each on one line with single spaces. */
  readonly code: string;
  readonly replacement: string;
  readonly reason: string;
}

const LIST = join(import.meta.dirname, 'equivalents.tsv');

/** Code on one line, as the list has it. */
export function onOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}

/** The committed list: lines of file, code, replacement and reason, separated by tabs. The first line names them. */
export async function equivalentMutants(): Promise<readonly EquivalentMutant[]> {
  const [, ...lines] = (await readFile(LIST, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const [file, code, replacement, reason] = line.split('\t');
    if (file === undefined || code === undefined || replacement === undefined || reason === undefined) {
      throw new Error(`${LIST}: a line has a file, code, a replacement and a reason, separated by tabs: ${line}`);
    }
    return { file, code, replacement, reason };
  });
}
