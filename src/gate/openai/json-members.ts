import { type BodyFault, fieldFault } from './body-fault.ts';
import type { JsonMember } from './json-edit.ts';
import { JsonScan } from './json-scan.ts';
import { isMemberFault, type MemberReader } from './known-members.ts';
import type { UnknownFields } from './unknown-fields.ts';

/** The priced members of the object at this position, by name; each may be given once. The others are checked. */
export function readMembers<Priced extends string>(
  scan: JsonScan,
  where: string,
  reader: MemberReader<Priced>,
  unknown: UnknownFields,
): ReadonlyMap<Priced, JsonMember> | BodyFault {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object.`);
  const members = new Map<Priced, JsonMember>();
  while (scan.nextMember()) {
    const { keyStart, keyEnd, at: valueStart } = scan;
    const key = reader.judge(scan, () => where, unknown);
    if (isMemberFault(key)) return key;
    if (key === null) continue;
    if (members.has(key)) return fieldFault(`${where}.${key}`, `'${where}.${key}' is given twice.`);
    scan.skip();
    members.set(key, { key, keyStart, keyEnd, valueStart, valueEnd: scan.at });
  }
  return members;
}

/** A scan of one member's value, with its positions in the whole body. */
export function scanOf({ bytes }: Pick<JsonScan, 'bytes'>, { valueStart, valueEnd }: JsonMember): JsonScan {
  const scan = new JsonScan(bytes.subarray(0, valueEnd));
  scan.at = valueStart;
  return scan;
}
