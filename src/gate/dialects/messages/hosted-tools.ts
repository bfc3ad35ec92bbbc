import type { SoldTools } from '../../../domain/model.ts';
import type { HostedTool, UsesBound } from '../../../domain/uses.ts';
import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import type { Splice } from '../../openai/json-edit.ts';
import { COUNTED_TOOLS, type ToolPlace } from './message-tools.ts';
import type { MessagesRequest } from './messages-request.ts';

// Decides which of a request's tools the provider may run. Agents offer them in every request, so an optional tool
// that isn't sold with the model is removed; a request that depends on one is refused.

/** The decision about a request's tools. */
export interface ToolSale {
  /** The types of the removed tools. */
  readonly leftOut: readonly string[];
  readonly isNoneLeft: boolean;
  /** The edits within `tools`; meaningless if no tool is left. */
  readonly splices: readonly Splice[];
  /** How often the others may be used; null if the provider runs none of them. */
  readonly bound: UsesBound | null;
}

/** All tools pass unchanged. */
export const NOTHING_CHANGED: ToolSale = Object.freeze({
  leftOut: Object.freeze([]),
  isNoneLeft: false,
  splices: Object.freeze([]),
  bound: null,
});

/** Keeps the tools that are sold, each with a maximum of its uses. */
export function saleOf({ tools }: Pick<MessagesRequest, 'tools'>, sold: SoldTools): ToolSale {
  if (tools.every(({ hosted }) => hosted === null)) return NOTHING_CHANGED;
  const leftOut = tools.flatMap((tool) => (isLeftOut(tool, sold) ? [tool.hosted ?? ''] : []));
  return {
    leftOut,
    isNoneLeft: leftOut.length === tools.length,
    splices: [...withoutUnsold(tools, sold), ...tools.flatMap((tool) => boundedUses(tool, sold))],
    bound: boundOf(tools, sold),
  };
}

/** The fault of a request that depends on a tool that isn't sold. */
export function faultOfSale({ tools, toolChoice }: MessagesRequest, sold: SoldTools): BodyFault | null {
  const { name, isRequired } = toolChoice;
  const unsold = tools.filter((tool) => isLeftOut(tool, sold));
  const demanded = unsold.find((tool) => name !== null && tool.name === name);
  if (demanded !== undefined) return unsoldFault(demanded);
  const [first] = unsold;
  return isRequired && first !== undefined && unsold.length === tools.length ? unsoldFault(first) : null;
}

function unsoldFault({ hosted }: ToolPlace): BodyFault {
  const message = `'tool_choice' demands a tool of type ${hosted ?? 'unknown'}, which the provider would run itself: it would cost more than its tokens, and has no price here.`;
  return fieldFault('tool_choice', message);
}

function toolOf({ hosted }: ToolPlace): HostedTool | undefined {
  return hosted === null ? undefined : COUNTED_TOOLS.find(([pattern]) => pattern.test(hosted))?.[1];
}

function isLeftOut(tool: ToolPlace, sold: SoldTools): boolean {
  const known = toolOf(tool);
  return tool.hosted !== null && (known === undefined || sold[known] === undefined);
}

function maxUsesOf(tool: ToolPlace, sold: SoldTools): number {
  const known = toolOf(tool);
  return tool.maxUses ?? (known === undefined ? 0 : (sold[known]?.maxUses ?? 0));
}

function boundOf(tools: readonly ToolPlace[], sold: SoldTools): UsesBound | null {
  const each: Partial<Record<HostedTool, number>> = {};
  let total = 0;
  for (const tool of tools) {
    const known = toolOf(tool);
    if (known === undefined || isLeftOut(tool, sold)) continue;
    const most = maxUsesOf(tool, sold);
    each[known] = (each[known] ?? 0) + most;
    total += most;
  }
  return total === 0 ? null : { each, total };
}

/** Adds the model's maximum to tools for which the caller sets none. */
function boundedUses(tool: ToolPlace, sold: SoldTools): readonly Splice[] {
  if (tool.hosted === null || tool.maxUses !== null || isLeftOut(tool, sold)) return [];
  const most = maxUsesOf(tool, sold);
  if (tool.nullUses !== null) return [{ ...tool.nullUses, text: String(most) }];
  // The object has a type, so it isn't empty.
  return [{ start: tool.start + 1, end: tool.start + 1, text: `"max_uses":${most},` }];
}

/** Removes tools from the array. */
function withoutUnsold(tools: readonly ToolPlace[], sold: SoldTools): readonly Splice[] {
  const splices: Splice[] = [];
  let keptEnd: number | null = null;
  for (const [index, tool] of tools.entries()) {
    const { start, end } = tool;
    if (!isLeftOut(tool, sold)) keptEnd = end;
    else if (keptEnd !== null) splices.push({ start: tools[index - 1]?.end ?? start, end, text: '' });
    else splices.push({ start, end: tools[index + 1]?.start ?? end, text: '' });
  }
  return splices;
}
