import { addUse, type HostedTool, type ToolUses } from '../../../domain/uses.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';

// How often a provider has run its tools: each use is an item of the answer, once it is done. Of searches of the web, only
// searches are charged for; pages that are opened from their results aren't.

const CALLS: Readonly<Record<string, HostedTool>> = {
  web_search_call: 'web_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
  computer_call: 'computer',
  mcp_call: 'mcp',
};

const CALL_TYPES = new NameTable(Object.keys(CALLS));
const EVENT_NAMES = new NameTable(['type', 'item']);
const EVENT_TYPES = new NameTable(['response.output_item.done']);
const RESPONSE_NAMES = new NameTable(['output']);
const ITEM_NAMES = new NameTable(['type', 'action']);
const ACTION_NAMES = new NameTable(['type']);
const SEARCH_TYPES = new NameTable(['search']);

const STRUCTURE_MAX = 16_000_000;

/** The uses in a whole answer. */
export function usesInResponse(answer: Buffer): ToolUses {
  const uses: Partial<Record<HostedTool, number>> = {};
  const scan = new JsonScan(answer, STRUCTURE_MAX);
  if (!scan.enterObject()) return uses;
  while (scan.nextMember()) {
    if (scan.keyIn(RESPONSE_NAMES) === undefined || !scan.enterArray()) scan.skip();
    else while (scan.nextElement()) count(readItem(scan), uses);
  }
  return uses;
}

/** Counts the uses of a stream. */
export class StreamedUses {
  readonly #uses: Partial<Record<HostedTool, number>> = {};

  get total(): ToolUses {
    return this.#uses;
  }

  add(event: Buffer): void {
    const scan = new JsonScan(event, STRUCTURE_MAX);
    let isDone = false;
    let tool: HostedTool | null = null;
    if (!scan.enterObject()) return;
    while (scan.nextMember()) {
      const name = scan.keyIn(EVENT_NAMES);
      if (name === 'type' && scan.kind() === 'string') isDone = scan.stringIn(EVENT_TYPES) !== undefined;
      else if (name === 'item') tool = readItem(scan);
      else scan.skip();
    }
    if (isDone) count(tool, this.#uses);
  }
}

function count(tool: HostedTool | null, uses: Partial<Record<HostedTool, number>>): void {
  if (tool !== null) addUse(uses, tool);
}

/** The tool that this item is a use of; null if it is none. */
function readItem(scan: JsonScan): HostedTool | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let call: string | undefined;
  let isOtherAction = false;
  while (scan.nextMember()) {
    const name = scan.keyIn(ITEM_NAMES);
    if (name === 'type' && scan.kind() === 'string') call = scan.stringIn(CALL_TYPES);
    else if (name === 'action') isOtherAction = !isSearch(scan);
    else scan.skip();
  }
  const tool = call === undefined ? undefined : CALLS[call];
  return tool === undefined || (tool === 'web_search' && isOtherAction) ? null : tool;
}

/** Whether an action is a search; true if its type is missing. */
function isSearch(scan: JsonScan): boolean {
  let isSaid = true;
  if (!scan.enterObject()) {
    scan.skip();
    return true;
  }
  while (scan.nextMember()) {
    if (scan.keyIn(ACTION_NAMES) === 'type' && scan.kind() === 'string')
      isSaid = scan.stringIn(SEARCH_TYPES) !== undefined;
    else scan.skip();
  }
  return isSaid;
}
