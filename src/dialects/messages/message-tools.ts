import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import type { Splice } from '../../openai/json-edit.ts';
import { NameTable } from '../../openai/json-names.ts';
import { isObject } from '../../openai/json-object.ts';
import type { JsonScan } from '../../openai/json-scan.ts';

// Tools that the caller runs cost their tokens only. Those that the provider runs itself (searches, code, remote
// servers) carry fees and add input of their own. Agents offer them in every request, so they are taken out where they
// are merely on offer; a request that depends on one is refused.

/** Tools that the caller runs, and the search among its own tools. */
export const CALLERS_TOOLS = /^(?:custom|bash_\d+|text_editor_\d+|computer_\d+|memory_\d+|tool_search_tool_\w+)$/;

// The names after the first two only spare the usual keys a closer look.
const TOOL_NAMES = new NameTable(['type', 'name', 'description', 'input_schema', 'cache_control', 'strict']);

/** More than any name or type takes, and a choice. */
const VALUE_BYTES_MAX = 1_024;
const CHOICE_BYTES_MAX = 4_096;

interface ToolPlace {
  readonly start: number;
  readonly end: number;
  /** Its type, if the provider would run it. */
  readonly hosted: string | null;
  readonly name: string | null;
}

/** The tools of a request. */
export interface ToolPlaces {
  readonly tools: readonly ToolPlace[];
}

/** Reads the value of `tools`, an array or null. */
export function readTools(scan: JsonScan): ToolPlaces | BodyFault {
  const tools: ToolPlace[] = [];
  if (scan.kind() === 'null') {
    scan.skip();
    return { tools };
  }
  if (!scan.enterArray()) return fieldFault('tools', "'tools' must be an array of tools.");
  while (scan.nextElement()) {
    const start = scan.at;
    const tool = readTool(scan, `tools[${tools.length}]`);
    if ('message' in tool) return tool;
    tools.push({ ...tool, start, end: scan.at });
  }
  return { tools };
}

function readTool(scan: JsonScan, where: string): Pick<ToolPlace, 'hosted' | 'name'> | BodyFault {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object.`);
  const read: { type?: string; name?: string } = {};
  while (scan.nextMember()) {
    const key = scan.keyIn(TOOL_NAMES);
    if (key !== 'type' && key !== 'name') {
      const meant = key === undefined ? scan.lookalikeIn(TOOL_NAMES) : undefined;
      if (meant !== undefined)
        return fieldFault(where, `'${where}' has a key that some read as '${meant}'; write it so.`);
      scan.skip();
      continue;
    }
    if (read[key] !== undefined) return fieldFault(where, `'${where}.${key}' is given twice.`);
    if (scan.kind() !== 'string' || scan.exceeds(VALUE_BYTES_MAX)) {
      return fieldFault(`${where}.${key}`, `'${where}.${key}' must be a short string.`);
    }
    read[key] = scan.string();
  }
  const { type = 'custom', name = null } = read;
  return { hosted: CALLERS_TOOLS.test(type) ? null : /^\w{1,64}$/.test(type) ? type : 'unknown', name };
}

/** Reads the value of `tool_choice`: the name of the tool that it demands, null if it demands none. */
export function readToolChoice(scan: JsonScan): { readonly demanded: string | null } | BodyFault {
  if (scan.exceeds(CHOICE_BYTES_MAX)) return fieldFault('tool_choice', "'tool_choice' is too long.");
  const choice = scan.parsed();
  const named = isObject(choice) ? choice['name'] : null;
  return { demanded: typeof named === 'string' ? named : null };
}

/** The types of the tools that are taken out; the fault of a request that depends on one of them. */
export function hostedTools({ tools }: ToolPlaces, demanded: string | null): readonly string[] | BodyFault {
  const hosted = tools.flatMap((tool, index) => (tool.hosted === null ? [] : [{ ...tool, type: tool.hosted, index }]));
  const wanted = hosted.find(({ name }) => demanded !== null && name === demanded);
  if (wanted !== undefined) return unsold('tool_choice', wanted.type);
  const [first] = hosted;
  if (first !== undefined && hosted.length === tools.length) return unsold(`tools[${first.index}]`, first.type);
  return hosted.map(({ type }) => type);
}

function unsold(param: string, type: string): BodyFault {
  const message = `'${param}' demands a tool of type ${type}, which the provider would run itself: it would cost more than its tokens, and has no price here.`;
  return fieldFault(param, message);
}

/** Takes the hosted tools out of the array. */
export function withoutHosted({ tools }: ToolPlaces): readonly Splice[] {
  const splices: Splice[] = [];
  let keptEnd: number | null = null;
  for (const [index, { start, end, hosted }] of tools.entries()) {
    if (hosted === null) keptEnd = end;
    else if (keptEnd !== null) splices.push({ start: tools[index - 1]?.end ?? start, end, text: '' });
    else splices.push({ start, end: tools[index + 1]?.start ?? end, text: '' });
  }
  return splices;
}
