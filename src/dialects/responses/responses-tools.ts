import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';

// Tools that the caller runs cost their tokens only. Those that a provider runs itself (web search, code interpreters,
// remote servers) carry fees, and read what is kept at the provider. One that is merely on offer is taken out of the
// request; one that the request demands is refused.

const TOOL_NAMES = new NameTable([
  'type',
  'tools',
  'name',
  'description',
  'parameters',
  'strict',
  'format',
  'execution',
]);

/** Tools whose calls come back to the caller. */
const CALLERS_TYPES = new NameTable(['function', 'custom', 'namespace', 'tool_search', 'local_shell', 'apply_patch']);

/** The most bytes of a type's name that the caller is shown. */
const TYPE_BYTES_MAX = 64;

/** Tools of a request that are not for sale. */
export interface HostedTools {
  /** Their types, each once. */
  readonly types: readonly string[];
  /** `tools` without them; null if none is left. */
  readonly rest: Buffer | null;
}

interface Tool {
  readonly start: number;
  readonly end: number;
  /** Null if the caller runs it. */
  readonly hosted: string | null;
}

/** Reads `tools`: an array or null. Null if it has no hosted ones. */
export function readTools(scan: JsonScan): HostedTools | BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  const tools = readList(scan, 'tools');
  if ('message' in tools) return tools;
  const types = new Set(tools.map(({ hosted }) => hosted).filter((type) => type !== null));
  if (types.size === 0) return null;
  const kept = tools.filter(({ hosted }) => hosted === null).map(({ start, end }) => scan.bytes.subarray(start, end));
  const rest =
    kept.length === 0 ? null : Buffer.concat([OPEN, ...kept.flatMap((tool) => [tool, COMMA]).slice(0, -1), CLOSE]);
  return { types: [...types], rest };
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** Reads a list of tools of which none may be hosted, since what they stand in is not edited. */
export function readCallersTools(scan: JsonScan, where: string): BodyFault | null {
  const tools = readList(scan, where);
  if ('message' in tools) return tools;
  const at = tools.findIndex(({ hosted }) => hosted !== null);
  return at < 0 ? null : hostedFault(`${where}[${at}]`);
}

/** The fault of a hosted tool that can't be left out. */
export function hostedFault(where: string): BodyFault {
  return fieldFault(
    where,
    `'${where}' is a tool that the provider runs, which costs more than its tokens; it is not for sale here.`,
  );
}

function readList(scan: JsonScan, where: string): Tool[] | BodyFault {
  if (!scan.enterArray()) return fieldFault(where, `'${where}' must be an array of tools.`);
  const tools: Tool[] = [];
  while (scan.nextElement()) {
    const start = scan.at;
    const hosted = readTool(scan, `${where}[${tools.length}]`);
    if (typeof hosted === 'object' && hosted !== null) return hosted;
    tools.push({ start, end: scan.at, hosted });
  }
  return tools;
}

/** Reads a tool; its type if it is hosted, null if the caller runs it. */
function readTool(scan: JsonScan, where: string): string | BodyFault | null {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object with a type.`);
  let type: string | null | undefined;
  while (scan.nextMember()) {
    const name = scan.keyIn(TOOL_NAMES);
    if (name === undefined) {
      const meant = scan.lookalikeIn(TOOL_NAMES);
      if (meant !== undefined)
        return fieldFault(where, `'${where}' has a key that some read as '${meant}'; write it so.`);
      scan.skip();
    } else if (name === 'type') {
      if (type !== undefined || scan.kind() !== 'string') return typeFault(where);
      type = readType(scan);
    } else if (name === 'tools') {
      const fault = readCallersTools(scan, `${where}.tools`);
      if (fault !== null) return fault;
    } else scan.skip();
  }
  return type === undefined && scan.fault === null ? typeFault(where) : (type ?? null);
}

function readType(scan: JsonScan): string | null {
  const start = scan.at;
  if (scan.stringIn(CALLERS_TYPES) !== undefined) return null;
  const type = scan.bytes.toString('latin1', start + 1, Math.min(scan.at - 1, start + 1 + TYPE_BYTES_MAX));
  return /^\w+$/.test(type) ? type : 'unknown';
}

function typeFault(where: string): BodyFault {
  return fieldFault(`${where}.type`, `'${where}.type' must be given once, as a string.`);
}

const CHOICE_NAMES = new NameTable(['type', 'tools', 'mode', 'name', 'namespace']);
const CHOICE_TYPES = new NameTable(['function', 'custom', 'namespace', 'allowed_tools', 'local_shell', 'apply_patch']);
const CHOICE_WORDS = new NameTable(['none', 'auto', 'required']);

/** Reads `tool_choice`, which may not demand a hosted tool. */
export function readToolChoice(scan: JsonScan): BodyFault | null {
  const kind = scan.kind();
  if (kind === 'null') {
    scan.skip();
    return null;
  }
  if (kind === 'string') return scan.stringIn(CHOICE_WORDS) === undefined ? choiceFault('tool_choice') : null;
  return readChoice(scan, 'tool_choice');
}

function readChoice(scan: JsonScan, where: string): BodyFault | null {
  if (!scan.enterObject()) return choiceFault(where);
  let isKnown = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(CHOICE_NAMES);
    if (name === 'type') {
      if (isKnown || scan.kind() !== 'string') return choiceFault(where);
      if (scan.stringIn(CHOICE_TYPES) === undefined) return hostedFault(where);
      isKnown = true;
    } else if (name === 'tools' && scan.enterArray()) {
      for (let index = 0; scan.nextElement(); index++) {
        const fault = readChoice(scan, `${where}.tools[${index}]`);
        if (fault !== null) return fault;
      }
    } else scan.skip();
  }
  return isKnown || scan.fault !== null ? null : choiceFault(where);
}

function choiceFault(where: string): BodyFault {
  return fieldFault(where, `'${where}' must be none, auto, required, or an object with the type of a tool.`);
}
