import type { SoldTools } from '../../../domain/model.ts';
import type { HostedTool, UsesBound } from '../../../domain/uses.ts';
import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { ResponsesRequest } from './responses-request.ts';
import { hostedFault, toolOf } from './responses-tools.ts';

// Decides which of a request's tools the provider may run. A tool that the model is sold with passes unchanged. Any
// other that is optional is removed from the request; a request that demands one is refused. Tools that name something
// by id are refused: it is stored in the provider's account, which all workspaces share.

/** The decision about a request's tools. */
export interface ToolSale {
  /** The types of the removed tools, each once. */
  readonly leftOut: readonly string[];
  /** `tools` without the removed ones; null if none is left. Meaningless if none is removed. */
  readonly rest: Buffer | null;
  /** How often the others may be used; null if the provider runs none of them. */
  readonly bound: UsesBound | null;
}

/** Members that may name something stored at the provider, anywhere in a tool. */
const ID_NAMES = new NameTable([
  'file_id',
  'file_ids',
  'container',
  'container_id',
  'vector_store_ids',
  'connector_id',
  'tunnel_id',
  'skills',
]);

const NO_SALE: ToolSale = Object.freeze({ leftOut: Object.freeze([]), rest: null, bound: null });

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** Whether a provider would run any of the request's tools. */
export function hasHostedTools({ tools, toolChoice }: ResponsesRequest): boolean {
  return toolChoice.hosted.length > 0 || tools.some(({ hosted }) => hosted !== null);
}

/** Keeps the tools that are sold. */
export function saleOf(request: ResponsesRequest, sold: SoldTools): ToolSale {
  const { body, tools, maxToolCalls } = request;
  if (!tools.some(({ hosted }) => hosted !== null)) return NO_SALE;
  const kept = tools.filter(({ hosted }) => hosted === null || isSold(hosted, sold));
  const offered = new Set(kept.flatMap(({ hosted }) => (hosted === null ? [] : (toolOf(hosted) ?? []))));
  const leftOut = new Set(tools.flatMap(({ hosted }) => (hosted === null || isSold(hosted, sold) ? [] : [hosted])));
  const spans = kept.flatMap(({ start, end }) => [body.subarray(start, end), COMMA]).slice(0, -1);
  return {
    leftOut: [...leftOut],
    rest: kept.length === 0 ? null : Buffer.concat([OPEN, ...spans, CLOSE]),
    bound: boundOf([...offered], maxToolCalls, sold),
  };
}

/** The fault of a request that demands an unsold tool, or whose tool names something stored at the provider. */
export function faultOfSale({ body, tools, toolChoice }: ResponsesRequest, sold: SoldTools): BodyFault | null {
  const unsold = toolChoice.hosted.find(({ type }) => !isSold(type, sold));
  if (unsold !== undefined) return hostedFault(unsold.where);
  const isNoneLeft = tools.length > 0 && tools.every(({ hosted }) => hosted !== null && !isSold(hosted, sold));
  if (toolChoice.isRequired && isNoneLeft) return hostedFault('tools[0]');
  for (const [index, { start, end, hosted }] of tools.entries()) {
    if (hosted === null || !isSold(hosted, sold)) continue;
    const fault = keptElsewhere(body.subarray(start, end), `tools[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function isSold(type: string, sold: SoldTools): boolean {
  const tool = toolOf(type);
  return tool !== undefined && sold[tool] !== undefined;
}

/** The provider bounds the total uses of all tools, including those of MCP servers, but not of each. */
function boundOf(offered: readonly HostedTool[], maxToolCalls: number | null, sold: SoldTools): UsesBound | null {
  if (offered.length === 0) return null;
  const total = maxToolCalls ?? Math.max(...offered.map((tool) => sold[tool]?.maxUses ?? 0));
  return { total, each: Object.fromEntries(offered.map((tool) => [tool, total])) };
}

/** The fault of a tool that is given something kept at the provider. */
function keptElsewhere(tool: Buffer, where: string): BodyFault | null {
  const found = idIn(new JsonScan(tool));
  if (found === null) return null;
  const param = `${where}.${found}`;
  return fieldFault(param, `'${param}' names something kept at the provider, which isn't possible here; leave it out.`);
}

/**
 * The name of a member that holds an id; null if there is none. A container may be described, as a new one is. The scan
 * bounds how deep a body nests.
 */
function idIn(scan: JsonScan): string | null {
  if (scan.enterArray()) {
    while (scan.nextElement()) {
      const found = idIn(scan);
      if (found !== null) return found;
    }
    return null;
  }
  if (scan.enterObject()) {
    while (scan.nextMember()) {
      const name = scan.keyIn(ID_NAMES) ?? scan.lookalikeIn(ID_NAMES);
      const isHeld = name === 'container' ? scan.kind() === 'string' : name !== undefined && scan.kind() !== 'null';
      if (isHeld) return name ?? null;
      const found = idIn(scan);
      if (found !== null) return found;
    }
    return null;
  }
  scan.skip();
  return null;
}
