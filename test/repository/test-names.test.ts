import { type CallExpression, type Expression, parseSync, type TemplateElement } from '@swc/core';
import { expect, test } from 'vitest';
import { AVOIDED } from './avoided-words.ts';
import { FILES } from './tree.ts';

// A log shows the name of a test that failed and little else, so each name is a sentence that states its guarantee.

const WORDS_MIN = 4;
/** As much as a line of a log shows beside the file's name. */
const CHARACTERS_MAX = 110;
/** What a sentence that goes on from a heading begins with, and what a table's row would have to begin. */
const FRAGMENT =
  /^((and|but|or|that|which|whose|is|are|was|were|be|has|have|had|gets|may|can|cannot|does|do|not|for|from|to|too|also)\b|[%$])/i;
/** As where a name repeats the heading that it once followed. */
const REPEATED = /\b(\w+ \w+)[:,]? \1\b/;

interface TestName {
  readonly path: string;
  readonly name: string;
}

/** The function that a chain of calls and members, as `test.each(rows)`, begins with. */
function rootOf(callee: CallExpression['callee']): string | null {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  return callee.type === 'CallExpression' ? rootOf(callee.callee) : null;
}

function textOf(title: Expression | undefined): string | null {
  if (title?.type === 'StringLiteral') return title.value;
  if (title?.type !== 'TemplateLiteral') return null;
  return title.quasis.map(({ raw }: TemplateElement) => raw).join('${}');
}

/** Tables are no names: those of `test.each` stand in its first call, the name in the second. */
function nameOf({ callee, arguments: [title] }: CallExpression): string | null {
  if (rootOf(callee) !== 'test') return null;
  const member =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.value : '';
  return /^(each|for|runIf|skipIf)$/.test(member) ? null : textOf(title?.expression);
}

function namesIn(path: string, text: string): readonly TestName[] {
  const names: TestName[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'CallExpression') {
      const name = nameOf(node as CallExpression);
      if (name !== null) names.push({ path, name });
    }
    Object.values(node).forEach(walk);
  };
  walk(parseSync(text, { syntax: 'typescript', target: 'esnext' }));
  return names;
}

const NAMES = FILES.filter(({ path }) => path.endsWith('.test.ts')).flatMap(({ path, text }) => namesIn(path, text));
const namesMatching = (isWrong: (name: string) => boolean): readonly TestName[] =>
  NAMES.filter(({ name }) => isWrong(name));

test('names of tests are sentences of four words or more, and none goes on from a heading', () => {
  expect(NAMES.length).toBeGreaterThan(1_500);
  expect(namesMatching((name) => name.split(/\s+/).length < WORDS_MIN || FRAGMENT.test(name))).toEqual([]);
  expect(namesMatching((name) => REPEATED.test(name))).toEqual([]);
});

test('names of tests are at most 110 characters long', () => {
  expect(namesMatching((name) => name.length > CHARACTERS_MAX)).toEqual([]);
});

test('names of tests are each given once in the whole tree', () => {
  const seen = new Set<string>();
  expect(namesMatching((name) => seen.size === seen.add(name).size)).toEqual([]);
});

test('names of tests use no word that the repository avoids', () => {
  expect(namesMatching((name) => AVOIDED.some(({ pattern }) => pattern.test(name)))).toEqual([]);
});
