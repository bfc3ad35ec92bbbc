import type { Refusal } from '../../../domain/refusals.ts';
import { scimRefusal } from './scim-refusals.ts';

// The part of SCIM's filters and paths (RFC 7644, 3.4.2.2 and 3.5.2) that directories send: comparisons for equality, joined by
// "and", alone or within the brackets of a path. All else is refused.

/** A comparison, such as `userName eq "ada"`. The attribute is in lower case, without the schema of the resource. */
export interface Term {
  readonly attribute: string;
  readonly value: string | boolean;
}

/** A path, such as `emails[type eq "work"].value`. */
export interface AttributePath {
  readonly attribute: string;
  readonly terms: readonly Term[];
  readonly part: string | null;
}

const TEXT_MAX = 1_000;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
/** A name, which may have its schema before it; or a schema alone. */
const NAME = /(?:urn:[\w:.-]+:)?[a-z$][\w$-]*/iy;
const PART = /\.([a-z$][\w$-]*)/iy;
const COMPARISON = /\s+eq\s+/iy;
const AND = /\s+and\s+/iy;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const BOOLEAN = /(?:true|false)(?![\w-])/iy;

class Unreadable extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (text.length > TEXT_MAX) throw new Unreadable();
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  takes(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  path(): AttributePath {
    const [name] = this.take(NAME) ?? [];
    if (name === undefined) throw new Unreadable();
    const attribute = name.toLowerCase().replace(CORE, '');
    const terms = this.takes('[') ? this.terms() : [];
    if (terms.length > 0 && !this.takes(']')) throw new Unreadable();
    return { attribute, terms, part: this.take(PART)?.[1]?.toLowerCase() ?? null };
  }

  terms(): readonly Term[] {
    const terms: Term[] = [];
    do {
      const { attribute, terms: within, part } = this.path();
      // Addresses for work are all that there are.
      if (!passes(within, { type: 'work' }) || this.take(COMPARISON) === null) throw new Unreadable();
      terms.push({ attribute: part === null ? attribute : `${attribute}.${part}`, value: this.#value() });
    } while (this.take(AND) !== null);
    return terms;
  }

  #value(): string | boolean {
    const flag = this.take(BOOLEAN)?.[0];
    if (flag !== undefined) return flag.toLowerCase() === 'true';
    const [quoted] = this.take(STRING) ?? [];
    if (quoted === undefined) throw new Unreadable();
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw new Unreadable();
    }
  }
}

function read<Result>(text: string, what: (reader: Reader) => Result): Result | null {
  try {
    const reader = new Reader(text);
    const result = what(reader);
    return reader.isAtEnd ? result : null;
  } catch (fault) {
    if (fault instanceof Unreadable) return null;
    throw fault;
  }
}

/** Reads a path; refused if it is none that is known here. */
export function readPath(text: string): AttributePath | Refusal {
  return (
    read(text.trim(), (reader) => reader.path()) ??
    scimRefusal('invalidPath', `The path "${shown(text)}" is not understood.`)
  );
}

function shown(text: string): string {
  return text.slice(0, 200);
}

/**
 * Reads the filter of a list into the fields that it asks for; `fields` has their names by attributes in lower case. Refused if it is
 * more than comparisons of these, or compares one twice.
 */
export function readFilter<Field extends string>(
  text: string,
  fields: ReadonlyMap<string, Field>,
): ReadonlyMap<Field, string | boolean> | Refusal {
  const terms = read(text.trim(), (reader) => reader.terms());
  const asked = new Map<Field, string | boolean>();
  for (const { attribute, value } of terms ?? []) {
    const field = fields.get(attribute);
    if (field === undefined || asked.has(field)) return notFiltered(text, fields);
    asked.set(field, value);
  }
  return asked.size === 0 ? notFiltered(text, fields) : asked;
}

function notFiltered(text: string, fields: ReadonlyMap<string, string>): Refusal {
  const known = [...new Set(fields.values())].join(', ');
  const message = `The filter "${shown(text)}" is not supported: compare ${known} by "eq", joined by "and".`;
  return scimRefusal('invalidFilter', message);
}

/** Whether these comparisons let the value with these parts through; texts are compared without regard to case. */
export function passes(terms: readonly Term[], parts: Readonly<Record<string, string | boolean | undefined>>): boolean {
  return terms.every(({ attribute, value }) => {
    const part = parts[attribute];
    return part !== undefined && String(part).toLowerCase() === String(value).toLowerCase();
  });
}
