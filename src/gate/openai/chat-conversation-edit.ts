import { assert } from '../../lib/assert.ts';
import type { ChatRequest } from './chat-request.ts';
import {
  readObject,
  spliceObject,
  type JsonMember,
  type JsonObject,
  type ObjectEdit,
  type Splice,
} from './json-edit.ts';
import { JsonScan } from './json-scan.ts';

// Edits of a chat request's conversation: an instruction for the model, messages at the end, a tool. Each answers
// with splices of the caller's own bytes, so that those of several changes can be carried out together.

/** A message to add. */
export interface AddedMessage {
  readonly role: 'assistant' | 'user';
  readonly content: string;
}

const MAX_MEMBERS = 64;

const OPENING_BYTES = 1;
const CLOSING_BYTES = 1;

/** The member of this name of the body; undefined if it is absent or null. */
export function findMember({ body, layout }: ChatRequest, name: string): JsonMember | undefined {
  const member = layout.members.find(({ key }) => key === name);
  return member === undefined || textOf(body, member) === 'null' ? undefined : member;
}

/** Adds to the system message, or inserts one at the beginning. */
export function instruct(request: ChatRequest, instruction: string): Splice[] {
  const { body } = request;
  const messages = findMember(request, 'messages');
  assert(messages !== undefined, 'a chat request has messages');
  const scan = new JsonScan(body.subarray(0, messages.valueEnd));
  scan.at = messages.valueStart;
  const first = scan.enterArray() && scan.nextElement() ? readObject(scan, MAX_MEMBERS) : null;
  const content = first?.members.find(({ key }) => key === 'content');
  if (first !== null && isOfSystem(body, first) && content !== undefined && body[content.valueStart] === QUOTE) {
    return [insertion(content.valueEnd - CLOSING_BYTES, JSON.stringify(`\n\n${instruction}`).slice(1, -1))];
  }
  const message = JSON.stringify({ role: 'system', content: instruction });
  return [insertion(messages.valueStart + OPENING_BYTES, `${message},`)];
}

const QUOTE = 0x22;

/** Adds messages after the last one. */
export function appendMessages(request: ChatRequest, added: readonly AddedMessage[]): Splice[] {
  const messages = findMember(request, 'messages');
  assert(messages !== undefined, 'a chat request has messages');
  const text = added.map((message) => `,${JSON.stringify(message)}`).join('');
  return [insertion(messages.valueEnd - CLOSING_BYTES, text)];
}

/** Adds a tool, given as JSON, after the caller's own: the edit of the member `tools`. */
export function addTool(request: ChatRequest, tool: string): ObjectEdit {
  const member = findMember(request, 'tools');
  if (member === undefined) return setMember(request, 'tools', `[${tool}]`);
  const own = textOf(request.body, member).slice(OPENING_BYTES, -CLOSING_BYTES);
  return setMember(request, 'tools', `[${own.trim() === '' ? tool : `${own},${tool}`}]`);
}

/** Sets a member of the body to this JSON value, whether or not it exists. */
export function setMember({ layout }: ChatRequest, key: string, value: string): ObjectEdit {
  const member = layout.members.find((each) => each.key === key);
  return member === undefined ? { kind: 'insert', key, value } : { kind: 'replace', member, value };
}

/** The splices of edits of the body's own members. */
export function spliceBody({ layout }: ChatRequest, edits: readonly ObjectEdit[]): Splice[] {
  return spliceObject(layout, edits);
}

function isOfSystem(body: Buffer, { members }: JsonObject): boolean {
  const role = members.find(({ key }) => key === 'role');
  return role !== undefined && ['"system"', '"developer"'].includes(textOf(body, role));
}

function insertion(at: number, text: string): Splice {
  return { start: at, end: at, text };
}

function textOf(body: Buffer, { valueStart, valueEnd }: JsonMember): string {
  return body.toString('utf8', valueStart, valueEnd);
}
