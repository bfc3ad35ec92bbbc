import { z } from '@hono/zod-openapi';
import { type Page, PAGE_ITEMS_MAX, type PageRequest } from '../lib/page.ts';

// Pages of lists in the admin API. A cursor is the id of a page's last item, in an opaque form.

const CURSOR = /^[\w-]{22}$/;
const CURSOR_HELP = 'must be a next_cursor of this list, unchanged';
const LIMIT_HELP = `must be a whole number from 1 to ${PAGE_ITEMS_MAX}`;

/** The page of a list that a request asks for. */
export const pageQuery = z.strictObject({
  cursor: z
    .string({ error: CURSOR_HELP })
    .regex(CURSOR, CURSOR_HELP)
    .optional()
    .openapi({ description: 'The `next_cursor` of the previous page. Default: the first page.' }),
  limit: z.coerce
    .number({ error: LIMIT_HELP })
    .int(LIMIT_HELP)
    .min(1, LIMIT_HELP)
    .max(PAGE_ITEMS_MAX, LIMIT_HELP)
    .optional()
    .openapi({ description: `The number of items per page. Default: 100; at most ${PAGE_ITEMS_MAX}.` }),
});

/** A page of a list of these. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().openapi({ description: 'Cursor of the next page; null on the last one.' }),
  });
}

/** The requested page. */
export function requestedPage({ cursor, limit }: z.output<typeof pageQuery>): PageRequest {
  return { after: cursor === undefined ? null : idOf(cursor), ...(limit === undefined ? {} : { limit }) };
}

/** The JSON of a page. */
export function pageJson<Item, Json>({ items, next }: Page<Item>, itemJson: (item: Item) => Json) {
  return { data: items.map(itemJson), next_cursor: next === null ? null : cursorOf(next) };
}

function cursorOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function idOf(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
