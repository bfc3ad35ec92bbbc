import { type JsonMember, type ObjectEdit, spliceObject, splicedPieces } from '../../openai/json-edit.ts';
import type { NativeEdit } from '../dialect.ts';
import type { ToolSale } from './hosted-tools.ts';
import type { ResponsesRequest } from './responses-request.ts';

const ENCRYPTED = 'reasoning.encrypted_content';
const INCLUDE_BYTES_MAX = 4_096;

/**
 * The caller's body with the edits, without tools that aren't for sale, and so that the provider keeps nothing of it. If the
 * answer is kept here instead, the provider must hand out what a later request has to bring back of its reasoning.
 */
export function nativeBody(
  request: ResponsesRequest,
  { upstreamModel, cap, reasoning }: NativeEdit,
  { isKept, sale: { leftOut, rest, bound } }: { readonly isKept: boolean; readonly sale: ToolSale },
): readonly Buffer[] {
  const { body, layout, model, maxToolCalls } = request;
  const memberOf = (key: string): JsonMember | undefined => layout.members.find((member) => member.key === key);
  const edits: ObjectEdit[] = [];
  const set = (key: string, value: Buffer | string): void => {
    const member = memberOf(key);
    if (member === undefined) edits.push({ kind: 'insert', key, value });
    else if (!body.subarray(member.valueStart, member.valueEnd).equals(Buffer.from(value))) {
      edits.push({ kind: 'replace', member, value });
    }
  };
  if (model !== upstreamModel) set('model', JSON.stringify(upstreamModel));
  if (cap !== null) set('max_output_tokens', String(cap));
  set('store', 'false');
  if (isKept && reasoning) {
    const include = includingReasoning(body, memberOf('include'));
    if (include !== null) set('include', include);
  }
  if (bound !== null && maxToolCalls === null) set('max_tool_calls', String(bound.total));
  if (leftOut.length > 0) {
    const member = memberOf('tools');
    if (rest !== null) set('tools', rest);
    else if (member !== undefined) edits.push({ kind: 'remove', member });
  }
  return splicedPieces(body, spliceObject(layout, edits));
}

/** The members that are counted; a provider that counts refuses all others. */
const COUNTED: ReadonlySet<string> = new Set([
  'input',
  'instructions',
  'parallel_tool_calls',
  'personality',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
]);

/** What of the caller's body is counted, without tools that aren't for sale. */
export function countedBody(
  { body, layout }: ResponsesRequest,
  upstreamModel: string,
  { leftOut, rest }: ToolSale,
): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from(`{"model":${JSON.stringify(upstreamModel)}`)];
  for (const { key, valueStart, valueEnd } of layout.members) {
    const isEdited = key === 'tools' && leftOut.length > 0;
    const value = isEdited ? rest : body.subarray(valueStart, valueEnd);
    if (COUNTED.has(key) && value !== null) pieces.push(Buffer.from(`,${JSON.stringify(key)}:`), value);
  }
  return [...pieces, END];
}

const END = Buffer.from('}');

/** The value of `include` with the reasoning; null if it is to stay as it is. */
function includingReasoning(body: Buffer, member: JsonMember | undefined): string | null {
  if (member === undefined) return JSON.stringify([ENCRYPTED]);
  if (member.valueEnd - member.valueStart > INCLUDE_BYTES_MAX) return null;
  const include: unknown = JSON.parse(body.toString('utf8', member.valueStart, member.valueEnd));
  if (include === null) return JSON.stringify([ENCRYPTED]);
  const included: readonly unknown[] | null = Array.isArray(include) ? include : null;
  return included === null || included.includes(ENCRYPTED) ? null : JSON.stringify([...included, ENCRYPTED]);
}
