import { DIALECTS, type Dialect, isObject, isSchema, type JsonObject, subschemasOf } from './schema-keywords.ts';
import type { SchemaFault } from './schema-fault.ts';
import { appendPointer, pointerSteps } from './strict-json.ts';

// Where references within a schema lead. Every one must end within the schema itself: nothing is ever fetched.

/** The base of a schema that names none; nothing is to be found there. */
export const ROOT_URI = 'https://schema.invalid/';

/** A part of the schema with an `$id` of its own, and what anchors it has. */
interface Resource {
  readonly uri: string;
  readonly root: Located;
  readonly anchors: Map<string, Located>;
}

/** A schema and where it stands. */
export interface Located {
  readonly pointer: string;
  readonly schema: unknown;
}

/** What a schema's references may lead to. */
export class References {
  readonly #dialect: Dialect;
  readonly #resources = new Map<string, Resource>();
  /** The base URI of each schema that is an object. */
  readonly #bases = new Map<JsonObject, string>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Learns the identifiers of all schemas in the document; the first fault of one, null if there is none. */
  learn(root: JsonObject): SchemaFault | null {
    return this.#learn({ pointer: '', schema: root }, null);
  }

  /** Where the reference of this schema leads, or why it can't be followed. */
  follow(from: JsonObject, pointer: string, keyword: '$ref' | '$dynamicRef'): Located | SchemaFault {
    const reference = from[keyword];
    const at = appendPointer(pointer, keyword);
    if (typeof reference !== 'string') return { pointer: at, message: 'must be a string' };
    const url = parse(reference, this.#bases.get(from) ?? ROOT_URI);
    const resource = url === null ? undefined : this.#resources.get(url.uri);
    if (url === null || resource === undefined) {
      return { pointer: at, message: 'must lead to a place within the schema: nothing is fetched from elsewhere' };
    }
    const target = url.fragment.startsWith('/') ? stepInto(resource, url.fragment) : resource.anchors.get(url.fragment);
    if (target === undefined || !isSchema(target.schema)) {
      return { pointer: at, message: 'leads to no schema' };
    }
    // A place that isn't known for a schema becomes one by being referred to.
    if (isObject(target.schema) && !this.#bases.has(target.schema)) this.#bases.set(target.schema, resource.uri);
    return target;
  }

  #learn({ pointer, schema }: Located, outer: Resource | null): SchemaFault | null {
    if (!isObject(schema) || this.#bases.has(schema)) return null;
    const resource = this.#resourceOf({ pointer, schema }, outer);
    if ('message' in resource) return resource;
    this.#bases.set(schema, resource.uri);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword];
      if (typeof anchor === 'string' && this.#dialect === '2020-12') resource.anchors.set(anchor, { pointer, schema });
    }
    for (const each of subschemasOf(schema, pointer)) {
      const fault = this.#learn(each, resource);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** The resource that the schema belongs to: its own where it has an identifier, else that around it. */
  #resourceOf(located: { pointer: string; schema: JsonObject }, outer: Resource | null): Resource | SchemaFault {
    const { $id: id, $ref: reference, $schema: dialect } = located.schema;
    if (dialect !== undefined && !isDialect(dialect, this.#dialect)) {
      return { pointer: appendPointer(located.pointer, '$schema'), message: `must be ${DIALECTS[this.#dialect]} here` };
    }
    const isIgnored = this.#dialect === 'draft-07' && reference !== undefined;
    const url = typeof id === 'string' && !isIgnored ? parse(id, outer?.uri ?? ROOT_URI) : null;
    if (typeof id === 'string' && !isIgnored && (url === null || url.uri.startsWith('file:'))) {
      return { pointer: appendPointer(located.pointer, '$id'), message: 'must be a URI, and not of a file' };
    }
    if (url !== null && url.fragment !== '' && outer !== null) {
      // Draft 7 has no other way to name an anchor.
      outer.anchors.set(url.fragment, located);
      return outer;
    }
    if (outer !== null && url === null) return outer;
    const uri = url?.uri ?? ROOT_URI;
    if (this.#resources.has(uri)) {
      return { pointer: appendPointer(located.pointer, '$id'), message: 'names a schema that has been named already' };
    }
    const resource = { uri, root: located, anchors: new Map([['', located]]) };
    this.#resources.set(uri, resource);
    return resource;
  }
}

/** Whether `$schema` names this dialect; an empty fragment says nothing. */
export function isDialect(value: unknown, dialect: Dialect): boolean {
  return (
    typeof value === 'string' &&
    value.replace(/#$/, '').replace(/^https?:/, '') === DIALECTS[dialect].replace(/^https?:/, '')
  );
}

function parse(reference: string, base: string): { uri: string; fragment: string } | null {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    return { uri: url.href, fragment };
  } catch {
    return null;
  }
}

function stepInto(resource: Resource, fragment: string): Located | undefined {
  let { schema: value, pointer } = resource.root;
  for (const step of pointerSteps(fragment)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as JsonObject)[step];
    pointer = appendPointer(pointer, step);
  }
  return { pointer, schema: value };
}
