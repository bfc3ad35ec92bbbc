import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from 'yaml';
import { ConfigFault } from './config-fault.ts';
import { expandVariables, type Environment } from './variables.ts';

// Reads YAML into plain values and remembers where in the file each of them stands, so that whatever is found to be
// wrong with a value later can be reported with its line and column.

export type Path = readonly PropertyKey[];

export interface YamlTree {
  readonly value: unknown;
  /** `file:line:column` of the value at the path; of the nearest thing around it where there is no such value. */
  where(path: Path): string;
  /** `file:line:column` of the key at the end of the path. */
  whereKey(path: Path): string;
  /** Where in the file the value stands, as an offset to sort by. */
  offset(path: Path): number;
  has(path: Path): boolean;
  /** A string as it is written in the file, variables not filled in: safe to be shown. */
  written(path: Path): string;
}

/** More values than a config can sensibly have; aliases of aliases multiply without bound. */
const VALUES_MAX = 200_000;

/** Parses the text of a file. @throws ConfigFault if it isn't YAML or a variable is unset. */
export function readYamlTree(text: string, file: string, environment: Environment): YamlTree {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2', schema: 'core' });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken !== undefined) throw new ConfigFault(at(broken.pos[0]), syntaxProblem(broken));

  const places = new Places();
  const value = new TreeReader(document, places, environment, at).read(document.contents, [], 0);
  return {
    value,
    where: (path) => at(places.nearest(path).value),
    whereKey: (path) => at(places.nearest(path).key),
    offset: (path) => places.nearest(path).value,
    has: (path) => places.find(path) !== undefined,
    written: (path) => places.find(path)?.written ?? '',
  };
}

interface Place {
  readonly key: number;
  readonly value: number;
  readonly written: string;
}

/** The positions of one tree's values, by path. */
class Places {
  readonly #byPath = new Map<string, Place>();

  add(path: Path, place: Place): void {
    this.#byPath.set(JSON.stringify(path), place);
  }

  find(path: Path): Place | undefined {
    return this.#byPath.get(JSON.stringify(path));
  }

  nearest(path: Path): Place {
    for (let length = path.length; length >= 0; length--) {
      const place = this.find(path.slice(0, length));
      if (place !== undefined) return place;
    }
    return { key: 0, value: 0, written: '' };
  }

  get size(): number {
    return this.#byPath.size;
  }
}

class TreeReader {
  readonly #document: Document;
  readonly #places: Places;
  readonly #environment: Environment;
  readonly #at: (offset: number) => string;

  constructor(document: Document, places: Places, environment: Environment, at: (offset: number) => string) {
    this.#document = document;
    this.#places = places;
    this.#environment = environment;
    this.#at = at;
  }

  /** The node's plain value. `keyOffset` is where the key in front of it stands. */
  read(node: unknown, path: Path, keyOffset: number): unknown {
    const offset = offsetOf(node) ?? keyOffset;
    const target = isAlias(node) ? node.resolve(this.#document) : node;
    const written = isScalar(target) && typeof target.value === 'string' ? target.value : '';
    this.#places.add(path, { key: keyOffset, value: offset, written });
    if (this.#places.size > VALUES_MAX || path.length > 32) {
      throw new ConfigFault(this.#at(offset), 'the file nests or repeats too much; write it out with fewer aliases');
    }
    if (isMap(target)) return this.#readMap(target.items, path);
    if (isSeq(target))
      return target.items.map((item, index) => this.read(item, [...path, index], offsetOf(item) ?? offset));
    return isScalar(target) ? this.#readScalar(target.value, offset) : null;
  }

  #readMap(items: readonly { key: unknown; value: unknown }[], path: Path): object {
    const entries = items.map(({ key, value }): [string, unknown] => {
      const name = isScalar(key) ? String(key.value) : String(key);
      // The schema's records pass over it, so what it declares would be missing without a word.
      if (name === '__proto__')
        throw new ConfigFault(this.#at(offsetOf(key) ?? 0), '"__proto__" is no name; write another one');
      return [name, this.read(value, [...path, name], offsetOf(key) ?? 0)];
    });
    return Object.fromEntries(entries);
  }

  #readScalar(value: unknown, offset: number): unknown {
    if (typeof value !== 'string') return value;
    const expansion = expandVariables(value, this.#environment);
    if (!expansion.ok) throw new ConfigFault(this.#at(offset), expansion.problem);
    return expansion.text;
  }
}

/** A value that is left empty has its place right after the key, which is no help: the key's own is used instead. */
function offsetOf(node: unknown): number | null {
  const range = (node as Partial<Node> | null)?.range ?? null;
  return range === null || (range[0] === range[1] && isScalar(node)) ? null : range[0];
}

/** Says what the parser found, without quoting the line: it may hold a secret. */
function syntaxProblem(error: YAMLError): string {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return 'this key stands here twice; keep one of the two';
    case 'TAB_AS_INDENT':
      return 'a tab is used for indentation; indent with spaces';
    case 'BAD_INDENT':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'the indentation is wrong, or a bracket before it is open; indent keys alike and close brackets';
    case 'MISSING_CHAR':
      return 'a quote, bracket, comma or colon is missing; close what is open and write "key: value"';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a second ":" follows on the same line; put quotes around a value that contains ": "';
    case 'BAD_SCALAR_START':
      return 'a value cannot start with this character; put quotes around the value';
    case 'BAD_DQ_ESCAPE':
      return 'this backslash escape is unknown; use single quotes for a text with backslashes';
    case 'MULTIPLE_DOCS':
      return 'a second document starts here; keep a single one, without "---" between';
    case 'TAG_RESOLVE_FAILED':
      return 'this tag is not supported; write the value without "!…"';
    case 'BAD_ALIAS':
      return 'this alias names no anchor before it; define the anchor with "&name" first';
    default:
      return 'this is not valid YAML; check indentation, quotes and brackets around here';
  }
}
