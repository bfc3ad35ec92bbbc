import { addUse, type HostedTool, NO_USES, type ToolUses, USES_MAX } from '../../../domain/uses.ts';
import { NameTable } from '../../openai/json-names.ts';
import { isObject } from '../../openai/json-object.ts';
import { JsonScan } from '../../openai/json-scan.ts';

// Counts the uses of tools that the provider has run: its usage reports them at the end. If a stream breaks off
// before, the received results count; an error result is free.

const COUNTS: readonly (readonly [field: string, tool: HostedTool])[] = [
  ['web_search_requests', 'web_search'],
  ['web_fetch_requests', 'web_fetch'],
];

const RESULTS: Readonly<Record<string, HostedTool>> = {
  web_search_tool_result: 'web_search',
  web_fetch_tool_result: 'web_fetch',
};

const MESSAGE_NAMES = new NameTable(['usage']);
const EVENT_NAMES = new NameTable(['type', 'usage', 'content_block']);
const EVENT_TYPES = new NameTable(['message_delta']);
const BLOCK_NAMES = new NameTable(['type', 'content']);
const RESULT_TYPES = new NameTable(Object.keys(RESULTS));
const CONTENT_NAMES = new NameTable(['error_code']);

const USAGE_BYTES_MAX = 65_536;
const STRUCTURE_MAX = 16_000_000;

/** The uses in a whole message. */
export function usesInMessage(message: Buffer): ToolUses {
  const scan = new JsonScan(message, STRUCTURE_MAX);
  let uses: ToolUses | null = null;
  if (!scan.enterObject()) return NO_USES;
  while (scan.nextMember()) {
    if (scan.keyIn(MESSAGE_NAMES) === 'usage') uses = readUses(scan);
    else scan.skip();
  }
  return uses ?? NO_USES;
}

/** Counts the uses of a stream. */
export class StreamedUses {
  readonly #results: Partial<Record<HostedTool, number>> = {};
  #reported: ToolUses | null = null;

  get total(): ToolUses {
    return this.#reported ?? this.#results;
  }

  add(event: Buffer): void {
    const scan = new JsonScan(event, STRUCTURE_MAX);
    let [isDelta, uses]: [boolean, ToolUses | null] = [false, null];
    if (!scan.enterObject()) return;
    while (scan.nextMember()) {
      const name = scan.keyIn(EVENT_NAMES);
      if (name === 'type' && scan.kind() === 'string') isDelta = scan.stringIn(EVENT_TYPES) !== undefined;
      else if (name === 'usage') uses = readUses(scan);
      else if (name === 'content_block') this.#addResult(scan);
      else scan.skip();
    }
    if (isDelta && uses !== null) this.#reported = uses;
  }

  #addResult(scan: JsonScan): void {
    if (!scan.enterObject()) return scan.skip();
    let [type, isError]: [string | undefined, boolean] = [undefined, false];
    while (scan.nextMember()) {
      const name = scan.keyIn(BLOCK_NAMES);
      if (name === 'type' && scan.kind() === 'string') type = scan.stringIn(RESULT_TYPES);
      else if (name === 'content') isError = readsError(scan);
      else scan.skip();
    }
    const tool = type === undefined ? undefined : RESULTS[type];
    if (tool !== undefined && !isError) addUse(this.#results, tool);
  }
}

function readsError(scan: JsonScan): boolean {
  let isError = false;
  if (!scan.enterObject()) {
    scan.skip();
    return false;
  }
  while (scan.nextMember()) {
    if (scan.keyIn(CONTENT_NAMES) !== undefined) isError = true;
    scan.skip();
  }
  return isError;
}

/** The uses that a `usage` counts; null if it counts none. */
function readUses(scan: JsonScan): ToolUses | null {
  const usage = scan.parsed(USAGE_BYTES_MAX);
  const counts = isObject(usage) ? usage['server_tool_use'] : null;
  if (!isObject(counts)) return null;
  const known = COUNTS.flatMap(([field, tool]) => {
    const count = counts[field];
    const isCount = typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= USES_MAX;
    return isCount ? [[tool, count] as const] : [];
  });
  return Object.fromEntries(known);
}
