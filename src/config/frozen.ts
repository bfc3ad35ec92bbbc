/** The same value, which nobody can change any more, nor anything in it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}
