import {
  type JsonMember,
  type ObjectEdit,
  readObject,
  type Splice,
  splicedPieces,
  spliceObject,
} from '../../openai/json-edit.ts';
import { scanOf } from '../../openai/json-members.ts';
import type { NativeEdit } from '../dialect.ts';
import { readableMessages } from './foreign-thoughts.ts';
import type { ToolSale } from './hosted-tools.ts';
import type { MessagesRequest } from './messages-request.ts';

/** The API accepts no smaller budget of thinking tokens. */
const BUDGET_MIN = 1_024;
const MAX_MEMBERS = 32;

/**
 * The body for a provider that speaks Anthropic's API: the caller's with only these edits, and without thoughts that
 * it hasn't signed.
 */
export function nativeMessagesBody(
  request: MessagesRequest,
  { isNoneLeft, splices: ofTools }: ToolSale,
  { upstreamModel, cap }: Omit<NativeEdit, 'reasoning'>,
): readonly Buffer[] {
  const { body, layout, model, maxTokens } = request;
  const edits: ObjectEdit[] = [];
  const memberOf = (key: string): JsonMember | undefined => layout.members.find((each) => each.key === key);
  const replace = (key: string, value: string | Buffer): void => {
    const member = memberOf(key);
    if (member !== undefined) edits.push({ kind: 'replace', member, value });
  };
  if (model !== upstreamModel) replace('model', JSON.stringify(upstreamModel));
  if (cap !== null && cap !== maxTokens) replace('max_tokens', String(cap));
  const messages = readableMessages(request);
  if (messages !== null) replace('messages', messages);
  const splices: Splice[] = [];
  if (cap !== null) splices.push(...shortenThoughts(request, cap, edits));
  // The API accepts `tool_choice` only together with tools.
  if (isNoneLeft) edits.push(...['tools', 'tool_choice'].flatMap((key) => removal(memberOf(key))));
  else splices.push(...ofTools);
  return splicedPieces(body, [...splices, ...spliceObject(layout, edits)]);
}

function removal(member: JsonMember | undefined): readonly ObjectEdit[] {
  return member === undefined ? [] : [{ kind: 'remove', member }];
}

/** Thoughts count towards the cap, and the API refuses a budget that is not below it. */
function shortenThoughts(request: MessagesRequest, cap: number, edits: ObjectEdit[]): readonly Splice[] {
  const { body, layout, thinkingBudget, maxTokens } = request;
  // A budget above the caller's own maximum is the caller's matter.
  if (thinkingBudget === null || thinkingBudget < cap || thinkingBudget >= maxTokens) return [];
  const thinking = layout.members.find(({ key }) => key === 'thinking');
  if (thinking === undefined) return [];
  if (cap <= BUDGET_MIN) {
    edits.push({ kind: 'remove', member: thinking });
    return [];
  }
  const object = readObject(scanOf({ bytes: body }, thinking), MAX_MEMBERS);
  const budget = object?.members.findLast(({ key }) => key === 'budget_tokens');
  if (object === null || budget === undefined) return [];
  const value = String(Math.max(BUDGET_MIN, Math.floor(cap / 2)));
  return spliceObject(object, [{ kind: 'replace', member: budget, value }]);
}
