import { type BodyFault, fieldFault } from './body-fault.ts';
import { type JsonMember, type JsonObject, readObject } from './json-edit.ts';
import type { NameTable } from './json-names.ts';
import { JsonScan } from './json-scan.ts';

const MAX_MEMBERS = 32;

/** The members of the object here by their names, each of which may be read in one way only. */
export function readMembers(
  scan: JsonScan,
  where: string,
  names: NameTable<string>,
): ReadonlyMap<string, JsonMember> | BodyFault {
  const object: JsonObject | null = readObject(scan, MAX_MEMBERS);
  if (object === null) return fieldFault(where, `'${where}' must be an object with few members.`);
  const members = new Map<string, JsonMember>();
  for (const member of object.members) {
    if (members.has(member.key) || names.lookalike(member.key) !== undefined) {
      return fieldFault(where, `'${where}' has a key twice, or one that some would read as another.`);
    }
    members.set(member.key, member);
  }
  return members;
}

/** A scan of one member's value, with its positions in the whole body. */
export function scanOf({ bytes }: Pick<JsonScan, 'bytes'>, { valueStart, valueEnd }: JsonMember): JsonScan {
  const scan = new JsonScan(bytes.subarray(0, valueEnd));
  scan.at = valueStart;
  return scan;
}
