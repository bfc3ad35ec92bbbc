import { assert } from './assert.ts';

const CELL_BYTES = 8;
const ROWS_PER_BLOCK = 32;

/**
 * A few 64-bit numbers that change often and live long, outside of the heap. A field of an object would point to a new
 * bigint after each change: the young-generation collector scans all changed old objects, and if the next change comes
 * after the next collection, it promotes the number as long-lived.
 */
export class NumberRow {
  readonly #block: DataView;
  readonly #at: number;

  constructor(block: DataView, at: number) {
    this.#block = block;
    this.#at = at;
  }

  bigintAt(cell: number): bigint {
    return this.#block.getBigInt64(this.#at + cell * CELL_BYTES, true);
  }

  setBigint(cell: number, value: bigint): void {
    assert(BigInt.asIntN(64, value) === value, 'a cell holds what a column of the database does');
    this.#block.setBigInt64(this.#at + cell * CELL_BYTES, value, true);
  }

  numberAt(cell: number): number {
    return this.#block.getFloat64(this.#at + cell * CELL_BYTES, true);
  }

  setNumber(cell: number, value: number): void {
    this.#block.setFloat64(this.#at + cell * CELL_BYTES, value, true);
  }
}

/** Makes rows, all zeros. Some neighbours share their memory, which is freed with the last of them. */
export class NumberRows {
  readonly #rowBytes: number;
  #block: DataView;
  #next = 0;

  /** @param cells the number of values in each row */
  constructor(cells: number) {
    this.#rowBytes = cells * CELL_BYTES;
    this.#block = this.#newBlock();
  }

  next(): NumberRow {
    if (this.#next === this.#block.byteLength) {
      this.#block = this.#newBlock();
      this.#next = 0;
    }
    const row = new NumberRow(this.#block, this.#next);
    this.#next += this.#rowBytes;
    return row;
  }

  #newBlock(): DataView {
    return new DataView(new ArrayBuffer(ROWS_PER_BLOCK * this.#rowBytes));
  }
}
