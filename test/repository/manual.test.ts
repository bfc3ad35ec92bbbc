import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contentsOf } from '../../tools/manual/contents.ts';
import { ROOT } from './tree.ts';

// The manual as it was built: what the program serves at /docs.

const BUILT = join(ROOT, 'console/dist/docs');

const pages = new Map(
  readdirSync(BUILT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'index.html')
    .map(({ parentPath }) => {
      const address = `/docs/${relative(BUILT, parentPath)}`.replace(/\/$/, '');
      return [address, readFileSync(join(parentPath, 'index.html'), 'utf8')] as const;
    }),
);

const kilobytesOf = (text: string): number => gzipSync(text).length / 1_000;

test('every link between pages of the manual leads to a page and a heading that are there', () => {
  const dead = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/href="((?:\/docs[^"#]*)?(?:#[^"]*)?)"/g)].flatMap(([, target = '']) => {
      const [address = '', anchor] = target.split('#');
      const other = pages.get(address === '' ? page : address);
      const isThere = other !== undefined && (anchor === undefined || other.includes(` id="${anchor}"`));
      return isThere ? [] : [`${page}: ${target}`];
    }),
  );
  expect(pages.size).toBeGreaterThan(80);
  expect(dead).toEqual([]);
});

test('a page of the manual is at most 20 kB, and what its search loads at most 95 kB', () => {
  const large = [...pages].filter(([, html]) => kilobytesOf(html) > 20).map(([page]) => page);
  expect(large).toEqual([]);
  expect(kilobytesOf(readFileSync(join(BUILT, 'search-index.js'), 'utf8'))).toBeLessThanOrEqual(95);
});

test('the manual runs no script but its own, asks no other host, and has every command', () => {
  for (const html of pages.values()) {
    expect(html).not.toMatch(/<script(?! (?:type="module" )?src="\/(?:theme|manual)\.js")|<style|<img src="http/);
  }
  expect(pages.get('/docs/commands')).toContain('faregate ledger verify');
});

test('the contents take a document up without being named in them, and group those that README.md names', () => {
  const readme =
    '# A\n\n## Read on\n\n### Start\n\n- [b](docs/b.md): b\n- [C](CONTRIBUTING.md): c\n\n### Run\n\n- [a](docs/a.md): a\n';
  expect(contentsOf(readme, ['docs/a.md', 'docs/b.md', 'docs/new.md', 'docs/decisions/0001-x.md'])).toEqual([
    { heading: 'Start', paths: ['docs/b.md'] },
    { heading: 'Run', paths: ['docs/a.md'] },
    { heading: 'More', paths: ['docs/new.md'] },
  ]);
});
