import { type HostedTool, USES_MAX } from '../../../domain/uses.ts';
import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { isObject } from '../../openai/json-object.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { isMemberFault, MemberReader, type Path } from '../../openai/known-members.ts';
import { isFault, readWhole } from '../../openai/request-fields.ts';
import { UnknownFields } from '../../openai/unknown-fields.ts';
import { CHOICE_MEMBERS, REFERENCE_MEMBERS, TOOL_MEMBERS } from './message-members.ts';

// The tools of a request. Those that the caller runs cost their tokens only; those that the provider runs itself (searches,
// code, remote servers) carry fees and add input of their own, and whether they are for sale depends on the model:
// hosted-tools.ts.

/** Tools that the caller runs, and the search among its own tools. */
export const CALLERS_TOOLS =
  /^(?:custom|bash_\d+|text_editor_\d+|computer_\d+|memory_\d+|(?:computer|browser)_toolset_\d+|tool_search_tool_\w+)$/;

/** Tools whose uses the provider counts, by their types, which have versions. */
export const COUNTED_TOOLS: readonly (readonly [type: RegExp, tool: HostedTool])[] = [
  [/^web_search_\d+$/, 'web_search'],
  [/^web_fetch_\d+$/, 'web_fetch'],
];

const TOOL = new MemberReader(TOOL_MEMBERS);

/** More than any name or type, and more than any `tool_choice`. */
const VALUE_BYTES_MAX = 1_024;
const CHOICE_BYTES_MAX = 4_096;

/** The position of a tool in the body. */
export interface ToolPlace {
  readonly start: number;
  readonly end: number;
  /** Its type, if the provider would run it. */
  readonly hosted: string | null;
  readonly name: string | null;
  /** The caller's maximum number of uses; null if it sets none. */
  readonly maxUses: number | null;
  /** The position of a null `max_uses`; null if there is none. */
  readonly nullUses: { readonly start: number; readonly end: number } | null;
}

/** The members of a tool. */
type ToolFacts = Omit<ToolPlace, 'start' | 'end'>;

/** Reads the value of `tools`, an array or null. */
export function readTools(scan: JsonScan, unknown: UnknownFields): readonly ToolPlace[] | BodyFault {
  const tools: ToolPlace[] = [];
  if (scan.kind() === 'null') {
    scan.skip();
    return tools;
  }
  if (!scan.enterArray()) return fieldFault('tools', "'tools' must be an array of tools.");
  while (scan.nextElement()) {
    const start = scan.at;
    const tool = readTool(scan, `tools[${tools.length}]`, unknown);
    if ('message' in tool) return tool;
    tools.push({ ...tool, start, end: scan.at });
  }
  return tools;
}

function readTool(scan: JsonScan, where: string, unknown: UnknownFields): ToolFacts | BodyFault {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object.`);
  const path = (): string => where;
  const found = new UnknownFields();
  const read: { type?: string; name?: string } = {};
  let uses: Pick<ToolPlace, 'maxUses' | 'nullUses'> | null = null;
  while (scan.nextMember()) {
    const key = TOOL.judge(scan, path, found);
    if (isMemberFault(key)) return key;
    if (key === null) continue;
    if (key === 'max_uses') {
      if (uses !== null) return fieldFault(where, `'${where}.max_uses' is given twice.`);
      const start = scan.at;
      const maxUses = readWhole(scan, `${where}.max_uses`, 1, USES_MAX);
      if (isFault(maxUses)) return maxUses;
      uses = { maxUses, nullUses: maxUses === null ? { start, end: scan.at } : null };
      continue;
    }
    if (read[key] !== undefined) return fieldFault(where, `'${where}.${key}' is given twice.`);
    if (scan.kind() !== 'string' || scan.exceeds(VALUE_BYTES_MAX)) {
      return fieldFault(`${where}.${key}`, `'${where}.${key}' must be a short string.`);
    }
    read[key] = scan.string();
  }
  const { type = 'custom', name = null } = read;
  const hosted = CALLERS_TOOLS.test(type) ? null : /^\w{1,64}$/.test(type) ? type : 'unknown';
  // A tool that is never sold is left out, including unknown members.
  const isSent = hosted === null || COUNTED_TOOLS.some(([pattern]) => pattern.test(hosted));
  const fault = isSent ? unknown.addAll(found) : null;
  if (fault !== null) return fault;
  return { hosted, name, ...(uses ?? { maxUses: null, nullUses: null }) };
}

const REFERENCE = new MemberReader(REFERENCE_MEMBERS);

/** Reads what a block makes available: the name of a tool, or the definition of one that the caller runs. */
export function readDefinition(scan: JsonScan, where: Path, unknown: UnknownFields): BodyFault | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  while (scan.nextMember()) {
    const key = REFERENCE.judge(scan, where, unknown);
    if (isMemberFault(key)) return key;
    if (key === null) continue;
    if (scan.kind() !== 'object') {
      scan.skip();
      continue;
    }
    const tool = readTool(scan, `${where()}.definition`, unknown);
    if ('message' in tool) return tool;
    if (tool.hosted !== null) return hostedFault(`${where()}.definition`);
  }
  return null;
}

function hostedFault(where: string): BodyFault {
  const message = `'${where}' is a tool that the provider runs, which costs more than its tokens; it is sold in 'tools' alone.`;
  return fieldFault(where, message);
}

/** The demand of `tool_choice`. */
export interface ToolChoice {
  /** The name of a tool; null if it demands none by name. */
  readonly name: string | null;
  /** Whether some tool must be called, whichever. */
  readonly isRequired: boolean;
}

export const FREE_CHOICE: ToolChoice = Object.freeze({ name: null, isRequired: false });

const CHOICE = new MemberReader(CHOICE_MEMBERS);

/** Reads the value of `tool_choice`. */
export function readToolChoice(scan: JsonScan, unknown: UnknownFields): ToolChoice | BodyFault {
  if (scan.exceeds(CHOICE_BYTES_MAX)) return fieldFault('tool_choice', "'tool_choice' is too long.");
  const start = scan.at;
  const choice = scan.parsed();
  scan.at = start;
  const fault = CHOICE.pass(scan, () => 'tool_choice', unknown);
  if (fault !== null) return fault;
  if (!isObject(choice)) return FREE_CHOICE;
  const { type, name } = choice;
  return { name: typeof name === 'string' ? name : null, isRequired: type === 'any' };
}
