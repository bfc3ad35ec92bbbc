/**
 * Does the work for all together. If that is rejected, tries each half separately, until the one at fault is alone: it
 * delays no other. `work` returns the reason of a rejection, or null on success.
 */
export async function inParts<Part, Refusal>(
  parts: readonly Part[],
  work: (parts: readonly Part[]) => Promise<Refusal | null>,
  onRefused: (part: Part, refusal: Refusal) => Promise<void> | void,
): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  const refusal = await work(parts);
  if (refusal === null) return;
  if (parts.length === 1) {
    await onRefused(first, refusal);
    return;
  }
  const middle = parts.length >> 1;
  await inParts(parts.slice(0, middle), work, onRefused);
  await inParts(parts.slice(middle), work, onRefused);
}
