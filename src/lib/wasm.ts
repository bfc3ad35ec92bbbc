// Writes a WebAssembly function in TypeScript and compiles it, for loops that sixteen bytes at a time make worth it. Code is
// nested calls, operands inside; there are the instructions that are used, under the names that WebAssembly gives them.

/** Encoded instructions. */
export type Code = readonly number[];

const TYPES = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;
export type ValueType = keyof typeof TYPES;

const NOTHING = 0x40;
const LOOP = 0x03;
const IF = 0x04;
const BRANCH = 0x0c;
const END = 0x0b;
const UNREACHABLE = 0x00;
const SIMD = 0xfd;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = Number(value & 0x7fn);
    value >>= 7n;
    if (value === (low < 0x40 ? 0n : -1n)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

function instruction(...opcode: number[]): (...operands: Code[]) => Code {
  return (...operands) => [...operands.flat(), ...opcode];
}

function simd(opcode: number): (...operands: Code[]) => Code {
  return instruction(SIMD, ...unsigned(opcode));
}

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(BigInt(value))],
  /** The byte at an address and an offset. */
  load8: (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)],
  eqz: instruction(0x45),
  eq: instruction(0x46),
  add: instruction(0x6a),
  sub: instruction(0x6b),
  and: instruction(0x71),
  or: instruction(0x72),
  wrap: instruction(0xa7),
};

export const i64 = {
  const: (value: bigint): Code => [0x42, ...signed(value)],
  ne: instruction(0x52),
  ltU: instruction(0x54),
  ctz: instruction(0x7a),
  add: instruction(0x7c),
  sub: instruction(0x7d),
  and: instruction(0x83),
  or: instruction(0x84),
  xor: instruction(0x85),
  shl: instruction(0x86),
  shrU: instruction(0x88),
  extend: instruction(0xad),
};

/** Sixteen bytes, processed separately. */
export const v128 = {
  const: (bytes: readonly number[]): Code => [SIMD, 0x0c, ...bytes],
  /** The same byte sixteen times. */
  splat: (byte: number): Code => v128.const(Array.from({ length: 16 }, () => byte)),
  load: (address: Code, offset: number): Code => [...address, SIMD, 0, 0, ...unsigned(offset)],
  swizzle: simd(0x0e),
  eq: simd(0x23),
  and: simd(0x4e),
  or: simd(0x50),
  anyTrue: simd(0x53),
  bitmask: simd(0x64),
  shrU: simd(0x6d),
  minU: simd(0x77),
};

/** A variable: the first is the function's parameter, the others are zero at first. */
export interface Variable {
  readonly get: Code;
  readonly set: (value: Code) => Code;
}

/** Declares variables, in the same order as the types passed to `compile`. */
export function variables<Name extends string>(types: Readonly<Record<Name, ValueType>>): Record<Name, Variable> {
  const names = Object.keys(types) as Name[];
  const declared = names.map((name, index): [Name, Variable] => {
    const place = unsigned(index);
    return [name, { get: [0x20, ...place], set: (value) => [...value, 0x21, ...place] }];
  });
  return Object.fromEntries(declared) as Record<Name, Variable>;
}

export function when(condition: Code, ...body: Code[]): Code {
  return [...condition, IF, NOTHING, ...body.flat(), END];
}

export function repeatWhile(condition: Code, ...body: Code[]): Code {
  const again = [BRANCH, 1];
  return [LOOP, NOTHING, ...when(condition, ...body, again), END];
}

/** Repeats until the function returns. */
export function repeat(...body: Code[]): Code {
  return [LOOP, NOTHING, ...body.flat(), BRANCH, 0, END];
}

/** Returns from the function. */
export function answer(value: Code): Code {
  return [...value, 0x0f];
}

// Node's types don't include WebAssembly.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** A compiled function, and the memory that its addresses mean, which doesn't grow. */
export interface WasmFunction {
  readonly run: (parameter: number) => number;
  readonly memory: Buffer;
}

/**
 * Compiles a function that returns an i32, with a memory of this many pages of 64 KiB. Its parameter is the first of
 * the variables, an i32.
 */
export function compile(
  types: Readonly<Record<string, ValueType>>,
  body: readonly Code[],
  pages: number,
): WasmFunction {
  const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
  const section = (id: number, ...content: number[]): Code => [id, ...sized(content)];
  const name = (text: string): Code => sized([...Buffer.from(text)]);
  const locals = Object.values(types)
    .slice(1)
    .flatMap((type) => [1, TYPES[type]]);
  const code = [...unsigned(locals.length / 2), ...locals, ...body.flat(), UNREACHABLE, END];
  const module = [
    ...Buffer.from('\0asm\x01\0\0\0'),
    ...section(1, 1, 0x60, 1, TYPES.i32, 1, TYPES.i32),
    ...section(3, 1, 0),
    ...section(5, 1, 1, ...unsigned(pages), ...unsigned(pages)),
    ...section(7, 2, ...name('run'), 0, 0, ...name('memory'), 2, 0),
    ...section(10, 1, ...sized(code)),
  ];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(module)));
  const { run, memory } = exports as { run: WasmFunction['run']; memory: { buffer: ArrayBuffer } };
  return { run, memory: Buffer.from(memory.buffer) };
}
