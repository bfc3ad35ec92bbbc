import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../../tools/manual/manual-anchor.ts';
import { FILES, ROOT, type SourceFile } from './tree.ts';

const documents = FILES.filter(({ path }) => path.endsWith('.md'));

/** Paths in code spans that start in one of the repository's folders and aren't patterns. */
const CODE_PATH = /`((?:\.ci|bin|src|console|test|bench|docs|tools|deploy)\/[\w./-]*)`/g;
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

test.each([
  ['The ledger', 'the-ledger'],
  ['What isn’t carried over', 'what-isnt-carried-over'],
  ['402 in detail', '402-in-detail'],
  ['The rooms of `src/`', 'the-rooms-of-src'],
  ['`store_for`, and *more* <sup>1</sup>', 'store_for-and-more-1'],
  ['Keys & secrets', 'keys--secrets'],
])('the anchor of the heading "%s" is the one that code hosts make: %s', (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});

const headings = new Map(
  documents.map(({ path, text }) => {
    const prose = text.replace(/^```[^]*?^```/gm, '');
    return [path, new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))];
  }),
);

/** The files and anchors that a document or a page of the console links, as "docs/money.md#leases". */
function linkedAnchors({ path, text }: SourceFile): readonly string[] {
  if (!path.endsWith('.md')) {
    return [...text.matchAll(/\$\{paths\.manual\(\)\}\/([\w/-]+)#([\w-]+)/g)].map(
      ([, page, at]) => `docs/${page}.md#${at}`,
    );
  }
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)]+)\)/g)].map(
    ([, file = '', at]) => `${file === '' ? path : normalize(join(dirname(path), file))}#${at}`,
  );
}

test('documents and the console link only headings that exist', () => {
  const linked = FILES.filter(({ path }) => path.endsWith('.md') || path.startsWith('console/src/')).flatMap((file) =>
    linkedAnchors(file).map((target) => ({ from: file.path, target })),
  );
  expect(linked.length).toBeGreaterThan(50);
  expect(linked.map(({ target }) => target)).toContain('docs/alerts.md#webhooks');
  const dead = linked.filter(({ target }) => {
    const [file = '', anchor = ''] = target.split('#');
    return headings.get(file)?.has(anchor) !== true;
  });
  expect(dead).toEqual([]);
});
