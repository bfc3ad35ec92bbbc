import { z } from '@hono/zod-openapi';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { type Page, PAGE_ITEMS_MAX, type PageRequest } from '../../lib/page.ts';
import { isPlaceIn, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import { choice, queryNumber } from './contract-fields.ts';

// Pages of lists in the admin API. A cursor is the id of a page's last item, in an opaque form, and in a sorted list also the
// value that it was sorted by.

const CURSOR = /^[\w-]{22}$/;
const SORTED_CURSOR = /^[\w-]{22,600}$/;
const CURSOR_HELP = 'must be a next_cursor of this list, unchanged';

/** The page of a list that a request asks for. */
export const pageQuery = z.strictObject({
  cursor: z
    .string({ error: CURSOR_HELP })
    .regex(CURSOR, CURSOR_HELP)
    .optional()
    .openapi({ description: 'The `next_cursor` of the previous page. Default: the first page.' }),
  limit: queryNumber(1, PAGE_ITEMS_MAX)
    .optional()
    .openapi({ description: `The number of items per page. Default: 100; at most ${PAGE_ITEMS_MAX}.` }),
});

/** The page of a list that may be sorted in these orders; the first is the usual one. */
export function sortedPageQuery<Sort extends string>(orders: Readonly<Record<Sort, SortOrder>>) {
  const sorts = Object.keys(orders) as [Sort, ...Sort[]];
  return pageQuery.extend({
    cursor: z
      .string({ error: CURSOR_HELP })
      .regex(SORTED_CURSOR, CURSOR_HELP)
      .optional()
      .openapi({ description: 'The `next_cursor` of the previous page of the same order. Default: the first page.' }),
    sort: choice(sorts)
      .optional()
      .openapi({ description: `What the list is sorted by. Default: \`${sorts[0]}\`.` }),
    direction: z
      .enum(['asc', 'desc'], { error: 'must be asc or desc' })
      .optional()
      .openapi({ description: 'Default: the least first, but the greatest of amounts and the latest of uses.' }),
  });
}

/** The page of a sorted list that a request asks for; refused if its cursor is of another order. */
export function requestedSortedPage<Sort extends string>(
  {
    cursor,
    limit,
    sort,
    direction,
  }: {
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
    readonly sort?: Sort | undefined;
    readonly direction?: 'asc' | 'desc' | undefined;
  },
  orders: Readonly<Record<Sort, SortOrder>>,
): SortedPageRequest<Sort> | Refusal {
  const after = cursor === undefined ? null : placeOf(cursor);
  const order = orders[sort ?? (Object.keys(orders)[0] as Sort)];
  if (after !== null && !isPlaceIn(order, after)) {
    return refuse('INVALID_REQUEST', `"cursor" ${CURSOR_HELP}.`, { param: 'cursor' });
  }
  return { after, ...definedFields({ limit, sort, direction }) };
}

/** A page of a list of these. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().openapi({ description: 'Cursor of the next page; null on the last one.' }),
  });
}

/** The requested page. */
export function requestedPage({ cursor, limit }: z.output<typeof pageQuery>): PageRequest {
  return { after: cursor === undefined ? null : placeOf(cursor), ...(limit === undefined ? {} : { limit }) };
}

/** The JSON of a page. */
export function pageJson<Item, Json>({ items, next }: Page<Item>, itemJson: (item: Item) => Json) {
  return { data: items.map(itemJson), next_cursor: next === null ? null : cursorOf(next) };
}

/** Represents pages of lists with this representation of their items. */
export function pagesOf<Item, Json>(itemJson: (item: Item) => Json) {
  return (page: Page<Item>) => pageJson(page, itemJson);
}

const ID_LENGTH = 36;
const ID_BYTES = 16;

function cursorOf(next: string): string {
  const id = Buffer.from(next.slice(0, ID_LENGTH).replaceAll('-', ''), 'hex');
  return Buffer.concat([id, Buffer.from(next.slice(ID_LENGTH))]).toString('base64url');
}

function placeOf(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const hex = bytes.toString('hex', 0, ID_BYTES);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return id + bytes.toString('utf8', ID_BYTES);
}
