/** A bug found at run time: the program contradicts itself. Never thrown for bad input or a failing peer. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

/** Throws an AssertionFailure unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${String(value)}`);
}
