import { fieldFault, type BodyFault, shownName } from './body-fault.ts';
import { type JsonMember, type JsonObject, NAME_BYTES_MAX } from './json-edit.ts';
import type { FieldTable, PassingFields, RefusedFields } from './known-fields.ts';
import { passOf } from './known-members.ts';
import { NameTable } from './json-names.ts';
import { JsonScan } from './json-scan.ts';
import type { UnknownFields } from './unknown-fields.ts';

// Shared by the readers of all request bodies: the walk over the top-level members, and the checks of single fields.

/** More members than any request has; each costs memory while the request runs. */
const MAX_MEMBERS = 1000;

/** The longest model id. */
const MAX_MODEL_LENGTH = 256;

/** The most bytes of a model id, with any escapes; and of a reasonable number. */
const MAX_MODEL_BYTES = 2_048;
const MAX_NUMBER_BYTES = 64;

/**
 * Reads the value of the member `name`, at the scan's position, into the draft, and leaves the scan past it. After a
 * fault, its own or the scan's, the position is undefined.
 */
export type FieldReader<Draft> = (scan: JsonScan, draft: Draft, name: string) => BodyFault | null;

/** The value of a field that is read by itself; never an object, unlike a fault. */
type FieldValue = string | number | boolean | null;

/** Common part of all drafts. */
interface AnyDraft {
  /** The fields that no table has, except those with the value null. */
  readonly unknown: UnknownFields;
}

/** Reads a kind of body by the verdicts on its fields. */
export class BodyReader<Draft extends AnyDraft, Priced extends string> {
  readonly #structureMax: number;
  readonly #readers: ReadonlyMap<string, FieldReader<Draft>>;
  readonly #names: NameTable<string>;

  /** `structureMax`: how much structure a body may have, in bytes. `readers`: those of the priced fields. */
  constructor(
    structureMax: number,
    { byName }: FieldTable<Priced>,
    readers: Readonly<Record<Priced, FieldReader<Draft>>>,
  ) {
    const ofPriced: Readonly<Record<string, FieldReader<Draft>>> = readers;
    this.#structureMax = structureMax;
    this.#readers = new Map(
      [...byName].map(([name, group]) => [name, group.verdict === 'priced' ? ofPriced[name]! : unpricedReader(group)]),
    );
    this.#names = new NameTable([...byName.keys()]);
  }

  /** Reads a whole body into the draft and returns the positions of its members. */
  read(body: Buffer, draft: Draft): JsonObject | BodyFault {
    const scan = new JsonScan(body, this.#structureMax);
    const start = scan.at;
    if (!scan.enterObject()) return bodyFault(scan, whatElse(scan));
    const seen = new Set<string>();
    const members: JsonMember[] = [];
    while (scan.nextMember()) {
      if (scan.keyBytes > NAME_BYTES_MAX) return LONG_NAME;
      const key = scan.key();
      if (seen.has(key)) return duplicateFault(key);
      seen.add(key);
      if (members.length === MAX_MEMBERS)
        return { message: `The body has more than ${MAX_MEMBERS} fields.`, param: null };
      const { keyStart, keyEnd, at: valueStart } = scan;
      const reader = this.#readers.get(key);
      const fault = reader === undefined ? this.#skipUnknown(scan, key, draft) : reader(scan, draft, key);
      if (fault !== null) return scan.fault === null ? fault : bodyFault(scan);
      members.push({ key, keyStart, keyEnd, valueStart, valueEnd: scan.at });
    }
    const end = scan.at;
    return scan.finish() ? { start, end, members } : bodyFault(scan);
  }

  #skipUnknown(scan: JsonScan, key: string, { unknown }: Draft): BodyFault | null {
    const meant = this.#names.lookalike(key);
    if (meant !== undefined)
      return fieldFault(meant, `Some would read a field of the body as '${meant}'; write it so.`);
    const isNull = scan.kind() === 'null';
    scan.skip();
    return isNull || scan.fault !== null ? null : unknown.addField(key);
  }
}

