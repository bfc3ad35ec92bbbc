import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, ROOT, type SourceFile } from './tree.ts';

const documents = FILES.filter(({ path }) => path.endsWith('.md'));

/** Paths in code spans that start in one of the repository's folders and aren't patterns. */
const CODE_PATH = /`((?:\.ci|bin|src|console|test|bench|docs|tools)\/[\w./-]*)`/g;
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

function deadReferences({ path, text }: SourceFile): readonly string[] {
  const named = [...text.matchAll(CODE_PATH)].map(([, target = '']) => target);
  const linked = [...text.matchAll(LINK)].map(([, target = '']) => normalize(join(dirname(path), target)));
  return [...named, ...linked]
    .filter((target) => !existsSync(join(ROOT, target)))
    .map((target) => `${path}: ${target}`);
}

test('documents name and link only files that exist', () => {
  expect(documents.flatMap(deadReferences)).toEqual([]);
});
