import type { JsonMember } from '../../openai/json-edit.ts';
import { namesOf } from '../../openai/known-fields.ts';
import type { NativeEdit } from '../dialect.ts';
import { BodyEdits } from './body-edits.ts';
import { readableInput } from './foreign-reasoning.ts';
import type { ToolSale } from './hosted-tools.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';
import type { ResponsesRequest } from './responses-request.ts';

const ENCRYPTED = 'reasoning.encrypted_content';
const INCLUDE_BYTES_MAX = 4_096;

/**
 * The caller's body with the edits and without unsold tools, so that the provider stores nothing of it. If the answer
 * is kept here instead, the provider must return the reasoning that a later request has to send back.
 */
export function nativeBody(
  request: ResponsesRequest,
  { upstreamModel, cap, reasoning }: NativeEdit,
  { isKept, sale }: { readonly isKept: boolean; readonly sale: ToolSale },
): readonly Buffer[] {
  const edits = new BodyEdits(request);
  if (request.model !== upstreamModel) edits.set('model', JSON.stringify(upstreamModel));
  if (cap !== null) edits.set('max_output_tokens', String(cap));
  edits.set('store', 'false');
  if (isKept && reasoning) {
    const include = includingReasoning(request.body, edits.member('include'));
    if (include !== null) edits.set('include', include);
  }
  if (sale.bound !== null && request.maxToolCalls === null) edits.set('max_tool_calls', String(sale.bound.total));
  leaveOut(edits, request, sale);
  return edits.pieces();
}

/**
 * The body of a compaction with the edits. It has no fields for a cap or for storing, and the provider runs no tools
 * for it.
 */
export function compactionBody(
  request: ResponsesRequest,
  { upstreamModel }: Pick<NativeEdit, 'upstreamModel'>,
  sale: ToolSale,
): readonly Buffer[] {
  const edits = new BodyEdits(request);
  if (request.model !== upstreamModel) edits.set('model', JSON.stringify(upstreamModel));
  leaveOut(edits, request, sale);
  return edits.pieces();
}

/** Removes reasoning that the provider can't read, and unsold tools. */
function leaveOut(edits: BodyEdits, request: ResponsesRequest, { leftOut, rest }: ToolSale): void {
  const input = readableInput(request);
  if (input !== null) edits.set('input', input);
  if (leftOut.length === 0) return;
  if (rest === null) edits.remove('tools');
  else edits.set('tools', rest);
}

/** The members that are counted; a provider that counts refuses all others. */
const COUNTED = namesOf(RESPONSES_FIELDS, ({ isCounted }) => isCounted === true);

/** The counted part of the caller's body, without unsold tools. */
export function countedBody(
  request: ResponsesRequest,
  upstreamModel: string,
  { leftOut, rest }: ToolSale,
): readonly Buffer[] {
  const { body, layout } = request;
  const pieces: Buffer[] = [Buffer.from(`{"model":${JSON.stringify(upstreamModel)}`)];
  for (const { key, valueStart, valueEnd } of layout.members) {
    const written = body.subarray(valueStart, valueEnd);
    const hasUnsold = key === 'tools' && leftOut.length > 0;
    const value = hasUnsold ? rest : key === 'input' ? (readableInput(request) ?? written) : written;
    if (COUNTED.has(key) && value !== null) pieces.push(Buffer.from(`,${JSON.stringify(key)}:`), value);
  }
  return [...pieces, END];
}

const END = Buffer.from('}');

/** The value of `include` with the reasoning added; null if it needs no change. */
function includingReasoning(body: Buffer, member: JsonMember | undefined): string | null {
  if (member === undefined) return JSON.stringify([ENCRYPTED]);
  if (member.valueEnd - member.valueStart > INCLUDE_BYTES_MAX) return null;
  const include: unknown = JSON.parse(body.toString('utf8', member.valueStart, member.valueEnd));
  if (include === null) return JSON.stringify([ENCRYPTED]);
  const included: readonly unknown[] | null = Array.isArray(include) ? include : null;
  return included === null || included.includes(ENCRYPTED) ? null : JSON.stringify([...included, ENCRYPTED]);
}
