import { type Page, PAGE_ITEMS, type PageRequest } from './page.ts';

// Pages of lists sorted by something other than ids. A page begins after a place: the value that the last item of the
// page before had then, and that item's id. An item whose value changes moves alone, and hides no other.

export type SortDirection = 'asc' | 'desc';

/** The types of values, and their text form. */
const PLACES = {
  bigint: /^-?\d{1,18}$/,
  text: /^[^\0]*$/,
  timestamptz: /^-?infinity$|^\d{4,5}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/,
} as const;

/** An order in which a list can be sorted. */
export interface SortOrder {
  /** SQL of the value, which is never null; null: by id, which is in order of creation. */
  readonly value: string | null;
  readonly type: keyof typeof PLACES;
  /** The default direction. */
  readonly direction: SortDirection;
}

/** The requested part of a sorted list. `after` is the `next` of the page before, in the same order. */
export interface SortedPageRequest<Sort> extends PageRequest {
  readonly sort?: Sort;
  readonly direction?: SortDirection;
}

/** Parts of a statement that reads a page. The first three of its parameters are theirs. */
export interface SortedPageSql {
  /** The value that the page is sorted by, to select as `place`. */
  readonly place: string;
  readonly where: string;
  readonly orderBy: string;
  /** The direction of both value and id. */
  readonly direction: SortDirection;
  readonly values: readonly [after: string | null, place: string | null, count: number];
}

const ID_LENGTH = 36;

/** Whether this can be the `next` of a page in the order. */
export function isPlaceIn({ value, type }: SortOrder, next: string): boolean {
  const place = next.slice(ID_LENGTH);
  if (value === null) return place === '';
  return PLACES[type].test(place);
}

/** Reads a page of a sorted list. `id` is SQL of an item's id. */
export async function readSortedPage<Item extends { readonly id: string }>(
  { value, type, direction: usual }: SortOrder,
  id: string,
  { after = null, limit = PAGE_ITEMS, direction = usual }: SortedPageRequest<string>,
  read: (sql: SortedPageSql) => Promise<readonly (readonly [item: Item, place: string | null])[]>,
): Promise<Page<Item>> {
  const last = after?.slice(0, ID_LENGTH) ?? null;
  const place = value === null ? null : (after?.slice(ID_LENGTH) ?? null);
  const than = direction === 'asc' ? '>' : '<';
  const isAfter =
    value === null
      ? `$2::text is null and ($1::uuid is null or ${id} ${than} $1)`
      : `($2::${type} is null or (${value}, ${id}) ${than} ($2, $1::uuid))`;
  const rows = await read({
    place: value ?? 'null::text',
    where: isAfter,
    orderBy: value === null ? `${id} ${direction}` : `${value} ${direction}, ${id} ${direction}`,
    direction,
    values: [last, place, limit + 1],
  });
  const items = rows.slice(0, limit).map(([item]) => item);
  const [lastItem, lastPlace] = rows[limit - 1] ?? [];
  const hasMore = rows.length > limit && lastItem !== undefined;
  return { items, next: hasMore ? `${lastItem.id}${lastPlace ?? ''}` : null };
}
