import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { isMemberFault, MemberReader, TypeReader } from '../../openai/known-members.ts';
import { type PartsTally, readContent } from './input-parts.ts';
import { namesKept, keptElsewhere, findInUnknown } from './kept-elsewhere.ts';
import { isCapsuleAt } from './reasoning-capsule.ts';
import { ITEM_MEMBERS, ITEM_TYPES, PLAIN_TYPES } from './response-members.ts';
import { readCallersTools } from './responses-tools.ts';

// Walks the input of a Responses request, counting what bytes don't bound: items and their media. References to items of
// earlier answers are noted, to be replaced by them.

/** A reference to an item of an earlier answer. */
export interface ItemReference {
  readonly id: string;
  /** The index of the reference in the input. */
  readonly index: number;
}

export interface InputTally extends PartsTally {
  items: number;
  /** Bytes of tools in the input, which templates may render a second time. */
  toolBytes: number;
  readonly references: ItemReference[];
  /** Positions of items with the reasoning of a translated answer (reasoning-capsule.ts). */
  readonly capsules: number[];
}

const ITEM = new MemberReader(ITEM_MEMBERS);
const TYPE = new TypeReader(ITEM_TYPES);

/** The type of an item that has none. */
const UNNAMED = '';

/** More than any id. */
const ID_BYTES_MAX = 1_024;

/** Reads the value of `input`, adding its counts to `tally`. */
export function readInput(scan: JsonScan, tally: InputTally): BodyFault | null {
  if (scan.kind() === 'string') {
    tally.items = 1;
    scan.skip();
    return null;
  }
  if (!scan.enterArray()) return fieldFault('input', "'input' must be a string or an array of items.");
  let index = 0;
  for (; scan.nextElement(); index++) {
    const fault = readItem(scan, tally, index);
    if (fault !== null) return fault;
  }
  tally.items = index;
  return null;
}

function readItem(scan: JsonScan, tally: InputTally, index: number): BodyFault | null {
  const start = scan.at;
  const where = (): string => `input[${index}]`;
  if (!scan.enterObject()) return fieldFault(where(), `'${where()}' must be an object.`);
  let type: string = UNNAMED;
  let idAt = -1;
  let isMessage = false;
  let isCapsule = false;
  while (scan.nextMember()) {
    const name = ITEM.judge(scan, where, tally.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    isMessage ||= name === 'role' || name === 'content';
    if (name === 'type' && scan.kind() === 'null') {
      // OpenAI's SDK defines references with a null type.
      type = UNNAMED;
      scan.skip();
    } else if (name === 'type') {
      if (scan.kind() !== 'string') return fieldFault(`${where()}.type`, `'${where()}.type' must be a string.`);
      const read = TYPE.read(scan, where, tally.unknown);
      if (typeof read === 'object') return read;
      type = read;
    } else if (name === 'id') {
      idAt = scan.at;
      scan.skip();
    } else if (name === 'encrypted_content') {
      isCapsule = isCapsuleAt(scan.bytes, scan.at);
      scan.skip();
    } else if (name === 'content' || name === 'output') {
      const fault = readContent(scan, tally, () => `${where()}.${name}`);
      if (fault !== null) return fault;
    } else if (name === 'tools') {
      const toolsStart = scan.at;
      const fault = readCallersTools(scan, `${where()}.tools`, tally.unknown);
      if (fault !== null) return fault;
      tally.toolBytes += scan.at - toolsStart;
    } else if (namesKept(scan, tally, name)) {
      return keptElsewhere(`${where()}.${name}`);
    } else scan.skip();
  }
  if (scan.fault !== null) return null;
  if (type === 'reasoning' && isCapsule) tally.capsules.push(start);
  // To OpenAI, an item without type and content is a reference too.
  if (type === 'item_reference' || (type === UNNAMED && !isMessage && idAt >= 0)) {
    return noteReference(scan, idAt, { tally, index });
  }
  const isPlain = type === UNNAMED || PLAIN_TYPES.has(type);
  return isPlain || tally.mayNameKept ? null : findInUnknown(scan, start, where());
}

/** Reads the id of a reference, which the scan has passed. */
function noteReference(
  scan: JsonScan,
  idAt: number,
  { tally, index }: { readonly tally: InputTally; readonly index: number },
): BodyFault | null {
  const end = scan.at;
  scan.at = Math.max(idAt, 0);
  const id = idAt >= 0 && scan.kind() === 'string' && !scan.exceeds(ID_BYTES_MAX) ? scan.string() : '';
  scan.at = end;
  if (id === '') {
    return fieldFault(`input[${index}].id`, `'input[${index}].id' must be the id of an item of an earlier answer.`);
  }
  tally.references.push({ id, index });
  return null;
}
