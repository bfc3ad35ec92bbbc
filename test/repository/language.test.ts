import { expect, test } from 'vitest';
import { FILES, type SourceFile } from './tree.ts';

// Readers of this repository have never met its authors, so it keeps to idiomatic technical English. These rules find
// words that a reader must read twice, and name the ones to use instead.

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const RULES: readonly Rule[] = [
  { pattern: /\bwhoever\b/i, instead: 'the component: the caller, the holder, the owner' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bmeanwhile\b/i, instead: 'by then, or a clause with while' },
  { pattern: /\blately\b/i, instead: 'recently, within the last minute, cached' },
  { pattern: /\bby lot\b/i, instead: 'at random, by weighted random selection' },
  { pattern: /\bin vain\b/i, instead: 'non-conforming, rejected, without effect' },
  { pattern: /\bin (?:its|his|their|\w+'s) stead\b/i, instead: 'the successor, the replacement' },
  { pattern: /\bby heart\b/i, instead: 'cached, in memory' },
  { pattern: /\bat once\b/i, instead: 'synchronously, immediately, concurrently, together' },
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, return, notify, show, ask' },
  { pattern: /\b(?:hears?|heard)\b/i, instead: 'called with, receives, learns' },
  { pattern: /\bgone on with\b/i, instead: 'processed, continued' },
  { pattern: /\bbefalls?\b/i, instead: 'happens to' },
  { pattern: /(?:\/\*\*|\/\/) Who\b/, instead: 'the noun: the caller, the owner' },
];

/** Findings left in files below a path. A number here only falls, and an entry without findings goes. */
const LEFT: readonly (readonly [path: string, findings: number])[] = [['src/database/backup', 2]];

const READ = FILES.filter(
  ({ path }) =>
    /^(src\/.*\.ts|src\/database\/functions\/.*\.sql|docs\/.*\.md|README\.md|ARCHITECTURE\.md|CONTRIBUTING\.md)$/.test(
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
  const findings = READ.filter(({ path }) => !LEFT.some(([left]) => path.startsWith(left))).flatMap(findingsIn);
  expect(findings).toEqual([]);
});

test.each(LEFT)('files below %s have no more words to read twice than before', (left, count) => {
  const findings = READ.filter(({ path }) => path.startsWith(left)).flatMap(findingsIn);
  expect(findings.length > count ? findings : []).toEqual([]);
  expect(findings).not.toEqual([]);
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
