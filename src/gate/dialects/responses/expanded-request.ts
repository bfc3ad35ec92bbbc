import { JsonScan } from '../../openai/json-scan.ts';
import type { FoundReferences, References } from '../dialect.ts';
import { BodyEdits } from './body-edits.ts';
import type { ResponsesRequest } from './responses-request.ts';

// Replaces a request's references to earlier answers by their items, as if its caller had sent everything again.

/** The references of the request; null if it has none. */
export function referencesOf({ previous, references }: ResponsesRequest): References | null {
  if (previous === null && references.length === 0) return null;
  return { previous, items: references.map(({ id, index }) => ({ id, param: `input[${index}]` })) };
}

const MESSAGE_HEAD = Buffer.from('{"role":"user","content":');
const MESSAGE_END = Buffer.from('}');
const COMMA = Buffer.from(',');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** The request's own items separated by commas, with references replaced; empty if it has none. */
export function ownItems(request: ResponsesRequest, items: FoundReferences['items'] | null): readonly Buffer[] {
  const { body, layout } = request;
  const input = layout.members.find(({ key }) => key === 'input');
  if (input === undefined || request.items === 0) return [];
  const { valueStart: start, valueEnd: end } = input;
  const scan = new JsonScan(body.subarray(0, end));
  scan.at = start;
  if (scan.kind() === 'string') return [MESSAGE_HEAD, body.subarray(start, end), MESSAGE_END];
  if (request.references.length === 0) return [body.subarray(start + 1, end - 1)];
  const referred = new Map(request.references.map(({ index, id }) => [index, items?.get(id)]));
  const own: Buffer[] = [];
  scan.enterArray();
  for (let index = 0; scan.nextElement(); index++) {
    const itemStart = scan.at;
    scan.skip();
    const item = referred.get(index) ?? body.subarray(itemStart, scan.at);
    if (item.length === 0) continue;
    if (own.length > 0) own.push(COMMA);
    own.push(item);
  }
  return own;
}

/** The body with these items as its input, and without the id of the response that it continues. */
export function expandedBody(request: ResponsesRequest, chain: readonly Buffer[], own: readonly Buffer[]): Buffer {
  const between = chain.length > 0 && own.length > 0 ? [COMMA] : [];
  const edits = new BodyEdits(request);
  edits.set('input', Buffer.concat([OPEN, ...chain, ...between, ...own, CLOSE]));
  edits.remove('previous_response_id');
  return Buffer.concat(edits.pieces());
}
