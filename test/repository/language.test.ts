import { expect, test } from 'vitest';
import { AVOIDED, type WordRule } from './avoided-words.ts';
import { FILES, type SourceFile } from './tree.ts';

// Readers of this repository have never met its authors, so it keeps to idiomatic technical English. These rules find
// words that a reader must read twice, and name the ones to use instead.

const RULES: readonly WordRule[] = [
  ...AVOIDED,
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, return, notify, show, ask' },
  { pattern: /\b(?:hears?|heard)\b/i, instead: 'called with, receives, learns' },
  { pattern: /\bgone on with\b/i, instead: 'processed, continued' },
  { pattern: /\bbefalls?\b/i, instead: 'happens to' },
  { pattern: /(?:\/\*\*|\/\/) Who\b/, instead: 'the noun: the caller, the owner' },
];

const READ = FILES.filter(
  ({ path }) =>
    /^(src\/.*\.ts|console\/.*\.(?:tsx?|md|html)|src\/database\/functions\/.*\.sql|docs\/.*\.md|README\.md|ARCHITECTURE\.md|CONTRIBUTING\.md)$/.test(
      path,
    ) && !path.endsWith('.test.ts'),
);

function findingsIn({ path, text }: SourceFile): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    RULES.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line);
      return found === null ? [] : [`${path}:${index + 1}: "${found[0]}": write ${instead}`];
    }),
  );
}

test('sources and documents avoid words that engineers have to read twice', () => {
  expect(READ.length).toBeGreaterThan(400);
  expect(READ.flatMap(findingsIn)).toEqual([]);
});

test('words to read twice are found as whole words, in either case', () => {
  const text = 'Whoever asks\nis told at once\n// Who waits hears it\nThe retailer ordered heartily';
  expect(findingsIn({ path: 'a.ts', text })).toEqual([
    'a.ts:1: "Whoever": write the component: the caller, the holder, the owner',
    'a.ts:2: "at once": write synchronously, immediately, concurrently, together',
    'a.ts:2: "told": write report, return, notify, show, ask',
    'a.ts:3: "hears": write called with, receives, learns',
    'a.ts:3: "// Who": write the noun: the caller, the owner',
  ]);
});
