// QR codes by ISO/IEC 18004: bytes of UTF-8 with error correction level M, of the smallest version that holds them.

/** Codewords of error correction in each block, by version. */
const CORRECTION = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];

const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35,
  37, 38, 40, 43, 45, 47, 49,
];

/** The bits of level M in the format's information. */
const LEVEL = 0;

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Modules = boolean[][];

/** The dark modules of the text's code, by row and column, without a margin; none if the text is too long for one. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, index) => bytes.length <= dataBytes(index + 1) - headerBytes(index + 1)) + 1;
  if (version === 0) return [];
  const codewords = interleaved(dataOf(bytes, version), version);
  const codes = MASKS.map((_, mask) => drawn(version, codewords, mask));
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))] ?? [];
}

// Data and error correction ------------------------------------------------------------------------------------------

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

/** Centres of the alignment patterns, on both axes. */
function alignments(version: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Codewords that a code has room for: its modules without those of patterns, format and version. */
function allBytes(version: number): number {
  const size = version * 4 + 17;
  const count = alignments(version).length;
  const alignment = count === 0 ? 0 : (count * count - 3) * 25 - (count - 2) * 10;
  const patterns = 3 * 64 + 2 * (size - 16) + 31 + alignment + (version < 7 ? 0 : 36);
  return (size * size - patterns) >> 3;
}

const dataBytes = (version: number): number =>
  allBytes(version) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1);

/** Of the mode and the length, together with the end that fills the last half byte. */
const headerBytes = (version: number): number => (version < 10 ? 2 : 3);

function dataOf(bytes: Uint8Array, version: number): Uint8Array {
  const data = new Uint8Array(dataBytes(version));
  const header = headerBytes(version);
  const { length } = bytes;
  // The mode is half a byte, so all that follows stands across two.
  const halves = [4, ...(header === 3 ? [length >> 12, length >> 8] : []), length >> 4, length];
  for (const byte of bytes) halves.push(byte >> 4, byte);
  for (const [index, half] of halves.entries()) {
    data[index >> 1] = at(data, index >> 1) | ((half & 15) << (index % 2 === 0 ? 4 : 0));
  }
  for (let index = header + length; index < data.length; index++) {
    data[index] = (index - header - length) % 2 === 0 ? 0xec : 0x11;
  }
  return data;
}

/** Multiplies in GF(256) with the polynomial of QR codes. */
function times(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--)
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((right >> bit) & 1) * left);
  return product;
}

/** The remainder of the block by the generator of Reed and Solomon. */
function correctionOf(block: Uint8Array, length: number): readonly number[] {
  const generator: number[] = Array.from({ length }, (_, index) => (index === length - 1 ? 1 : 0));
  for (let count = 0, root = 1; count < length; count++, root = times(root, 2)) {
    for (let index = 0; index < length; index++) {
      generator[index] = times(at(generator, index), root) ^ at(generator, index + 1);
    }
  }
  const remainder: number[] = Array.from({ length }, () => 0);
  for (const byte of block) {
    const factor = byte ^ (remainder.shift() ?? 0);
    remainder.push(0);
    for (let index = 0; index < length; index++) {
      remainder[index] = at(remainder, index) ^ times(at(generator, index), factor);
    }
  }
  return remainder;
}

/** Takes one codeword of each block in turn: the data's first, then those of error correction. Later blocks may be longer by one. */
function interleaved(data: Uint8Array, version: number): readonly number[] {
  const count = at(BLOCKS, version - 1);
  const corrections = at(CORRECTION, version - 1);
  const short = Math.floor(data.length / count);
  const shorter = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - shorter);
    return data.subarray(start, start + short + (index < shorter ? 0 : 1));
  });
  const corrected = blocks.map((block) => correctionOf(block, corrections));
  const inTurn = (lists: readonly ArrayLike<number>[], length: number): readonly number[] =>
    Array.from({ length }, (_, index) =>
      lists.flatMap((list) => (index < list.length ? [at(list, index)] : [])),
    ).flat();
  return [...inTurn(blocks, short + 1), ...inTurn(corrected, corrections)];
}

// Modules ------------------------------------------------------------------------------------------------------------

/** The value with the remainder by the polynomial behind it, as error correction of a BCH code. */
function withRemainder(value: number, polynomial: number): number {
  const length = 31 - Math.clz32(polynomial);
  let rest = value << length;
  while (31 - Math.clz32(rest) >= length) rest ^= polynomial << (31 - Math.clz32(rest) - length);
  return (value << length) | rest;
}

function drawn(version: number, codewords: readonly number[], mask: number): Modules {
  const size = version * 4 + 17;
  const modules: (boolean | undefined)[][] = Array.from({ length: size }, () => Array.from({ length: size }));
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = modules[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = isDark;
  };
  const square = (left: number, top: number, reach: number, light: readonly number[]): void => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) set(left + x, top + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
    }
  };
  for (let place = 0; place < size; place++) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  const centres = alignments(version);
  const last = centres.at(-1);
  for (const x of centres) {
    for (const y of centres) {
      const isCorner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
      if (!isCorner) square(x, y, 2, [1]);
    }
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, [2, 4]);
  drawFormat(set, size, withRemainder((LEVEL << 3) | mask, 0x537) ^ 0x5412);
  if (version >= 7) drawVersion(set, size, withRemainder(version, 0x1f25));
  drawCodewords(modules, codewords, MASKS[mask] as (typeof MASKS)[number]);
  return modules as Modules;
}

type SetModule = (x: number, y: number, isDark: boolean) => void;

function drawFormat(set: SetModule, size: number, format: number): void {
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    // Once around the first corner, past the lines of timing, and once at the two others.
    const place = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit + (bit === 8 ? 1 : 0);
    if (bit < 8) set(8, place, isDark);
    else set(place, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
}

function drawVersion(set: SetModule, size: number, version: number): void {
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((version >> bit) & 1) === 1;
    const [along, across] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    set(along, across, isDark);
    set(across, along, isDark);
  }
}

/** Fills what patterns have left, two columns at a time, up and down in turn from the right. */
function drawCodewords(
  modules: (boolean | undefined)[][],
  codewords: readonly number[],
  isTurned: (x: number, y: number) => boolean,
): void {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const goesUp = ((size - 1 - right) >> 1) % 2 === 0;
    for (let step = 0; step < size; step++) {
      const y = goesUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = modules[y];
        if (row === undefined || row[x] !== undefined) continue;
        row[x] = ((at(codewords, bit >> 3) >> (7 - (bit & 7))) & 1) === 1 ? !isTurned(x, y) : isTurned(x, y);
        bit++;
      }
    }
  }
}

/** How hard the code is to read: long runs, blocks of one colour, what looks like a corner, and too many of one colour. */
function penaltyOf(modules: Modules): number {
  const size = modules.length;
  const rows = modules.map((row) => row.map(Number).join(''));
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    for (const _ of line.matchAll(/(?=10111010000|00001011101)/g)) penalty += 40;
  }
  for (let y = 1; y < size; y++) {
    const [above, here] = [rows[y - 1] ?? '', rows[y] ?? ''];
    for (let x = 1; x < size; x++) {
      const colour = here[x];
      if (colour === here[x - 1] && colour === above[x] && colour === above[x - 1]) penalty += 3;
    }
  }
  const dark = rows.join('').replaceAll('0', '').length;
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / size / size - 10));
}
