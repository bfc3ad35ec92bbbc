import { fieldFault, type BodyFault } from './body-fault.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// Tools that the caller runs cost their tokens only. Those that an upstream runs itself (web search, code
// interpreters, remote servers) carry fees and add input of their own, so they are not for sale here.

const TOOL_NAMES = new NameTable(['type', 'function', 'custom']);
const TOOL_TYPES = new NameTable(['function', 'custom']);

/** Reads the value of `tools`, an array or null. */
export function readTools(scan: JsonScan): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  if (!scan.enterArray()) return fieldFault('tools', "'tools' must be an array of tools.");
  for (let index = 0; scan.nextElement(); index++) {
    if (!readTool(scan)) return unfitFault(`tools[${index}]`);
  }
  return null;
}

/** Reads a tool; false if it is none that can be used here. */
function readTool(scan: JsonScan): boolean {
  if (!scan.enterObject()) return false;
  const seen = { type: false, function: false, custom: false };
  while (scan.nextMember()) {
    const name = scan.keyIn(TOOL_NAMES);
    if (name === undefined ? scan.lookalikeIn(TOOL_NAMES) !== undefined : seen[name]) return false;
    if (name !== undefined) seen[name] = true;
    if (name !== 'type') scan.skip();
    else if (scan.kind() !== 'string' || scan.stringIn(TOOL_TYPES) === undefined) return false;
  }
  // Some clients leave the type out, which is read as a function.
  return seen.type || seen.function || seen.custom;
}

function unfitFault(where: string): BodyFault {
  return fieldFault(
    `${where}.type`,
    `'${where}' must have the type 'function' or 'custom': other tools would cost more than their tokens.`,
  );
}
