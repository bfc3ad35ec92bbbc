import { type BodyFault, fieldFault } from './body-fault.ts';
import { type FieldTable, judge, type PassingFields, type RefusedFields } from './known-fields.ts';
import { NAME_BYTES_MAX } from './json-edit.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';
import type { UnknownFields } from './unknown-fields.ts';

// The members of objects within a body, checked like its top-level fields: by tables, in the reader's own pass.

/** The path of an object in its body. It is made only for a fault or an unknown member. */
export type Path = () => string;

type Pass = (scan: JsonScan, where: Path, unknown: UnknownFields) => BodyFault | null;

/** Reads the members of one kind of object by their verdicts. */
export class MemberReader<Priced extends string = never> {
  readonly #names: NameTable<string>;
  /** How to pass members that aren't priced; null for those that pass unread. */
  readonly #passes: ReadonlyMap<string, Pass | null>;

  constructor({ byName }: FieldTable<Priced>) {
    this.#names = new NameTable([...byName.keys()]);
    this.#passes = new Map(
      [...byName].flatMap(([name, group]) => (group.verdict === 'priced' ? [] : [[name, passOf(group)]])),
    );
  }

  /**
   * Checks the member whose value is at the scan's position. Returns the name of a priced one, whose value the caller
   * reads; null if the member may pass, and the scan is then past it.
   */
  judge(scan: JsonScan, where: Path, unknown: UnknownFields): Priced | BodyFault | null {
    const name = scan.keyIn(this.#names);
    if (name === undefined) return this.#passUnknown(scan, where, unknown);
    const pass = this.#passes.get(name);
    if (pass === undefined) return name as Priced;
    if (pass !== null) return pass(scan, () => `${where()}.${name}`, unknown);
    scan.skip();
    return null;
  }

  /** Skips an object without priced members, a list of such objects, or any other value. */
  pass(scan: JsonScan, where: Path, unknown: UnknownFields): BodyFault | null {
    if (scan.enterArray()) {
      for (let index = 0; scan.nextElement(); index++) {
        const fault = this.#passObject(scan, () => `${where()}[${index}]`, unknown);
        if (fault !== null) return fault;
      }
      return null;
    }
    return this.#passObject(scan, where, unknown);
  }

  #passObject(scan: JsonScan, where: Path, unknown: UnknownFields): BodyFault | null {
    if (!scan.enterObject()) {
      scan.skip();
      return null;
    }
    while (scan.nextMember()) {
      const fault = this.judge(scan, where, unknown);
      if (isMemberFault(fault)) return fault;
      if (fault !== null) scan.skip();
    }
    return null;
  }

  #passUnknown(scan: JsonScan, where: Path, unknown: UnknownFields): BodyFault | null {
    const meant = scan.lookalikeIn(this.#names);
    if (meant !== undefined) return lookalikeFault(where(), meant);
    const isNull = scan.kind() === 'null';
    scan.skip();
    if (isNull || scan.fault !== null) return null;
    // A longer key is no name that an operator could have configured.
    const key = scan.keyBytes > NAME_BYTES_MAX ? '' : scan.key();
    return unknown.addField(key, where());
  }
}

/** Passes the value of a field or member that isn't priced; null if it passes unread. */
export function passOf(group: PassingFields | RefusedFields): Pass | null {
  if (group.verdict === 'refused') return (scan, where) => judge(scan, where(), group);
  if (group.members === undefined) return null;
  const reader = new MemberReader(group.members);
  return (scan, where, unknown) => reader.pass(scan, where, unknown);
}

/** Whether it is a fault, and no member's name. */
export function isMemberFault(judged: string | BodyFault | null): judged is BodyFault {
  return typeof judged === 'object' && judged !== null;
}

/** The fault of a key that another parser could take for a known one. */
export function lookalikeFault(where: string, meant: string): BodyFault {
  return fieldFault(`${where}.${meant}`, `'${where}' has a key that some read as '${meant}'; write it so.`);
}

/** The result for all unknown types. */
export const UNKNOWN_TYPE = 'unknown';

/** The most bytes of a type's name that errors repeat, and `accept_fields` can name. */
const TYPE_BYTES_MAX = 64;

/** Reads what kinds of objects a list may hold, by the texts in their `type`. */
export class TypeReader {
  readonly #types: NameTable<string>;
  readonly #refused: ReadonlyMap<string, string> | null;

  constructor({ byName }: FieldTable) {
    this.#types = new NameTable([...byName.keys()]);
    const refused = [...byName].filter(([, { verdict }]) => verdict === 'refused');
    this.#refused = refused.length === 0 ? null : new Map(refused.map(([type, { reason }]) => [type, reason]));
  }

  /** Reads the text at this position: the type, or UNKNOWN_TYPE. `where`: the object with this type. */
  read(scan: JsonScan, where: Path, unknown: UnknownFields): string | BodyFault {
    const start = scan.at;
    const type = scan.stringIn(this.#types);
    if (type === undefined) {
      const text = scan.bytes.toString('latin1', start + 1, Math.min(scan.at - 1, start + 1 + TYPE_BYTES_MAX + 1));
      const shown = text.length <= TYPE_BYTES_MAX && /^[\w.-]+$/.test(text) ? text : '';
      return (scan.fault === null ? unknown.addValue(`${where()}.type`, shown) : null) ?? UNKNOWN_TYPE;
    }
    const reason = this.#refused?.get(type);
    if (reason === undefined) return type;
    const path = `${where()}.type`;
    return fieldFault(path, `'${path}' can't be '${type}' here: it ${reason}.`);
  }
}
