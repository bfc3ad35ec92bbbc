import { assert } from '../../lib/assert.ts';
import type { JsonScan } from './json-scan.ts';

// Changes members of an object in place, so that every other byte of the document stays as the caller wrote it: 64-bit
// numbers, the order of keys, white space.

/** A member's position in its document; the key's span includes its quotes. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** An object's span, from its opening brace to after its closing one, and all its members in order. */
export interface JsonObject {
  readonly start: number;
  readonly end: number;
  readonly members: readonly JsonMember[];
}

/** One change to an object. An inserted member becomes the last; `value` is JSON. */
export type ObjectEdit =
  | { readonly kind: 'replace'; readonly member: JsonMember; readonly value: Buffer | string }
  | { readonly kind: 'rename'; readonly member: JsonMember; readonly key: string }
  | { readonly kind: 'remove'; readonly member: JsonMember }
  | { readonly kind: 'insert'; readonly key: string; readonly value: Buffer | string };

/** Replaces the bytes from `start` to `end` by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: Buffer | string;
}

/** Longer than any name that is read here. Every name is decoded, which takes time. */
export const NAME_BYTES_MAX = 1_024;

/**
 * Reads the object at the scan's position; null if there is none or it has more than `limit` members, or a name that is
 * too long. Check the scan for a fault.
 */
export function readObject(scan: JsonScan, limit: number): JsonObject | null {
  const start = scan.at;
  if (!scan.enterObject()) return null;
  const members: JsonMember[] = [];
  while (scan.nextMember()) {
    if (members.length === limit || scan.keyBytes > NAME_BYTES_MAX) return null;
    const { keyStart, keyEnd, at: valueStart } = scan;
    const key = scan.key();
    scan.skip();
    members.push({ key, keyStart, keyEnd, valueStart, valueEnd: scan.at });
  }
  return { start, end: scan.at, members };
}

/** The splices that carry out `edits` on one object; those of several objects can be applied together. */
export function spliceObject(object: JsonObject, edits: readonly ObjectEdit[]): Splice[] {
  let removed: Set<JsonMember> | null = null;
  const splices: Splice[] = [];
  let inserted = '';
  for (const edit of edits) {
    if (edit.kind === 'remove') (removed ??= new Set()).add(edit.member);
    else if (edit.kind === 'rename') {
      splices.push({ start: edit.member.keyStart, end: edit.member.keyEnd, text: JSON.stringify(edit.key) });
    } else if (edit.kind === 'replace') {
      splices.push({ start: edit.member.valueStart, end: edit.member.valueEnd, text: edit.value });
    } else {
      inserted += `,${JSON.stringify(edit.key)}:${edit.value.toString()}`;
    }
  }
  if (removed !== null) splices.push(...removals(object.members, removed));
  if (inserted !== '') {
    const last = object.members.at(-1);
    const at = last === undefined ? object.start + 1 : last.valueEnd;
    const isAlone = (removed?.size ?? 0) === object.members.length;
    splices.push({ start: at, end: at, text: isAlone ? inserted.slice(1) : inserted });
  }
  return splices;
}

/** Each removed member is cut with the comma before it, or with the one after it if no kept member precedes it. */
function removals(members: readonly JsonMember[], removed: ReadonlySet<JsonMember>): Splice[] {
  const splices: Splice[] = [];
  let isAnyKept = false;
  for (const [index, member] of members.entries()) {
    if (!removed.has(member)) {
      isAnyKept = true;
    } else if (isAnyKept) {
      splices.push({ start: members[index - 1]!.valueEnd, end: member.valueEnd, text: '' });
    } else {
      splices.push({ start: member.keyStart, end: members[index + 1]?.keyStart ?? member.valueEnd, text: '' });
    }
  }
  return splices;
}

/** A copy of `bytes` with the splices carried out, `bytes` itself if there are none. They must not overlap. */
export function applySplices(bytes: Buffer, splices: readonly Splice[]): Buffer {
  return splices.length === 0 ? bytes : Buffer.concat(splicedPieces(bytes, splices));
}

/** The result of `applySplices` as pieces in order: unchanged ones are not copied. */
export function splicedPieces(bytes: Buffer, splices: readonly Splice[]): readonly Buffer[] {
  if (splices.length === 0) return [bytes];
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { start, end, text } of splices.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    assert(start >= kept, 'two edits overlap');
    parts.push(bytes.subarray(kept, start), typeof text === 'string' ? Buffer.from(text) : text);
    kept = end;
  }
  parts.push(bytes.subarray(kept));
  return parts;
}
