import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anyDamage, damageOf } from '../../../test/support/any-receipts.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import { DataDirectoryFault } from './data-directory-files.ts';
import { readReceiptFile } from './receipt-file.ts';
import { encodeReceiptLine } from './receipt-line.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'faregate-receipts-'));
  path = join(directory, 'file');
});
afterEach(() => rm(directory, { recursive: true }));

const receipts = [
  receiptWith({ model: '\u{fffd}ü', clientRequestId: 'a\nb' }),
  receiptWith(),
  receiptWith({ charge: 1_000_000n }),
];
function nullIfRefused(fault: unknown): null {
  if (!(fault instanceof DataDirectoryFault)) throw fault;
  return null;
}

const file = Buffer.from(receipts.map(encodeReceiptLine).join(''));

test('one byte that is changed, lost or added anywhere alters no charge, and takes none away unnoticed', async () => {
  await fc.assert(
    fc.asyncProperty(anyDamage, async (damage) => {
      await writeFile(path, damageOf(file, damage));
      const read = await readReceiptFile(path).catch(nullIfRefused);
      // Damage may be to a version's number: then the file is refused as a whole.
      if (read === null) return;
      for (const receipt of read.receipts) expect(receipts).toContainEqual(receipt);
      const isWhole = read.receipts.length === receipts.length;
      // A newline between two lines, or what is no line behind the last one, takes nothing away.
      expect(isWhole || read.damagedLines > 0).toBe(true);
    }),
    { numRuns: 1_000, examples: [[{ at: file.length - 1, kind: 'changed', byte: 120 }]] },
  );
});

test('the torn last line of a process that has ended is not counted as damage, wherever it is torn', async () => {
  const last = encodeReceiptLine(receiptWith());
  for (let length = 0; length < last.length - 1; length += 7) {
    await writeFile(path, Buffer.concat([file, Buffer.from(last.slice(0, length))]));
    expect(await readReceiptFile(path)).toEqual({ receipts, damagedLines: 0 });
  }
});

test.each([
  ['among others', (line: string) => Buffer.concat([file, Buffer.from(line), file])],
  ['at the end, torn', (line: string) => Buffer.concat([file, Buffer.from(line.slice(0, 20))])],
])('a line of a version that is not known, %s, has the file refused, with what to do', async (_where, contentWith) => {
  await writeFile(path, contentWith('[99,"5f3759df",{"requestId":"r","fee":"7"}]\n'));
  const refusal = readReceiptFile(path);
  await expect(refusal).rejects.toThrow(DataDirectoryFault);
  await expect(refusal).rejects.toThrow(/file was written by another version.*lines of version 99.*Start the version/);
});

test('a line of the first version, which had neither number nor checksum, has the file refused too', async () => {
  await writeFile(path, Buffer.concat([Buffer.from('{"requestId":"r"}\n'), file]));
  await expect(readReceiptFile(path)).rejects.toThrow(/lines of version 1; this one reads 3/);
});
