import { JsonScan } from '../../openai/json-scan.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { MessagesRequest } from './messages-request.ts';

// Handles thoughts of translated answers (carried-thoughts.ts) in a conversation that has moved to a provider of this
// dialect, which refuses thoughts that it has not signed.

/** The name in `x-faregate-left-out` of thoughts that the provider could not read. */
export const FOREIGN_THOUGHTS = 'thoughts of another provider';

const MESSAGE_NAMES = new NameTable(['content']);
const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** The value of `messages` for such a provider; null if it is the caller's. */
export function readableMessages({ body, layout, carriedThoughts }: MessagesRequest): Buffer | null {
  const messages = layout.members.find(({ key }) => key === 'messages');
  if (carriedThoughts.length === 0 || messages === undefined) return null;
  const scan = new JsonScan(body.subarray(0, messages.valueEnd));
  scan.at = messages.valueStart;
  const left = new Set(carriedThoughts);
  const kept: Buffer[] = [];
  scan.enterArray();
  while (scan.nextElement()) {
    const message = readableMessage(scan, left);
    if (message !== null) kept.push(message);
  }
  return arrayOf(kept);
}

/** The message at the scan's position without those thoughts; null if nothing else is in it. */
function readableMessage(scan: JsonScan, left: ReadonlySet<number>): Buffer | null {
  const start = scan.at;
  let content: Content | null = null;
  scan.enterObject();
  while (scan.nextMember()) {
    if (scan.keyIn(MESSAGE_NAMES) === undefined || scan.kind() !== 'array') scan.skip();
    else content = readContent(scan, left);
  }
  if (content === null || !content.isChanged) return scan.bytes.subarray(start, scan.at);
  if (content.blocks.length === 0) return null;
  const [before, after] = [scan.bytes.subarray(start, content.start), scan.bytes.subarray(content.end, scan.at)];
  return Buffer.concat([before, arrayOf(content.blocks), after]);
}

/** The position of a list of blocks, and the blocks to keep. */
interface Content {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Buffer[];
  readonly isChanged: boolean;
}

function readContent(scan: JsonScan, left: ReadonlySet<number>): Content {
  const start = scan.at;
  const blocks: Buffer[] = [];
  let isChanged = false;
  scan.enterArray();
  while (scan.nextElement()) {
    const blockStart = scan.at;
    scan.skip();
    if (left.has(blockStart)) isChanged = true;
    else blocks.push(scan.bytes.subarray(blockStart, scan.at));
  }
  return { start, end: scan.at, blocks, isChanged };
}

function arrayOf(elements: readonly Buffer[]): Buffer {
  const parted = elements.flatMap((element, index) => (index === 0 ? [element] : [COMMA, element]));
  return Buffer.concat([OPEN, ...parted, CLOSE]);
}
