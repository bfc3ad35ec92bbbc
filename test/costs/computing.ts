// How long something computes, by the thread's own processor time: a machine that is busy with other things stretches
// every other measure. Processors differ in pace, and threads share them, so bounds are stretched by how much longer a
// known piece of work takes.

const MICROSECONDS = 1_000;

/** What is read to learn the pace: bytes by a plain loop, and texts by the engine, which takes memory too. */
const KNOWN_BYTES = Buffer.alloc(2 ** 20, 0x61);
const KNOWN_ROUNDS = 32;
const KNOWN_TEXTS = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `a text of some length ${index}`));

/** What they take on a machine of this year that does nothing else. */
const LOOP_MS = 36;
const PARSE_MS = 5;

/** Milliseconds of processor time that `work` takes, on average of so many times: some clocks tell no less than 4 ms. */
export function computedMs(work: () => unknown, times: number): number {
  const before = process.threadCpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MICROSECONDS / times;
}

/** The longest that the event loop computes without a pause until `isOver`; processor milliseconds. */
export async function longestPiece(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const before = process.threadCpuUsage();
    await new Promise((resolve) => void setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / MICROSECONDS);
  }
  return longest;
}

/** How many times as long as expected this machine takes at present: 1 or more. */
export function slowness(): number {
  const loopMs = computedMs(() => {
    let sum = 0;
    for (let round = 0; round < KNOWN_ROUNDS; round++) {
      for (let at = 0; at < KNOWN_BYTES.length; at++) sum = (sum + (KNOWN_BYTES[at] ?? 0)) | 0;
    }
    return sum;
  }, 2);
  const parseMs = computedMs(() => JSON.parse(KNOWN_TEXTS) as unknown, 6);
  return Math.max(1, loopMs / LOOP_MS, parseMs / PARSE_MS);
}
