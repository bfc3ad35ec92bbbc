import { type Module, parseSync, type RegExpLiteral } from '@swc/core';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { FILES } from './tree.ts';

// Expressions that take much longer than their text is long, over text that somebody else wrote, stop the event loop for
// everybody. So none in the program is super-linear, whoever wrote the text today.

interface Expression {
  readonly where: string;
  readonly regex: RegExp;
}

/** Texts in which a backtracking match looks at each character again and again have this length. */
const ATTACK_LENGTH = 100_000;
/** What a linear match of such a text takes in no case, and a quadratic one in every case; processor time. */
const ATTACK_MS = 100;

const PROGRAM = FILES.filter(
  ({ path }) => /^(src|console|tools|bench)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'),
);

/** Expressions made at run time. Those that take a pattern from callers run in threads that are ended. */
const MADE_AT_RUN_TIME = [
  'src/control/admin/admin-app.ts',
  'src/domain/key.ts',
  'src/gate/structured/patterns.ts',
  'src/program/process/receipt-line.ts',
  'src/program/telemetry/log.ts',
];

function literalsOf(path: string, text: string): Expression[] {
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null) {
      if ('type' in node && node.type === 'RegExpLiteral') {
        const { pattern, flags } = node as RegExpLiteral;
        found.push({ where: `${path}: /${pattern}/${flags}`, regex: new RegExp(pattern, flags) });
      } else Object.values(node).forEach(walk);
    }
  };
  const module: Module = parseSync(text, { syntax: 'typescript', target: 'esnext' });
  walk(module);
  return found;
}

/** Whether it is super-linear over a text of one repeated character. */
function isSuperLinear(regex: RegExp): boolean {
  return analyse(regex).reports.length > 0;
}

/** Long texts that repeat what the expression spells out, alone and joined, and end with what few expressions take. */
function attacksOn({ source }: RegExp): string[] {
  const spelled = source.replaceAll('\\/', '/').replaceAll(/\\.|\(\?[:=!]/g, '|');
  const words = spelled.match(/[A-Za-z0-9:/_"'`, -]+/g) ?? [];
  const pairs = words.slice(1).map((word, index) => `${words[index]}${word}`);
  return [...words, ...pairs].map((unit) => `${unit.repeat(Math.ceil(ATTACK_LENGTH / unit.length))}\0\n",`);
}

function isSlow(regex: RegExp): boolean {
  return attacksOn(regex).some((attack) => {
    const before = process.threadCpuUsage();
    for (let at = 0; at !== -1; regex.lastIndex = at) at = regex.exec(attack) === null ? -1 : regex.lastIndex || -1;
    regex.lastIndex = 0;
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000 > ATTACK_MS;
  });
}

const EXPRESSIONS = PROGRAM.flatMap(({ path, text }) => literalsOf(path, text));

test('expressions take time in proportion to their text, whatever stands in it', () => {
  expect(EXPRESSIONS.length).toBeGreaterThan(100);
  const slow = EXPRESSIONS.filter(({ regex }) => isSuperLinear(regex) || isSlow(regex));
  expect(slow.map(({ where }) => where)).toEqual([]);
});

test('expressions are found super-linear where they are', () => {
  expect([/\s*,\s*/, /\/+$/, /^(a+)+$/, /(?:a|a)*b/].filter(isSuperLinear)).toHaveLength(4);
  expect(isSlow(/data:(?:image\/|video\/)[^",]*$/)).toBe(true);
});

test('expressions are made at run time in few places, which were looked at', () => {
  const made = PROGRAM.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ path }) => path);
  expect(made.toSorted()).toEqual(MADE_AT_RUN_TIME);
});
