import { type BodyFault, fieldFault } from '../../openai/body-fault.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import type { ListedInput, ListResult } from '../dialect.ts';

// The items that a kept response was made from, page by page. An item without an id of its caller gets one derived
// from its request and its index, so that it is the same in every list. It names the item only in lists.

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 20;
const STRUCTURE_MAX = 16_000_000;
const ID_BYTES_MAX = 1_024;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const ITEM_NAMES = new NameTable(['id']);

interface Page {
  readonly limit: number;
  readonly isAscending: boolean;
  readonly after: string | null;
}

interface PlacedItem {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A page of the items of these requests, the oldest first, as the query specifies. */
export function listInputItems(inputs: readonly ListedInput[], query: URLSearchParams): ListResult {
  const page = readPage(query);
  if ('message' in page) return { ok: false, fault: page };
  const items = inputs.flatMap(itemsOf);
  if (!page.isAscending) items.reverse();
  const start = items.findIndex(({ id }) => id === page.after) + 1;
  if (page.after !== null && start === 0) {
    return { ok: false, fault: fieldFault('after', "'after' must be the id of an item of this list.") };
  }
  const data = items.slice(start, start + page.limit);
  const list = {
    object: 'list',
    data: data.map(itemObject),
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + data.length < items.length,
  };
  return { ok: true, body: Buffer.from(JSON.stringify(list)) };
}

function readPage(query: URLSearchParams): Page | BodyFault {
  const limit = query.get('limit') ?? String(LIMIT_DEFAULT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX) {
    return fieldFault('limit', `'limit' must be a whole number from 1 to ${LIMIT_MAX}.`);
  }
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') return fieldFault('order', "'order' must be asc or desc.");
  return { limit: Number(limit), isAscending: order === 'asc', after: query.get('after') };
}

function itemsOf({ requestId, pieces }: ListedInput): PlacedItem[] {
  const scan = new JsonScan(Buffer.concat([OPEN, ...pieces, CLOSE]), STRUCTURE_MAX);
  const items: PlacedItem[] = [];
  if (!scan.enterArray()) return items;
  while (scan.nextElement()) {
    const start = scan.at;
    const own = readId(scan);
    items.push({
      id: own ?? `item_${requestId.replaceAll('-', '')}_${items.length}`,
      bytes: scan.bytes.subarray(start, scan.at),
    });
  }
  return items;
}

/** The id of the item at this position; null if it has none. */
function readId(scan: JsonScan): string | null {
  let id: string | null = null;
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  while (scan.nextMember()) {
    const isId = scan.keyIn(ITEM_NAMES) === 'id' && scan.kind() === 'string' && !scan.exceeds(ID_BYTES_MAX);
    if (isId) id = scan.string();
    else scan.skip();
  }
  return id === '' ? null : id;
}

/** The item with all members that a list promises: those that a message omits are added. */
function itemObject({ id, bytes }: PlacedItem): unknown {
  const item = parseExactly(bytes.toString());
  if (!isObject(item)) return item;
  const { type = 'message' } = item;
  if (type !== 'message') return { ...item, id };
  return { status: 'completed', ...item, type, id, content: contentOf(item) };
}

function contentOf({ role, content }: JsonObject): unknown {
  if (typeof content !== 'string') return content;
  if (role === 'assistant') return [{ type: 'output_text', text: content, annotations: [], logprobs: [] }];
  return [{ type: 'input_text', text: content }];
}
