import type { ChatRequest } from './chat-request.ts';
import { type JsonMember, type ObjectEdit, type Splice, splicedPieces, spliceObject } from './json-edit.ts';

export type CapField = 'max_tokens' | 'max_completion_tokens';

const MODELS: readonly string[] = ['models'];
const CAP_FIELDS: readonly CapField[] = ['max_tokens', 'max_completion_tokens'];

/** Replacements for fields of the caller's request. */
export interface ChatEdit {
  readonly upstreamModel: string;
  /** The only field that may set the maximum of output tokens per choice. */
  readonly capField: CapField;
  /** That maximum; null: the caller's own, if set. */
  readonly cap: number | null;
  /** Makes a stream report its usage. */
  readonly includeUsage: boolean;
  /** Makes a stream omit its padding, unless the caller has set that; for upstreams that support the field. */
  readonly omitObfuscation?: boolean;
  /** Fields that the upstream refuses to read. */
  readonly leaveOut?: readonly string[];
}

/** The parts of a request that are edited; those of a legacy completion are the same. */
export type EditedRequest = Pick<
  ChatRequest,
  'body' | 'layout' | 'model' | 'stream' | 'maxTokens' | 'includeUsage' | 'streamOptions'
> &
  Partial<Pick<ChatRequest, 'models'>>;

/** The body to send upstream, in pieces: the caller's with only these changes, none of its bytes copied. */
export function editChatBody(request: EditedRequest, edit: ChatEdit): readonly Buffer[] {
  const { body, layout } = request;
  const edits: ObjectEdit[] = [];
  const model = layout.members.find((member) => member.key === 'model');
  if (model !== undefined && request.model !== edit.upstreamModel) {
    edits.push({ kind: 'replace', member: model, value: JSON.stringify(edit.upstreamModel) });
  }
  edits.push(...capEdits(request, edit));
  const { leaveOut = [] } = edit;
  // The provider has its own models of these names, or none.
  if (request.models) edits.push(...removals(request, MODELS));
  if (leaveOut.length > 0) edits.push(...removals(request, leaveOut));
  const splices: Splice[] = [];
  if (request.stream && !leaveOut.includes('stream_options')) editStreamOptions(request, edit, edits, splices);
  return splicedPieces(body, [...splices, ...spliceObject(layout, edits)]);
}

function removals(request: EditedRequest, names: readonly string[]): readonly ObjectEdit[] {
  const members = request.layout.members.filter((member) => names.includes(member.key));
  return members.map((member): ObjectEdit => ({ kind: 'remove', member }));
}

function capEdits(request: EditedRequest, { capField, cap }: ChatEdit): readonly ObjectEdit[] {
  const tokens = cap ?? request.maxTokens;
  if (tokens === null) return [];
  const value = String(tokens);
  const present = request.layout.members.filter((member) => CAP_FIELDS.some((field) => field === member.key));
  const kept = present.find((member) => member.key === capField) ?? present[0];
  if (kept === undefined) return [{ kind: 'insert', key: capField, value }];
  // Upstreams that support both fields refuse them together, so the other one is removed.
  const edits: ObjectEdit[] = present
    .filter((member) => member !== kept)
    .map((member): ObjectEdit => ({ kind: 'remove', member }));
  if (kept.key !== capField) edits.push({ kind: 'rename', member: kept, key: capField });
  if (textOf(request, kept) !== value) edits.push({ kind: 'replace', member: kept, value });
  return edits;
}

function editStreamOptions(request: EditedRequest, edit: ChatEdit, edits: ObjectEdit[], splices: Splice[]): void {
  const { streamOptions } = request;
  const wanted: [key: string, value: string][] = [];
  if (edit.includeUsage && !request.includeUsage) wanted.push(['include_usage', 'true']);
  const speaksOfPadding = streamOptions?.members.some((member) => member.key === 'include_obfuscation') ?? false;
  if (edit.omitObfuscation === true && !speaksOfPadding) wanted.push(['include_obfuscation', 'false']);
  if (wanted.length === 0) return;
  if (streamOptions !== null) {
    const changes = wanted.map(([key, value]): ObjectEdit => {
      const member = streamOptions.members.find((each) => each.key === key);
      return member === undefined ? { kind: 'insert', key, value } : { kind: 'replace', member, value };
    });
    splices.push(...spliceObject(streamOptions, changes));
    return;
  }
  const value = `{${wanted.map(([key, each]) => `"${key}":${each}`).join(',')}}`;
  const member = request.layout.members.find((each) => each.key === 'stream_options');
  edits.push(
    member === undefined ? { kind: 'insert', key: 'stream_options', value } : { kind: 'replace', member, value },
  );
}

function textOf(request: EditedRequest, member: JsonMember): string {
  return request.body.toString('latin1', member.valueStart, member.valueEnd);
}
