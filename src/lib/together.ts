/**
 * Waits for both, also if one fails: what the other opens by then can be closed. @throws the first fault, in their order
 */
export async function together<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
