import { fieldFault, type BodyFault } from './body-fault.ts';
import { NameTable } from './json-names.ts';
import type { JsonScan } from './json-scan.ts';

// Tools that the caller runs cost their tokens only. Those that an upstream runs itself (web search, code
// interpreters, remote servers) carry fees and add input of their own, so they are not for sale here.

const TOOL_NAMES = new NameTable(['type', 'function', 'custom']);

/** Reads the value of `tools`, an array or null. */
export function readTools(scan: JsonScan): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  if (!scan.enterArray()) return fieldFault('tools', "'tools' must be an array of tools.");
  for (let index = 0; scan.nextElement(); index++) {
    const fault = readTool(scan, `tools[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function readTool(scan: JsonScan, where: string): BodyFault | null {
  const unfit = fieldFault(
    `${where}.type`,
    `'${where}' must have the type 'function' or 'custom': other tools would cost more than their tokens.`,
  );
  if (!scan.enterObject()) return unfit;
  const seen = new Set<string>();
  while (scan.nextMember()) {
    const name = scan.keyIn(TOOL_NAMES);
    if (name === undefined ? TOOL_NAMES.lookalike(scan.key()) !== undefined : seen.has(name)) return unfit;
    if (name !== undefined) seen.add(name);
    if (name === 'type') {
      const type = scan.kind() === 'string' ? scan.string() : null;
      if (type !== 'function' && type !== 'custom') return unfit;
    } else {
      scan.skip();
    }
  }
  // Some clients leave the type out, which is read as a function.
  return seen.size > 0 ? null : unfit;
}
