import type { HostedTool } from '../../../domain/uses.ts';
import { fieldFault, type BodyFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { isMemberFault, MemberReader } from '../../openai/known-members.ts';
import { UnknownFields } from '../../openai/unknown-fields.ts';
import { CHOICE_MEMBERS, TOOL_MEMBERS } from './response-members.ts';

// The tools of a request. Those that the caller runs cost their tokens only; those that a provider runs itself (web
// search, code interpreters, remote servers) carry fees, and whether they are for sale depends on the model:
// hosted-tools.ts.

/** Tools that a model may be sold with, by their types, some of which have a version. */
const HOSTED_TYPES: readonly (readonly [type: RegExp, tool: HostedTool])[] = [
  [/^web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?$/, 'web_search'],
  [/^code_interpreter$/, 'code_interpreter'],
  [/^image_generation$/, 'image_generation'],
  [/^computer(?:_use_preview)?$/, 'computer'],
  [/^mcp$/, 'mcp'],
];

const TOOL = new MemberReader(TOOL_MEMBERS);

/** Tools whose calls come back to the caller. */
const CALLERS_TYPES = new NameTable(['function', 'custom', 'namespace', 'tool_search', 'local_shell', 'apply_patch']);

/** The most bytes of a type's name that the caller is shown. */
const TYPE_BYTES_MAX = 64;

/** The position of a tool in the body. */
export interface ToolPlace {
  readonly start: number;
  readonly end: number;
  /** Its type; null if the caller runs it. */
  readonly hosted: string | null;
}

/** The tool for sale that has this hosted type; undefined if the type is never sold. */
export function toolOf(type: string): HostedTool | undefined {
  return HOSTED_TYPES.find(([pattern]) => pattern.test(type))?.[1];
}

/** Reads `tools`: an array or null. */
export function readTools(scan: JsonScan, unknown: UnknownFields): readonly ToolPlace[] | BodyFault {
  if (scan.kind() !== 'null') return readList(scan, 'tools', unknown);
  scan.skip();
  return [];
}

/** Reads a list of tools, none of which may be hosted, because the value around the list is not edited. */
export function readCallersTools(scan: JsonScan, where: string, unknown: UnknownFields): BodyFault | null {
  const tools = readList(scan, where, unknown);
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

function readList(scan: JsonScan, where: string, unknown: UnknownFields): ToolPlace[] | BodyFault {
  if (!scan.enterArray()) return fieldFault(where, `'${where}' must be an array of tools.`);
  const tools: ToolPlace[] = [];
  while (scan.nextElement()) {
    const start = scan.at;
    const hosted = readTool(scan, `${where}[${tools.length}]`, unknown);
    if (typeof hosted === 'object' && hosted !== null) return hosted;
    tools.push({ start, end: scan.at, hosted });
  }
  return tools;
}

/** Reads a tool; its type if it is hosted, null if the caller runs it. */
function readTool(scan: JsonScan, where: string, unknown: UnknownFields): string | BodyFault | null {
  if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object with a type.`);
  const path = (): string => where;
  const found = new UnknownFields();
  let type: string | null | undefined;
  while (scan.nextMember()) {
    const name = TOOL.judge(scan, path, found);
    if (isMemberFault(name)) return name;
    if (name === 'type') {
      if (type !== undefined || scan.kind() !== 'string') return typeFault(where);
      type = readType(scan, CALLERS_TYPES);
    } else if (name === 'tools') {
      const fault = readCallersTools(scan, `${where}.tools`, found);
      if (fault !== null) return fault;
    }
  }
  if (type === undefined) return typeFault(where);
  // A tool that is never sold is left out, including unknown members.
  const isSent = type === null || toolOf(type) !== undefined;
  return (isSent ? unknown.addAll(found) : null) ?? type;
}

/** The type at this position; null if it is one that the caller runs. */
function readType(scan: JsonScan, callers: NameTable<string>): string | null {
  const start = scan.at;
  if (scan.stringIn(callers) !== undefined) return null;
  const type = scan.bytes.toString('latin1', start + 1, Math.min(scan.at - 1, start + 1 + TYPE_BYTES_MAX));
  return /^\w+$/.test(type) ? type : 'unknown';
}

function typeFault(where: string): BodyFault {
  return fieldFault(`${where}.type`, `'${where}.type' must be given once, as a string.`);
}

const CHOICE = new MemberReader(CHOICE_MEMBERS);
const CHOICE_TYPES = new NameTable(['function', 'custom', 'namespace', 'allowed_tools', 'local_shell', 'apply_patch']);
const CHOICE_WORDS = new NameTable(['none', 'auto', 'required']);

/** The demand of `tool_choice`. */
export interface ToolChoice {
  /** Tools that a provider would run: their types, and the paths that name them. */
  readonly hosted: readonly { readonly type: string; readonly where: string }[];
  /** Whether some tool must be called, whichever. */
  readonly isRequired: boolean;
}

export const FREE_CHOICE: ToolChoice = Object.freeze({ hosted: Object.freeze([]), isRequired: false });

/** Reads `tool_choice`. */
export function readToolChoice(scan: JsonScan, unknown: UnknownFields): ToolChoice | BodyFault {
  const kind = scan.kind();
  if (kind === 'null') {
    scan.skip();
    return FREE_CHOICE;
  }
  if (kind === 'string') {
    const word = scan.stringIn(CHOICE_WORDS);
    return word === undefined ? choiceFault('tool_choice') : { hosted: [], isRequired: word === 'required' };
  }
  const hosted: { type: string; where: string }[] = [];
  return readChoice(scan, 'tool_choice', { hosted, unknown }) ?? { hosted, isRequired: false };
}

interface ChoiceDraft {
  readonly hosted: { type: string; where: string }[];
  readonly unknown: UnknownFields;
}

function readChoice(scan: JsonScan, where: string, draft: ChoiceDraft): BodyFault | null {
  if (!scan.enterObject()) return choiceFault(where);
  let isKnown = false;
  while (scan.nextMember()) {
    const name = CHOICE.judge(scan, () => where, draft.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (name === 'type') {
      if (isKnown || scan.kind() !== 'string') return choiceFault(where);
      const type = readType(scan, CHOICE_TYPES);
      if (type !== null) draft.hosted.push({ type, where });
      isKnown = true;
    } else if (scan.enterArray()) {
      for (let index = 0; scan.nextElement(); index++) {
        const fault = readChoice(scan, `${where}.tools[${index}]`, draft);
        if (fault !== null) return fault;
      }
    } else scan.skip();
  }
  return isKnown ? null : choiceFault(where);
}

function choiceFault(where: string): BodyFault {
  return fieldFault(where, `'${where}' must be none, auto, required, or an object with the type of a tool.`);
}
