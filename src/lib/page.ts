// Long lists are read page by page, each from where the one before ended (keyset pagination), so a page costs the same
// anywhere, and items added between pages neither repeat nor hide one.

/** The most items of a page. */
export const PAGE_ITEMS_MAX = 200;
export const PAGE_ITEMS = 100;

/** A requested part of a list. */
export interface PageRequest {
  /** The id of the last item before it; null or absent for the first page. */
  readonly after?: string | null;
  /** The most items; 100 by default. */
  readonly limit?: number;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The id after which the next part begins; null: this is the last. */
  readonly next: string | null;
}

/** Reads a page. `read` gets the id to begin after and the number of rows to read, one more than the page has. */
export async function readPage<Item extends { readonly id: string }>(
  { after = null, limit = PAGE_ITEMS }: PageRequest,
  read: (after: string | null, count: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const rows = await read(after, limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
