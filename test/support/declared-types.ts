import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// What a package's type declarations say, read as text.

const PACKAGES = join(import.meta.dirname, '../../node_modules');

/** The text of a package's declaration file. */
export function declarations(packageName: string, path: string): string {
  return readFileSync(join(PACKAGES, packageName, path), 'utf8');
}

/** The text between the braces of an interface, its comments included. @throws if there is no such interface */
export function interfaceBody(text: string, name: string): string {
  const start = new RegExp(`(?:^|\\n) *(?:export )?interface ${name}\\b[^{]*\\{`).exec(text);
  if (start === null) throw new Error(`no interface ${name} is declared`);
  const from = start.index + start[0].length;
  let depth = 1;
  let at = from;
  for (; depth > 0; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
  }
  return text.slice(from, at - 1);
}

/** The names of an interface's own members. */
export function membersOf(text: string, name: string): readonly string[] {
  const body = interfaceBody(text, name);
  const indent = /\n( *)\w+\??:/.exec(body)?.[1] ?? '';
  return [...body.matchAll(new RegExp(`\\n${indent}'?([\\w-]+)'?\\??:`, 'g'))].map(([, member]) => member ?? '');
}

/** The alternatives of a declared union. @throws if there is no such type */
export function unionOf(text: string, name: string): readonly string[] {
  const [, alternatives] = new RegExp(`export type ${name} = ([^;]+);`).exec(text) ?? [];
  if (alternatives === undefined) throw new Error(`no type ${name} is declared`);
  return alternatives.split('|').map((each) => each.trim());
}

/** The texts that an interface's `type` may be. */
export function typeNamesOf(text: string, name: string): readonly string[] {
  const [, names = ''] = /\n *type\??: ([^;]+);/.exec(interfaceBody(text, name)) ?? [];
  return [...names.matchAll(/'([^']+)'/g)].map(([, each]) => each ?? '');
}
