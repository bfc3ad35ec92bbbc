import { readFile } from 'node:fs/promises';
import type { Receipt } from '../../domain/receipt.ts';
import { DataDirectoryFault } from './data-directory-files.ts';
import { decodeReceiptLine, LINE_VERSION } from './receipt-line.ts';

const NEWLINE = 0x0a;

/** The contents of a file of receipt lines. */
export interface ReceiptFile {
  readonly receipts: readonly Receipt[];
  /** The complete lines that fail their checksum. */
  readonly damagedLines: number;
}

/**
 * Reads a file of receipt lines. An incomplete last line is ignored: its process ended while writing it, before the
 * answer ended. @throws DataDirectoryFault if another version of the program wrote a line; errors of reading the file
 */
export async function readReceiptFile(path: string): Promise<ReceiptFile> {
  const receipts: Receipt[] = [];
  let damagedLines = 0;
  const lines = splitLines(await readFile(path));
  for (const [index, line] of lines.entries()) {
    const decoded = decodeReceiptLine(line);
    if (decoded.kind === 'unknown') throw unknownVersion(path, decoded.version);
    if (decoded.kind === 'receipt') receipts.push(decoded.receipt);
    else if (line.length > 0 && !(index === lines.length - 1 && isTorn(line))) damagedLines += 1;
  }
  return { receipts, damagedLines };
}

/** Whether it is an incomplete line. A complete line with an overwritten newline is longer. */
function isTorn(lastLine: Buffer): boolean {
  return decodeReceiptLine(lastLine.subarray(0, -1)).kind !== 'receipt';
}

function unknownVersion(path: string, version: string): DataDirectoryFault {
  return new DataDirectoryFault(
    `${path} was written by another version of this program (lines of version ${version}; this one reads ${LINE_VERSION}): ` +
      'its charges stay in it, unsettled. Start the version that wrote it once, which settles them; or move the file away ' +
      'to drop these charges',
  );
}

/** Like `split`: the last line is what follows the last newline. */
function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}
