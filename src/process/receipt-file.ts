import { readFile } from 'node:fs/promises';
import type { Receipt } from '../domain/receipt.ts';
import { decodeReceiptLine } from './receipt-line.ts';

const NEWLINE = 0x0a;

/** What a file of receipt lines holds. */
export interface ReceiptFile {
  readonly receipts: readonly Receipt[];
  /** Lines that were written in full and are not what was written. */
  readonly damagedLines: number;
}

/**
 * Reads a file of receipt lines. A torn last line is none: its process ended while it wrote, before anybody relied on it.
 * Rejects if the file can't be read.
 */
export async function readReceiptFile(path: string): Promise<ReceiptFile> {
  const receipts: Receipt[] = [];
  let damagedLines = 0;
  const lines = splitLines(await readFile(path));
  for (const [index, line] of lines.entries()) {
    const receipt = decodeReceiptLine(line);
    if (receipt !== null) receipts.push(receipt);
    else if (line.length > 0 && !(index === lines.length - 1 && isTorn(line))) damagedLines += 1;
  }
  return { receipts, damagedLines };
}

/** Whether it is less than a line: one whose newline was overwritten is more. */
function isTorn(lastLine: Buffer): boolean {
  return decodeReceiptLine(lastLine.subarray(0, -1)) === null;
}

/** As `split` does: the last line is what follows the last newline. */
function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}
