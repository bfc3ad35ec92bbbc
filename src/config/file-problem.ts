import type * as z from 'zod';
import { ConfigFault } from './config-fault.ts';
import type { Path, YamlTree } from './yaml-tree.ts';

// Turns what the schema found into one line. Of several problems the first in the file is reported: the ones after it
// are often its consequences.

/** The fault to throw for a file that doesn't fit its schema. Values are never quoted: they may be secrets. */
export function faultOf(error: z.ZodError, tree: YamlTree): ConfigFault {
  const { issues } = error;
  // An unknown key is often the misspelt name of one that is missing beside it, and says more.
  const misspelt = new Set(issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => pathText(path)));
  const specific = issues.filter(
    ({ path, code }) => code === 'unrecognized_keys' || tree.has(path) || !misspelt.has(pathText(path.slice(0, -1))),
  );
  const problems = specific.map((issue) => problemOf(issue, tree));
  const [first] = problems.toSorted((left, right) => left.offset - right.offset);
  return first === undefined
    ? new ConfigFault(tree.where([]), 'the file is not usable')
    : new ConfigFault(first.where, first.text);
}

interface Problem {
  readonly offset: number;
  readonly where: string;
  readonly text: string;
}

function problemOf(issue: z.core.$ZodIssue, tree: YamlTree): Problem {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const path = [...issue.path, key];
    return { offset: tree.offset(path), where: tree.whereKey(path), text: `unknown key "${key}"; ${issue.message}` };
  }
  const offset = tree.offset(issue.path);
  if (issue.code === 'invalid_key') {
    const right = issue.issues[0]?.message ?? issue.message;
    return {
      offset,
      where: tree.whereKey(issue.path),
      text: `the name "${String(issue.path.at(-1))}" is not usable; ${right}`,
    };
  }
  const present = tree.has(issue.path);
  const wrong = present ? wrongness(issue, valueAt(tree.value, issue.path)) : 'is missing';
  return { offset, where: tree.where(issue.path), text: `${pathText(issue.path)} ${wrong}; ${issue.message}` };
}

function wrongness(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === null) return 'is empty';
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.['wrong'] === 'string' ? issue.params['wrong'] : 'is not usable';
    case 'invalid_type':
      return `is ${typeText(value)}`;
    case 'too_small':
      return typeof value === 'number'
        ? 'is too small'
        : value === '' || Array.isArray(value)
          ? 'is empty'
          : 'is too short';
    case 'too_big':
      return typeof value === 'number' ? 'is too large' : 'is too long';
    case 'invalid_union':
      return issue.discriminator === undefined && typeof value !== 'string'
        ? `is ${typeText(value)}`
        : 'has an unknown value';
    case 'invalid_format':
      return 'is malformed';
    default:
      return 'has an unknown value';
  }
}

function typeText(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'a string';
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}

/** A path as people write it: `models[0].price.input`. */
export function pathText(path: Path): string {
  if (path.length === 0) return 'the file';
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
