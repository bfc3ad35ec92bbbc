/**
 * Does the work for all together. If that is refused, each half is tried by itself, until the one at fault stands alone:
 * it holds up no other. `work` returns the reason of a refusal, or null on success.
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
