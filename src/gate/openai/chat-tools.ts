import { fieldFault, type BodyFault } from './body-fault.ts';
import { TOOL_FUNCTION_MEMBERS, TOOL_MEMBERS } from './chat-members.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';
import { isMemberFault, MemberReader, type Path } from './known-members.ts';
import type { UnknownFields } from './unknown-fields.ts';

// Tools that the caller runs cost only their tokens. Tools that an upstream runs itself (web search, code
// interpreters, remote servers) have fees and add input of their own, so they are not for sale here.

const TOOL = new MemberReader(TOOL_MEMBERS);
const FUNCTION = new MemberReader(TOOL_FUNCTION_MEMBERS);
const TOOL_TYPES = new NameTable(['function', 'custom']);

/** Reads the value of `tools`, an array or null. */
export function readTools(scan: JsonScan, unknown: UnknownFields): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  if (!scan.enterArray()) return fieldFault('tools', "'tools' must be an array of tools.");
  for (let index = 0; scan.nextElement(); index++) {
    const fault = readTool(scan, () => `tools[${index}]`, unknown);
    if (fault !== null) return fault;
  }
  return null;
}

function readTool(scan: JsonScan, where: Path, unknown: UnknownFields): BodyFault | null {
  if (!scan.enterObject()) return unfitFault(where());
  const seen = { type: false, function: false, custom: false };
  while (scan.nextMember()) {
    const name = TOOL.judge(scan, where, unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (seen[name]) return unfitFault(where());
    seen[name] = true;
    if (name !== 'type') {
      const fault = FUNCTION.pass(scan, () => `${where()}.${name}`, unknown);
      if (fault !== null) return fault;
    } else if (scan.kind() !== 'string' || scan.stringIn(TOOL_TYPES) === undefined) return unfitFault(where());
  }
  // Some clients omit the type; it defaults to a function.
  return seen.type || seen.function || seen.custom || scan.fault !== null ? null : unfitFault(where());
}

function unfitFault(where: string): BodyFault {
  return fieldFault(
    `${where}.type`,
    `'${where}' must have the type 'function' or 'custom': other tools would cost more than their tokens.`,
  );
}
