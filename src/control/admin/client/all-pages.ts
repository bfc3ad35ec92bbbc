const PAGE_ITEMS = 200;

/** The requested page of a list, by the `next_cursor` of the previous page; 200 items at most. */
interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page of a list; on the last page, `next_cursor` is null. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** All items of a list, read page by page. */
export async function readAllPages<Item>(readPage: (page: PageQuery) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage({ limit: PAGE_ITEMS, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}
