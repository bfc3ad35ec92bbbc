/**
 * The shape of a JSON value: the paths of its leaves with the types of what stands there, and no values, each once and in
 * order. What a tool's parameters or a schema say is the caller's, so it counts as one leaf.
 */
export function shapeOf(value: unknown): readonly string[] {
  return [...new Set(leaves(value, ''))].toSorted();
}

/** Names below which all is the caller's own JSON. */
const OPAQUE = new Set([
  'parameters',
  'schema',
  'input_schema',
  'parametersJsonSchema',
  'responseJsonSchema',
  'args',
  'input',
]);

function* leaves(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* leaves(each, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (OPAQUE.has(name)) yield `${path}.${name}`;
      else yield* leaves(each, `${path}.${name}`);
    }
  } else {
    yield `${path}: ${value === null ? 'null' : typeof value}`;
  }
}
