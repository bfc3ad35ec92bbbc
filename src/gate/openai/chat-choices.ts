import {
  readObject,
  applySplices,
  spliceObject,
  type JsonMember,
  type JsonObject,
  type ObjectEdit,
  type Splice,
} from './json-edit.ts';
import { isObject } from './json-object.ts';
import { JsonScan } from './json-scan.ts';

// The choices of a whole answer: the content and the end of each.

/** One choice of an answer. */
export interface Choice {
  /** Its text; null if it has none. Parts of text are joined. */
  readonly content: string | null;
  /** Whether the content came in parts, as Mistral writes it. */
  readonly isInParts: boolean;
  /** Its calls of functions, by name. */
  readonly calls: readonly ToolCall[];
  /** Whether the model refused, in the separate field for refusals. */
  readonly isRefusal: boolean;
  /** Empty if it has none. */
  readonly finishReason: string;
}

export interface ToolCall {
  readonly name: string;
  /** The model's text for them: JSON, if the model did its part. */
  readonly arguments: string;
}

interface Place {
  readonly choice: JsonObject;
  readonly message: JsonObject | null;
}

const MAX_MEMBERS = 256;

/** The choices of an answer's body, in its order; empty if there are none that can be read. */
export function readChoices(body: Buffer): Choice[] {
  return placesOf(body).map(({ choice, message }) => {
    const said = message === null ? {} : partsOf(body, message);
    return {
      content: contentOf(said['content']),
      isInParts: Array.isArray(said['content']),
      calls: callsOf(said),
      isRefusal: typeof said['refusal'] === 'string' && said['refusal'] !== '',
      finishReason: reasonOf(body, choice),
    };
  });
}

/** Replaces the contents of choices, by index, and removes their calls; everything else is unchanged. */
export function replaceContents(body: Buffer, contents: ReadonlyMap<number, string>): Buffer {
  const splices = placesOf(body).flatMap(({ choice, message }, index) => {
    const content = contents.get(index);
    if (content === undefined || message === null) return [];
    return [...replaceContent(message, content), ...finishAsStop(body, choice)];
  });
  return applySplices(body, splices);
}

function replaceContent(message: JsonObject, content: string): Splice[] {
  const edits: ObjectEdit[] = [];
  const value = JSON.stringify(content);
  const member = message.members.findLast(({ key }) => key === 'content');
  edits.push(member === undefined ? { kind: 'insert', key: 'content', value } : { kind: 'replace', member, value });
  for (const each of message.members) if (each.key === 'tool_calls') edits.push({ kind: 'remove', member: each });
  return spliceObject(message, edits);
}

/** A choice whose call became content ends with `stop`; log probabilities of removed tokens are removed too. */
function finishAsStop(body: Buffer, choice: JsonObject): Splice[] {
  const edits: ObjectEdit[] = [];
  for (const member of choice.members) {
    if (member.key === 'finish_reason' && reasonOf(body, choice) === 'tool_calls') {
      edits.push({ kind: 'replace', member, value: '"stop"' });
    } else if (member.key === 'logprobs') edits.push({ kind: 'replace', member, value: 'null' });
  }
  return spliceObject(choice, edits);
}

/** The positions of the choices; none if the body isn't JSON, or one of them has more members than any real one. */
function placesOf(body: Buffer): Place[] {
  const scan = new JsonScan(body);
  let places: Place[] = [];
  if (!scan.enterObject()) return places;
  while (scan.nextMember()) {
    if (scan.key() !== 'choices' || !scan.enterArray()) {
      scan.skip();
      continue;
    }
    // If a member is given twice, readers use the last.
    places = [];
    while (scan.nextElement()) {
      const place = placeAt(scan);
      if (place === null) return [];
      places.push(place);
    }
  }
  return scan.finish() ? places : [];
}

function placeAt(scan: JsonScan): Place | null {
  const { at: start } = scan;
  let message: JsonObject | null = null;
  if (!scan.enterObject()) {
    scan.skip();
    return { choice: { start, end: scan.at, members: [] }, message };
  }
  const members: JsonMember[] = [];
  while (scan.nextMember()) {
    if (members.length === MAX_MEMBERS) return null;
    const { keyStart, keyEnd, at: valueStart } = scan;
    const key = scan.key();
    if (key !== 'message') scan.skip();
    else if (scan.kind() === 'object') {
      message = readObject(scan, MAX_MEMBERS);
      if (message === null) return null;
    } else {
      message = null;
      scan.skip();
    }
    members.push({ key, keyStart, keyEnd, valueStart, valueEnd: scan.at });
  }
  return { choice: { start, end: scan.at, members }, message };
}

const PARTS = ['content', 'refusal', 'tool_calls', 'function_call'];

function partsOf(body: Buffer, message: JsonObject): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const { key, valueStart, valueEnd } of message.members) {
    if (PARTS.includes(key)) parts[key] = JSON.parse(body.toString('utf8', valueStart, valueEnd));
  }
  return parts;
}

function reasonOf(body: Buffer, choice: JsonObject): string {
  const member = choice.members.findLast(({ key }) => key === 'finish_reason');
  if (member === undefined) return '';
  const reason: unknown = JSON.parse(body.toString('utf8', member.valueStart, member.valueEnd));
  return typeof reason === 'string' ? reason : '';
}

/** The text of a content that is one, or an array of parts as Mistral writes it. */
export function contentOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
  );
  return texts.join('');
}

function callsOf(said: Readonly<Record<string, unknown>>): ToolCall[] {
  const { tool_calls: calls, function_call: call } = said;
  const functions = Array.isArray(calls)
    ? calls.map((each: unknown) => (isObject(each) ? each['function'] : null))
    : [];
  return (isObject(call) ? [...functions, call] : functions).map((each) => ({
    name: isObject(each) && typeof each['name'] === 'string' ? each['name'] : '',
    arguments: isObject(each) ? argumentsOf(each['arguments']) : '',
  }));
}

/** Some send the arguments as an object, which they should have written as text. */
function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
