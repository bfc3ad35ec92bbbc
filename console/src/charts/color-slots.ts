// Which of the eight colours an id has. No rule that looks at one id alone gives two ids different colours, so this browser
// remembers what it has given. While no more than eight ids of a kind are known, none of them ever changes.

export const COLORS = 8;

const KEY = 'faregate.colors';
/** Of each kind, those that were given last. */
const KEPT_MAX = 200;

/** The slots of a kind's ids, by hash, so that no names are stored; from the one that was given first on. */
type Given = readonly (readonly [hash: number, slot: number])[];
type Memory = Readonly<Record<string, Given>>;

/** FNV-1a: cheap, and well spread over short ids. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

/** What is remembered; nothing if it is unreadable. */
function recall(): Memory {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.values(found as Record<string, unknown>).every(isGiven) ? (found as Memory) : {};
  } catch {
    return {};
  }
}

function isGiven(value: unknown): value is Given {
  return (
    Array.isArray(value) &&
    value.every((pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(Number.isInteger))
  );
}

/**
 * The slots of the ids of one chart, each with a slot of its own; those for which none is left have none. An id has the one
 * that it had before, unless an id in front of it has the same one. Another takes the free one that fewest ids have, at best
 * that which its hash names, so that most people see the same.
 */
export function slotsOf(ids: readonly string[], kind: string): ReadonlyMap<string, number> {
  const memory = recall();
  const given = new Map(memory[kind]);
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  const take = (id: string, slot: number): void => {
    slots.set(id, slot);
    taken.add(slot);
  };
  for (const id of ids) {
    const slot = given.get(hash(id));
    if (slot !== undefined && !taken.has(slot)) take(id, slot);
  }
  const later = ids.filter((id) => !slots.has(id)).slice(0, COLORS - slots.size);
  for (const id of later) {
    const slot = freeSlot(hash(id), [...given.values()], taken);
    take(id, slot);
    given.delete(hash(id));
    given.set(hash(id), slot);
  }
  if (later.length > 0) {
    localStorage.setItem(KEY, JSON.stringify({ ...memory, [kind]: [...given].slice(-KEPT_MAX) } satisfies Memory));
  }
  return slots;
}

function freeSlot(first: number, used: readonly number[], taken: ReadonlySet<number>): number {
  const inTurn = Array.from({ length: COLORS }, (_, index) => (first + index) % COLORS);
  const uses = (slot: number): number => used.filter((each) => each === slot).length;
  const free = inTurn.filter((slot) => !taken.has(slot));
  return free.reduce((best, slot) => (uses(slot) < uses(best) ? slot : best));
}
