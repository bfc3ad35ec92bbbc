/** How long a slice computes before other work runs; milliseconds. */
const SLICE_MS = 4;

/** Runs work that may be long in slices of a few milliseconds, with turns of the event loop in between. */
export class Slices {
  #sinceMs = performance.now();

  /** Whether this slice has computed for long enough. */
  get isOver(): boolean {
    return performance.now() - this.#sinceMs >= SLICE_MS;
  }

  /** Ends the slice: resolves once the next begins. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#sinceMs = performance.now();
  }
}

/** Maps a list that may be long, in slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  slices = new Slices(),
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    if (slices.isOver) await slices.next();
  }
  return results;
}

/** A value whose lists may be iterables, with items that are made while they are written as JSON. */
export type Lazy<Value> = Value extends readonly (infer Item)[]
  ? Iterable<Lazy<Item>>
  : Value extends object
    ? { readonly [Name in keyof Value]: Lazy<Value[Name]> }
    : Value;

/** A list whose items are made during iteration, so that only one of them exists at a time. */
export function lazily<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Iterable<Result> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield map(item);
    },
  };
}

/** The JSON of a value that may be long, written in slices. */
export async function jsonInSlices(value: Lazy<unknown>, slices = new Slices()): Promise<string> {
  const written: string[] = [];
  for (const piece of jsonPieces(value)) {
    written.push(piece);
    if (slices.isOver) await slices.next();
  }
  return written.join('');
}

/** Lists are written item by item, at any depth; other values without long lists are one piece. */
function* jsonPieces(value: unknown): Generator<string> {
  if (isList(value)) {
    yield* joined(
      '[',
      lazily(value, (item) => ['', item] as const),
      ']',
    );
  } else if (holdsList(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    yield* joined(
      '{',
      members.map(([name, member]) => [`${JSON.stringify(name)}:`, member] as const),
      '}',
    );
  } else yield JSON.stringify(value) ?? 'null';
}

function* joined(start: string, members: Iterable<readonly [string, unknown]>, end: string): Generator<string> {
  yield start;
  let separator = '';
  for (const [before, member] of members) {
    yield separator + before;
    yield* jsonPieces(member);
    separator = ',';
  }
  yield end;
}

/** Whether it is an object with a long list, directly or below. */
function holdsList(value: unknown): value is object {
  if (!isObject(value) || 'toJSON' in value) return false;
  return Object.values(value).some((member) => (isList(member) ? isLong(member) : holdsList(member)));
}

/** Whether a list has items that are more than a word. */
function isLong(list: Iterable<unknown>): boolean {
  return !Array.isArray(list) || list.some(isObject);
}

function isList(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
