// What the program uses of the standard library that Node 24 brought, for Node 22. The entry of each process imports this
// first; on a newer Node it does nothing.

/** As much of the standard class as the program uses. */
export class CleanUpStack implements Pick<AsyncDisposableStack, 'defer' | 'disposeAsync'> {
  readonly #cleanUps: (() => void | PromiseLike<void>)[] = [];

  defer(cleanUp: () => void | PromiseLike<void>): void {
    this.#cleanUps.push(cleanUp);
  }

  /** Runs all of them, the last first. @throws the first failure, after the others have run */
  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    for (const cleanUp of this.#cleanUps.splice(0).toReversed()) {
      try {
        await cleanUp();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** The standard function `Promise.try`. */
export async function tryCall<Parameters extends unknown[], Result>(
  call: (...parameters: Parameters) => Result | PromiseLike<Result>,
  ...parameters: Parameters
): Promise<Awaited<Result>> {
  return await call(...parameters);
}

function supply(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

supply(globalThis, 'AsyncDisposableStack', CleanUpStack);
supply(Promise, 'try', tryCall);
