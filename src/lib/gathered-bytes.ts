import type { ByteBudget } from './byte-budget.ts';

/** Where the memory of gathered bytes comes from. */
export type Memory = Pick<ByteBudget, 'take' | 'giveBack'>;

/**
 * Why a piece is rejected.
 * - `too_large`: there would be more bytes than allowed.
 * - `overloaded`: there is no memory for it.
 * - `fragmented`: there are far more pieces than any sender needs.
 */
export type GatherFault = 'too_large' | 'overloaded' | 'fragmented';

/** Pieces of this size are kept; smaller ones are copied into blocks, as each Buffer costs hundreds of bytes more. */
const KEPT_BYTES_MIN = 4_096;
const BLOCK_BYTES_MIN = 4_096;
const BLOCK_BYTES_MAX = 1_048_576;
/** The size of a new block, as a part of the gathered bytes; bounds unused memory. */
const BLOCK_PART = 8;

/** The pieces accepted at any size, plus one per this many bytes. Each piece costs CPU time, however small. */
export const PIECES_FREE = 16_384;
export const BYTES_PER_PIECE = 16;

const EMPTY = Buffer.alloc(0);
const ANY_MEMORY: Memory = { take: () => true, giveBack: () => undefined };

interface Block {
  readonly bytes: Buffer;
  used: number;
  /** Whether the block has this memory for itself. */
  readonly isOwn: boolean;
}

/** Bytes that arrive in pieces of any size, gathered into one Buffer. Reserves as much memory as it really holds. */
export class GatheredBytes {
  readonly bytesMax: number;
  readonly #memory: Memory;
  #blocks: Block[] = [];
  #pieces = 0;
  #length = 0;
  #held = 0;
  #isDropped = false;

  /** `bytesMax`: the most that is gathered. `memory`: unbounded unless it is given. */
  constructor(bytesMax: number, memory: Memory = ANY_MEMORY) {
    this.bytesMax = bytesMax;
    this.#memory = memory;
  }

  /** The number of gathered bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds the next piece; returns a fault, without adding it, if it can't. `left`: the bytes after it, if known. */
  add(piece: Buffer, left = Infinity): GatherFault | null {
    const length = this.#length + piece.length;
    if (length > this.bytesMax) return 'too_large';
    if (this.#isDropped) return 'overloaded';
    if (this.#pieces >= PIECES_FREE + length / BYTES_PER_PIECE) return 'fragmented';
    const last = this.#blocks.at(-1);
    const room = last?.isOwn === true ? last.bytes.length - last.used : 0;
    if (piece.length > room && !this.#extend(piece, room, left)) return 'overloaded';
    if (piece.length <= room) this.#fill(last, piece);
    this.#pieces += 1;
    this.#length = length;
    return null;
  }

  /** All gathered bytes in one piece, which stays charged until they are dropped. Nothing is added after it. */
  whole(): Buffer {
    const [first] = this.#blocks;
    if (first === undefined) return EMPTY;
    if (this.#blocks.length === 1) return first.bytes.subarray(0, first.used);
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const { bytes, used, isOwn } of this.#blocks) {
      bytes.copy(whole, at, 0, used);
      at += used;
      // Freed now: the garbage collector would keep the blocks of many bodies long after they are copied.
      if (isOwn) (bytes.buffer as ArrayBuffer).transfer(0);
    }
    this.#blocks = [{ bytes: whole, used: this.#length, isOwn: false }];
    this.#memory.giveBack(this.#held - this.#length);
    this.#held = this.#length;
    return whole;
  }

  /** Returns all memory. Later pieces are not gathered. */
  drop(): void {
    this.#isDropped = true;
    this.#memory.giveBack(this.#held);
    this.#held = 0;
    this.#length = 0;
    this.#blocks = [];
  }

  #fill(block: Block | undefined, piece: Buffer): void {
    if (block === undefined || piece.length === 0) return;
    piece.copy(block.bytes, block.used);
    block.used += piece.length;
  }

  /** Adds a piece that the last block has no room for: false, and nothing added, if there is no memory for it. */
  #extend(piece: Buffer, room: number, left: number): boolean {
    if (this.#isKept(piece, left)) {
      if (!this.#take(piece.length)) return false;
      this.#blocks.push({ bytes: piece, used: piece.length, isOwn: false });
      return true;
    }
    const grown = Math.min(BLOCK_BYTES_MAX, Math.max(BLOCK_BYTES_MIN, Math.ceil(this.#length / BLOCK_PART)));
    const rest = piece.length - room;
    const size = Math.max(rest, Math.min(grown, rest + left));
    if (!this.#take(size)) return false;
    this.#fill(this.#blocks.at(-1), piece.subarray(0, room));
    const block: Block = { bytes: Buffer.allocUnsafeSlow(size), used: 0, isOwn: true };
    this.#fill(block, piece.subarray(room));
    this.#blocks.push(block);
    return true;
  }

  /** Whether a piece is kept without copying: it is the only one, or it is large and keeps little else in memory. */
  #isKept(piece: Buffer, left: number): boolean {
    if (this.#length === 0 && left === 0) return true;
    return piece.length >= KEPT_BYTES_MIN && 2 * piece.length >= piece.buffer.byteLength;
  }

  #take(bytes: number): boolean {
    if (!this.#memory.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }
}
