/** A value that is often there already: going on with it then costs no turn of the event loop, and no promise. */
export type MaybeAsync<Value> = Value | Promise<Value>;

/** Continues with the value: synchronously if it is available, else once its promise resolves. */
export function andThen<Value, Result>(
  value: MaybeAsync<Value>,
  work: (value: Value) => MaybeAsync<Result>,
): MaybeAsync<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}
