/** Does the work for each item, also for those behind one that fails. @throws the first fault, once all are done */
export async function doEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) await work(item).catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
