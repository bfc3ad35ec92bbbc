/** Checked after every step, where a matcher would cost more than the step. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
