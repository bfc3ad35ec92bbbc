/** How long a slice computes before whatever else has come goes first; milliseconds. */
const SLICE_MS = 4;

/** Maps a list that may be long, in slices of a few milliseconds, between which the event loop goes on. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let sinceMs = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - sinceMs < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = performance.now();
  }
  return results;
}