function unpricedReader<Draft extends AnyDraft>(group: PassingFields | RefusedFields): FieldReader<Draft> {
  const pass = passOf(group);
  return pass === null ? skipValue : (scan, { unknown }, name) => pass(scan, () => name, unknown);
}

/** Skips a value. */
export function skipValue(scan: JsonScan): null {
  scan.skip();
  return null;
}

const LONG_NAME: BodyFault = { message: `A field's name is longer than ${NAME_BYTES_MAX} bytes.`, param: null };

function duplicateFault(key: string): BodyFault {
  return { message: 'A field is given twice; it can be given only once.', param: shownName(key) };
}

const TOO_MUCH_STRUCTURE: BodyFault = {
  message: 'The body has more values, or more white space between them, than any request needs.',
  param: null,
};

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Why a body doesn't begin as an object. Some editors and shells put a byte order mark before it. */
function whatElse(scan: JsonScan): string {
  if (scan.bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    return 'The body is not valid JSON: it begins with a byte order mark; send it without one.';
  }
  return scan.kind() === 'none' ? 'The body is not valid JSON.' : 'The body must be a JSON object.';
}

/** The fault of a body that isn't JSON, or isn't an object. */
function bodyFault(scan: JsonScan, otherwise = 'The body is not valid JSON.'): BodyFault {
  if (scan.bytes.length === 0) return { message: 'The body is empty; send a JSON object.', param: null };
  if (scan.fault === null) return { message: otherwise, param: null };
  if (scan.structureLeft < 0) return TOO_MUCH_STRUCTURE;
  return { message: `The body is not valid JSON: ${scan.fault.message}.`, param: null };
}

/**
 * Reads a member into the draft's `key`. `read` returns its value or a fault; it gets the member's name for the fault.
 */
export function into<Draft, Key extends keyof Draft>(
  key: Key,
  read: (scan: JsonScan, name: string) => (Draft[Key] & FieldValue) | BodyFault,
): FieldReader<Draft> {
  return (scan, draft, name) => {
    const value = read(scan, name);
    if (isFault(value)) return value;
    draft[key] = value;
    return null;
  };
}

/** Whether it is a fault, and not a field's value. */
export function isFault(value: BodyFault | FieldValue): value is BodyFault {
  return typeof value === 'object' && value !== null;
}

/** Reads a model id. */
export function readModel(scan: JsonScan): string | BodyFault {
  const isId = scan.kind() === 'string' && !scan.exceeds(MAX_MODEL_BYTES);
  const model = isId ? scan.string() : '';
  if (model.length > 0 && model.length <= MAX_MODEL_LENGTH) return model;
  return fieldFault('model', `'model' must be a string of 1 to ${MAX_MODEL_LENGTH} characters, the id of a model.`);
}

/** Reads true, false or null, which is false. */
export function readFlag(scan: JsonScan, param: string): boolean | BodyFault {
  const kind = scan.kind();
  if (kind === 'boolean' || kind === 'null') return scan.parsed() === true;
  return fieldFault(param, `'${param}' must be true or false.`);
}

/** Reads a whole number from `least` to `most`, or null, as `readWhole` does. */
export function whole(least: number, most: number): (scan: JsonScan, name: string) => number | null | BodyFault {
  return (scan, name) => readWhole(scan, name, least, most);
}

/** Reads a whole number from `least` to `most`, or null. */
export function readWhole(scan: JsonScan, param: string, least: number, most: number): number | null | BodyFault {
  const kind = scan.kind();
  if ((kind === 'number' || kind === 'null') && !scan.exceeds(MAX_NUMBER_BYTES)) {
    const value = scan.parsed();
    if (value === null) return null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  }
  return fieldFault(param, `'${param}' must be a whole number from ${least} to ${most}.`);
}
