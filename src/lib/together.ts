/** Waits for both, even if one fails, so that what the other opens can be closed. @throws the first fault, in order */
export async function together<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
