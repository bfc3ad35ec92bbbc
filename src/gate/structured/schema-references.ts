import { type Dialect, DIALECTS, identifierOf, ignoresBesideReference, isDialect, isSince } from './dialects.ts';
import type { SchemaFault } from './schema-fault.ts';
import { isObject, type JsonObject } from '../openai/json-object.ts';
import { isSchema, subschemasOf } from './schema-keywords.ts';
import { appendPointer, pointerSteps } from './strict-json.ts';

// Resolves references within a schema. Every one must lead to the schema itself: nothing is ever fetched.

/** The base of a schema that names none; nothing is to be found there. */
export const ROOT_URI = 'https://schema.invalid/';

/** A part of the schema with an identifier of its own, and its anchors. */
interface Resource {
  readonly uri: string;
  readonly root: SchemaLocation;
  readonly anchors: Map<string, SchemaLocation>;
}

/** A schema and its position. */
export interface SchemaLocation {
  readonly pointer: string;
  readonly schema: unknown;
}

/** The keywords that refer to a schema, which is applied to the same value. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

type ReferenceKeyword = (typeof REFERENCES)[number];

/** Possible targets of a schema's references. */
export class References {
  readonly #dialect: Dialect;
  readonly #resources = new Map<string, Resource>();
  /** The URIs that more than one schema has. */
  readonly #ambiguous = new Set<string>();
  /** The base URI of each schema that is an object. */
  readonly #bases = new Map<JsonObject, string>();
  /** The target of each followed reference, by the reference's position. */
  readonly #followed = new Map<string, SchemaLocation>();
  /** Whether there are references whose target depends on the path of evaluation. */
  areDynamic = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Learns the identifiers of all schemas in the document; the first fault of one, null if there is none. */
  learn(root: JsonObject): SchemaFault | null {
    return this.#learn({ pointer: '', schema: root }, null);
  }

  /** The targets of this schema's references, or why they can't be followed. */
  follow(from: JsonObject, pointer: string): (SchemaLocation | SchemaFault)[] {
    const keywords = REFERENCES.filter((keyword) => from[keyword] !== undefined && this.#knows(keyword));
    return keywords.map((keyword) => {
      const target = this.#follow(from, pointer, keyword);
      if (keyword === '$ref' && 'schema' in target) this.#followed.set(pointer, target);
      return target;
    });
  }

  /** The target of the `$ref` of the schema at `pointer`; undefined if it was not followed. */
  targetOf(pointer: string): SchemaLocation | undefined {
    return this.#followed.get(pointer);
  }

  /** The targets of references. */
  get targets(): Iterable<SchemaLocation> {
    return this.#followed.values();
  }

  #knows(keyword: ReferenceKeyword): boolean {
    if (keyword === '$recursiveRef') return this.#dialect === '2019-09';
    return keyword === '$ref' || this.#dialect === '2020-12';
  }

  #follow(from: JsonObject, pointer: string, keyword: ReferenceKeyword): SchemaLocation | SchemaFault {
    const reference = from[keyword];
    const at = appendPointer(pointer, keyword);
    if (typeof reference !== 'string') return { pointer: at, message: 'must be a string' };
    const url = parse(reference, this.#bases.get(from) ?? ROOT_URI);
    const resource = url === null ? undefined : this.#resources.get(url.uri);
    if (url === null || resource === undefined) {
      return { pointer: at, message: 'must lead to a place within the schema: nothing is fetched from elsewhere' };
    }
    if (this.#ambiguous.has(url.uri)) return { pointer: at, message: 'leads to a name that more than one schema has' };
    const target = url.fragment.startsWith('/') ? stepInto(resource, url.fragment) : resource.anchors.get(url.fragment);
    if (target === undefined || !isSchema(target.schema)) {
      return { pointer: at, message: 'leads to no schema' };
    }
    // A position that isn't known as a schema becomes one if it is referred to.
    return this.#learn(target, resource) ?? target;
  }

  #learn({ pointer, schema }: SchemaLocation, outer: Resource | null): SchemaFault | null {
    if (!isObject(schema) || this.#bases.has(schema)) return null;
    const resource = this.#resourceOf({ pointer, schema }, outer);
    if ('message' in resource) return resource;
    this.#bases.set(schema, resource.uri);
    for (const keyword of this.#anchorKeywords) {
      const anchor = schema[keyword];
      if (typeof anchor === 'string') resource.anchors.set(anchor, { pointer, schema });
    }
    for (const keyword of ['$dynamicRef', '$recursiveRef'] as const) {
      if (schema[keyword] !== undefined && this.#knows(keyword)) this.areDynamic = true;
    }
    for (const each of subschemasOf(schema, pointer, this.#dialect)) {
      const fault = this.#learn(each, resource);
      if (fault !== null) return fault;
    }
    return null;
  }

  get #anchorKeywords(): readonly string[] {
    if (this.#dialect === '2020-12') return ['$anchor', '$dynamicAnchor'];
    return this.#dialect === '2019-09' ? ['$anchor'] : [];
  }

  /** The resource of the schema: its own if it has an identifier, else the one around it. */
  #resourceOf(located: { pointer: string; schema: JsonObject }, outer: Resource | null): Resource | SchemaFault {
    const { $ref: reference, $schema: dialect } = located.schema;
    const keyword = identifierOf(this.#dialect);
    const id = located.schema[keyword];
    // At the root it does no harm, and generators write it there.
    const isIgnored = outer !== null && reference !== undefined && ignoresBesideReference(this.#dialect);
    const url = typeof id === 'string' && !isIgnored ? parse(id, outer?.uri ?? ROOT_URI) : null;
    if (typeof id === 'string' && !isIgnored && url === null) {
      return { pointer: appendPointer(located.pointer, keyword), message: 'must be a URI' };
    }
    if (url !== null && url.fragment !== '' && outer !== null && !isSince(this.#dialect, '2019-09')) {
      // These dialects have no other way to name an anchor.
      outer.anchors.set(url.fragment, located);
      return outer;
    }
    if (outer !== null && url === null) return outer;
    // In a schema without an address of its own it has no effect.
    if (dialect !== undefined && !isDialect(dialect, this.#dialect)) {
      return { pointer: appendPointer(located.pointer, '$schema'), message: `must be ${DIALECTS[this.#dialect]} here` };
    }
    const uri = url?.uri ?? ROOT_URI;
    if (this.#resources.has(uri)) this.#ambiguous.add(uri);
    const resource = {
      uri,
      root: located,
      anchors: new Map([
        ['', located],
        [url?.fragment ?? '', located],
      ]),
    };
    this.#resources.set(uri, resource);
    return resource;
  }
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

function stepInto(resource: Resource, fragment: string): SchemaLocation | undefined {
  let { schema: value, pointer } = resource.root;
  for (const step of pointerSteps(fragment)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as JsonObject)[step];
    pointer = appendPointer(pointer, step);
  }
  return { pointer, schema: value };
}
