/** How long a slice computes before whatever else has come goes first; milliseconds. */
const SLICE_MS = 4;

/** Work that may be long, in slices of a few milliseconds, between which the event loop goes on. */
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

/** The JSON of a value that may be long, written in slices. */
export async function jsonInSlices(value: unknown, slices = new Slices()): Promise<string> {
  const written: string[] = [];
  for (const piece of jsonPieces(value)) {
    written.push(piece);
    if (slices.isOver) await slices.next();
  }
  return written.join('');
}

/** Lists are written item by item, wherever they stand; whatever has none in it is one piece. */
function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* joined(
      '[',
      value.map((item: unknown) => ['', item] as const),
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

function* joined(start: string, members: readonly (readonly [string, unknown])[], end: string): Generator<string> {
  yield start;
  for (const [index, [before, member]] of members.entries()) {
    yield index === 0 ? before : `,${before}`;
    yield* jsonPieces(member);
  }
  yield end;
}

/** Whether it is an object of which a member is a list with items, or has one. */
function holdsList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  return Object.values(value).some((member) => (Array.isArray(member) ? member.some(isObject) : holdsList(member)));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
