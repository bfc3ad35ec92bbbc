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
  return bracedAfter(text, start.index + start[0].length);
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

/** A member of an interface, and the text of its type. */
export interface DeclaredMember {
  readonly name: string;
  readonly type: string;
}

/** The text without its comments. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
}

/** Modules that the declarations import as namespaces. */
const IMPORTED = /\b(?:ResponsesAPI|MessagesAPI|Shared)\./g;

/** The interfaces that a type may be, or be a list of, by their names. Texts are without comments. */
export function interfacesIn(text: string, type: string, seen = new Set<string>()): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const named = type.replaceAll(/'[^']*'/g, '').replaceAll(IMPORTED, '');
  for (const [name] of named.matchAll(/\b[A-Z]\w*(?:\.[A-Z]\w*)*/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const exported = new RegExp(`\nexport (?:declare )?type ${name} = ([^;]+);`).exec(text)?.[1];
    const body = exported === undefined ? bodyOf(text, name) : null;
    if (body !== null) found.set(name, body);
    const alias = exported ?? new RegExp(`type ${name.split('.').at(-1)} = ([^;]+);`).exec(text)?.[1];
    if (body !== null || alias === undefined) continue;
    for (const [each, its] of interfacesIn(text, alias, seen)) found.set(each, its);
  }
  return found;
}

/** The members that stand in an interface's body itself. */
export function declaredIn(body: string): readonly DeclaredMember[] {
  const indent = /\n( *)'?[\w-]+'?\??:/.exec(body)?.[1] ?? '';
  const starts = [...body.matchAll(new RegExp(`\\n${indent}'?([\\w-]+)'?\\??: `, 'g'))];
  return starts.map((start, index) => ({
    name: start[1] ?? '',
    type: body.slice(start.index + start[0].length, starts[index + 1]?.index),
  }));
}

/** The body of an interface, in its namespace if that is named; null if there is none. */
function bodyOf(text: string, name: string): string | null {
  const [own = '', space] = name.split('.').toReversed();
  const spaces = space === undefined ? [] : [...text.matchAll(new RegExp(`namespace ${space} \\{`, 'g'))];
  for (const { index, 0: head } of spaces) {
    const inner = bracedAfter(text, index + head.length);
    const declared = new RegExp(`\\n *(?:export )?interface ${own}\\b[^{]*\\{`).exec(inner);
    if (declared !== null) return bracedAfter(inner, declared.index + declared[0].length);
  }
  const declared = new RegExp(`(?:^|\\n) *(?:export )?interface ${own}\\b[^{]*\\{`).exec(text);
  return declared === null ? null : bracedAfter(text, declared.index + declared[0].length);
}

/** What stands between a brace that was opened before `from` and the one that closes it. */
function bracedAfter(text: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; depth > 0; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
  }
  return text.slice(from, at - 1);
}
