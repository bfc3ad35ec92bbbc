import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import { isObject } from '../../openai/json-object.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { MemberReader } from '../../openai/known-members.ts';
import type { UnknownFields } from '../../openai/unknown-fields.ts';
import { EDIT_MEMBERS } from './message-members.ts';

// Edits that a provider applies to the conversation before the model reads it. Edits that clear content make the
// request cheaper; any other might generate more than the answer.

const NAME = 'context_management';
const NAMES = new NameTable(['edits']);
const EDIT = new MemberReader(EDIT_MEMBERS);
const CLEARING = /^clear_(?:tool_uses|thinking)_\d+$/;
const BYTES_MAX = 16_384;

/** Reads the value of `context_management`; the fault of one that does more than clear. */
export function readContextManagement(scan: JsonScan, unknown: UnknownFields): BodyFault | null {
  if (scan.exceeds(BYTES_MAX)) return fieldFault(NAME, `'${NAME}' is too long.`);
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let hasEdits = false;
  while (scan.nextMember()) {
    if (hasEdits || scan.keyIn(NAMES) === undefined) {
      return fieldFault(NAME, `'${NAME}' can only hold 'edits' here, once.`);
    }
    hasEdits = true;
    const start = scan.at;
    const edits = scan.parsed();
    scan.at = start;
    const fault = faultOfEdits(edits) ?? EDIT.pass(scan, () => `${NAME}.edits`, unknown);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfEdits(edits: unknown): BodyFault | null {
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [];
  const at = list.findIndex((edit) => !isObject(edit) || !CLEARING.test(String(edit['type'])));
  if (at < 0) return null;
  const param = `${NAME}.edits[${at}].type`;
  return fieldFault(
    param,
    `'${param}' can only be an edit that clears: anything else would cost more than its tokens.`,
  );
}
