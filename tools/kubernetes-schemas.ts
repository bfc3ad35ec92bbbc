import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

// JSON Schemas as kubeconform reads them, out of the API that Kubernetes and an operator's resource describe. What they don't
// name is refused, as an API server does with `kubectl apply --validate=strict`.

type Schema = { readonly [key: string]: unknown };

const REFERENCE = '#/definitions/';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const NUMBER_OR_TEXT = { type: ['string', 'integer', 'number'] };

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same, where unnamed members are mistakes, and what may be a number or a text may be both. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (!isSchema(value)) return value;
  if (value['format'] === 'int-or-string' || value['x-kubernetes-int-or-string'] === true) return NUMBER_OR_TEXT;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, strict(member)]));
  const isClosed = 'properties' in value && !('additionalProperties' in value);
  return isClosed && value['x-kubernetes-preserve-unknown-fields'] !== true
    ? { ...copy, additionalProperties: false }
    : copy;
}

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const member of value) yield* referencesIn(member);
  if (!isSchema(value)) return;
  const reference = value['$ref'];
  if (typeof reference === 'string') yield reference.slice(REFERENCE.length);
  for (const member of Object.values(value)) yield* referencesIn(member);
}

interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function write(directory: string, { group, version, kind }: ResourceKind, schema: object): void {
  // To kubeconform the group of what Kubernetes has always had is its version.
  const name = `${kind.toLowerCase()}_${group === '' ? version : group}_${version}.json`;
  writeFileSync(join(directory, name), JSON.stringify(schema));
}

/** The place of a resource's schema, as kubeconform's flag names it. */
export const SCHEMA_LOCATION = '{{ .ResourceKind }}_{{ .Group }}_{{ .ResourceAPIVersion }}.json';

/** Writes a schema for each kind of the API's description (OpenAPI 2, in JSON). */
export function writeApiSchemas(description: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const { definitions } = JSON.parse(description) as { readonly definitions: Readonly<Record<string, Schema>> };
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as readonly ResourceKind[];
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) continue;
    const reached = new Set([name]);
    for (const each of reached) for (const next of referencesIn(definitions[each])) reached.add(next);
    const needed = [...reached].map((each) => [each, each === QUANTITY ? NUMBER_OR_TEXT : strict(definitions[each])]);
    write(directory, kind, { $ref: REFERENCE + name, definitions: Object.fromEntries(needed) as object });
  }
}

/** Writes the schemas of a CustomResourceDefinition, in YAML. */
export function writeResourceSchemas(definition: string, directory: string): void {
  const { spec } = parse(definition) as {
    readonly spec: {
      readonly group: string;
      readonly names: { readonly kind: string };
      readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: object } }[];
    };
  };
  for (const { name, schema } of spec.versions) {
    const kind = { group: spec.group, version: name, kind: spec.names.kind };
    const { properties, ...rest } = schema.openAPIV3Schema as { readonly properties: object };
    // Its metadata is that of all resources.
    write(directory, kind, strict({ ...rest, properties: { ...properties, metadata: { type: 'object' } } }) as object);
  }
}
