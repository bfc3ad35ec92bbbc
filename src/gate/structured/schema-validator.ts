import { removeUriSchemePlugin } from '@hyperjump/browser';
import '@hyperjump/json-schema/draft-04';
import '@hyperjump/json-schema/draft-06';
import '@hyperjump/json-schema/draft-07';
import '@hyperjump/json-schema/draft-2019-09';
import {
  registerSchema,
  type SchemaFragment,
  type SchemaObject,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
  type OutputUnit,
} from '@hyperjump/json-schema/draft-2020-12';
import {
  BASIC,
  compile,
  type CompiledSchema,
  getSchema,
  interpret,
  setFormatHandler,
} from '@hyperjump/json-schema/experimental';
import '@hyperjump/json-schema/formats';
import { fromJs } from '@hyperjump/json-schema/instance/experimental';
import { compiledAs, type Dialect, DIALECTS } from './dialects.ts';
import type { CheckedSchema } from './schema-check.ts';
import { ROOT_URI } from './schema-references.ts';
import type { SchemaFault } from './schema-fault.ts';

// The third-party validator, set up once for the thread that it runs in. It interprets schemas and generates no code.
// It could fetch the targets of references; this is disabled, whatever gets past the check of references.

for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setShouldValidateFormat(true);
// Formats of 2019-09, with the same meaning in the many schemas that declare an older dialect.
for (const name of ['uuid', 'duration']) {
  setFormatHandler('https://json-schema.org/keyword/draft-07/format', name, `https://json-schema.org/format/${name}`);
}
// The original is held against its meta-schema, not the form in which it is compiled.
setShouldValidateSchema(false);

/** One failure of a value: its position, a JSON pointer, and the keyword. */
export interface Failure {
  readonly pointer: string;
  readonly keyword: string;
}

/** Returns all failures of a value; none if it conforms. */
export type Validate = (value: unknown) => readonly Failure[];

const NO_FAILURES: readonly Failure[] = Object.freeze([]);

/** The keyword of a `false` schema that is below no more specific one. */
const NEVER = 'false';
const SPECIFIC = ['additionalProperties', 'unevaluatedProperties', 'items', 'additionalItems', 'unevaluatedItems'];

let compiledSoFar = 0;

/** Compiles a checked schema, or returns the position of a keyword with a wrong value. */
export async function compileSchema({ schema, standalone, dialect }: CheckedSchema): Promise<Validate | SchemaFault> {
  const errors = failuresByMetaSchema(await metaSchemaOf(dialect), schema);
  if (errors.length > 0) return metaFault(errors);
  const uri = `${ROOT_URI}${++compiledSoFar}`;
  try {
    registerSchema(standalone as SchemaObject, uri, DIALECTS[compiledAs(dialect)]);
    const compiled = await compile(await getSchema(uri));
    return (value) => failuresOf(compiled, value);
  } finally {
    unregisterSchema(uri);
  }
}

const metaSchemas = new Map<Dialect, Promise<CompiledSchema>>();

function metaSchemaOf(dialect: Dialect): Promise<CompiledSchema> {
  const known = metaSchemas.get(dialect) ?? getSchema(DIALECTS[dialect]).then(compile);
  metaSchemas.set(dialect, known);
  return known;
}

/** Formats were checked before, by the gateway's own rules: patterns and references. */
function failuresByMetaSchema(metaSchema: CompiledSchema, schema: unknown): readonly Failure[] {
  setShouldValidateFormat(false);
  try {
    return failuresOf(metaSchema, schema);
  } finally {
    setShouldValidateFormat(true);
  }
}

function failuresOf(compiled: CompiledSchema, value: unknown): readonly Failure[] {
  const instance = fromJs(value as SchemaFragment);
  // Checking that a value conforms takes a third of the time of finding its failures.
  if (interpret(compiled, instance).valid) return NO_FAILURES;
  const output = interpret(compiled, instance, BASIC);
  return output.valid ? NO_FAILURES : (output.errors ?? []).map(failureOf);
}

function failureOf({ absoluteKeywordLocation, instanceLocation, keyword }: OutputUnit): Failure {
  const isBoolean = keyword.endsWith('/evaluation/validate');
  const last = fragmentOf(absoluteKeywordLocation).split('/').at(-1) ?? '';
  return { pointer: fragmentOf(instanceLocation), keyword: isBoolean && !SPECIFIC.includes(last) ? NEVER : last };
}

/** The JSON pointer of a location; that of a member's name, which begins with `*`, becomes the member's. */
function fragmentOf(location: string): string {
  const fragment = location.slice(location.indexOf('#') + 1).replace(/^\*/, '');
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function metaFault(failures: readonly Failure[]): SchemaFault {
  // The innermost failure is the cause: those around it follow from it.
  const [first] = failures.toSorted((one, other) => other.pointer.length - one.pointer.length);
  return { pointer: first?.pointer ?? '', message: 'has a value that JSON Schema does not allow there' };
}
