import { JsonView } from '../json-view.ts';

// Arguments of a call that arrive in pieces, each with the JSON path (RFC 9535) of its position. They are combined
// first and written as a whole, because the positions need not be in document order.

type Step = string | number;
/** A container that grows; objects are Maps, so that no key has a special meaning. */
type Node = Map<string, Node> | Node[] | { text: string } | JsonView | null;

/** More than any call's arguments have. */
const BYTES_MAX = 16 * 2 ** 20;
const STEPS_MAX = 128;

const STEP = /\.([^.[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Signals a piece that fits nowhere. */
class MisplacedPiece extends Error {}

export class PartialArgs {
  readonly #root = new Map<string, Node>();
  #bytes = 0;

  /** Adds the pieces of one event. False if one fits nowhere, or they are too large: the call can't be read. */
  add(pieces: readonly JsonView[]): boolean {
    try {
      for (const piece of pieces) this.#put(piece);
      return true;
    } catch (error) {
      if (error instanceof MisplacedPiece) return false;
      throw error;
    }
  }

  /** The arguments so far, as JSON. */
  json(): string {
    return jsonOf(this.#root);
  }

  #put(piece: JsonView): void {
    this.#bytes += piece.bytes.length;
    if (this.#bytes > BYTES_MAX) throw new MisplacedPiece();
    const steps = stepsOf(piece.get('jsonPath')?.text() ?? '');
    const last = steps.pop();
    if (last === undefined) throw new MisplacedPiece();
    let place: Node = this.#root;
    for (const [index, step] of steps.entries()) {
      place =
        childAt(place, step) ?? setChild(place, step, typeof (steps[index + 1] ?? last) === 'number' ? [] : new Map());
    }
    const text = piece.get('stringValue')?.text();
    const present = childAt(place, last);
    if (typeof text === 'string' && isText(present)) present.text += text;
    else setChild(place, last, typeof text === 'string' ? { text } : scalarOf(piece));
  }
}

function jsonOf(node: Node): string {
  if (node === null) return 'null';
  if (Array.isArray(node)) return `[${node.map(jsonOf).join(',')}]`;
  if (node instanceof Map) {
    return `{${[...node].map(([key, child]) => `${JSON.stringify(key)}:${jsonOf(child)}`).join(',')}}`;
  }
  return node instanceof JsonView ? node.bytes.toString() : JSON.stringify(node.text);
}

function scalarOf(piece: JsonView): JsonView | null {
  return piece.get('numberValue') ?? piece.get('boolValue') ?? null;
}

function isText(node: Node | undefined): node is { text: string } {
  return (
    node !== null && node !== undefined && !(node instanceof Map || node instanceof JsonView || Array.isArray(node))
  );
}

function childAt(place: Node, step: Step): Node | undefined {
  if (place instanceof Map && typeof step === 'string') return place.get(step);
  if (Array.isArray(place) && typeof step === 'number') return place[step];
  throw new MisplacedPiece();
}

function setChild(place: Node, step: Step, child: Node): Node {
  if (place instanceof Map && typeof step === 'string') place.set(step, child);
  // An array grows by one: a position far beyond its end would create a huge array of nothing.
  else if (Array.isArray(place) && typeof step === 'number' && step <= place.length) place[step] = child;
  else throw new MisplacedPiece();
  return child;
}

/** The steps of a path that leads to one place. */
function stepsOf(path: string): Step[] {
  if (!path.startsWith('$')) throw new MisplacedPiece();
  const steps: Step[] = [];
  for (STEP.lastIndex = 1; STEP.lastIndex < path.length;) {
    const match = STEP.exec(path);
    if (match === null || steps.length === STEPS_MAX) throw new MisplacedPiece();
    const [, name, index, single, double] = match;
    steps.push(index === undefined ? (name ?? (single ?? double ?? '').replaceAll(/\\(.)/g, '$1')) : Number(index));
  }
  return steps;
}
