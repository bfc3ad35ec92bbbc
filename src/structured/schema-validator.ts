import { removeUriSchemePlugin } from '@hyperjump/browser';
import '@hyperjump/json-schema/draft-07';
import {
  InvalidSchemaError,
  registerSchema,
  type SchemaFragment,
  type SchemaObject,
  setMetaSchemaOutputFormat,
  setShouldValidateFormat,
  unregisterSchema,
  type OutputUnit,
} from '@hyperjump/json-schema/draft-2020-12';
import { BASIC, compile, getSchema, interpret } from '@hyperjump/json-schema/experimental';
import '@hyperjump/json-schema/formats';
import { fromJs } from '@hyperjump/json-schema/instance/experimental';
import { type Dialect, DIALECTS, type JsonObject } from './schema-keywords.ts';
import { ROOT_URI } from './schema-references.ts';
import type { SchemaFault } from './schema-fault.ts';

// The validator that is borrowed, set up once for the thread that it runs in. It interprets schemas and makes no code of
// them. It could fetch what a reference leads to; here it can't, whatever gets past the check of references.

for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setShouldValidateFormat(true);
setMetaSchemaOutputFormat(BASIC);

/** One thing in which a value doesn't conform: where in the value, a JSON pointer, and by which keyword. */
export interface Failure {
  readonly pointer: string;
  readonly keyword: string;
}

/** Answers with all failures of a value, none where it conforms. */
export type Validate = (value: unknown) => readonly Failure[];

const NO_FAILURES: readonly Failure[] = Object.freeze([]);

/** The keyword of a schema that is `false` and stands below none that tells more. */
const NEVER = 'false';
const TELLING = ['additionalProperties', 'unevaluatedProperties', 'items', 'additionalItems', 'unevaluatedItems'];

let compiledSoFar = 0;

/** Makes a validator of a schema that has been checked, or finds out where its keywords have wrong values. */
export async function compileSchema(schema: JsonObject | boolean, dialect: Dialect): Promise<Validate | SchemaFault> {
  const uri = `${ROOT_URI}${++compiledSoFar}`;
  try {
    registerSchema(schema as SchemaObject | boolean, uri, DIALECTS[dialect]);
    const compiled = await compile(await getSchema(uri));
    return (value) => {
      const instance = fromJs(value as SchemaFragment);
      // Finding out that a value conforms takes a third of what finding out why not does.
      if (interpret(compiled, instance).valid) return NO_FAILURES;
      const output = interpret(compiled, instance, BASIC);
      return output.valid ? NO_FAILURES : (output.errors ?? []).map(failureOf);
    };
  } catch (error) {
    if (error instanceof InvalidSchemaError && !error.output.valid) return metaFault(error.output.errors ?? []);
    throw error;
  } finally {
    unregisterSchema(uri);
  }
}

function failureOf({ absoluteKeywordLocation, instanceLocation, keyword }: OutputUnit): Failure {
  const isBoolean = keyword.endsWith('/evaluation/validate');
  const last = fragmentOf(absoluteKeywordLocation).split('/').at(-1) ?? '';
  return { pointer: fragmentOf(instanceLocation), keyword: isBoolean && !TELLING.includes(last) ? NEVER : last };
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

function metaFault(errors: readonly OutputUnit[]): SchemaFault {
  // The innermost place tells most: those around it fail for its sake.
  const [first] = errors.map(failureOf).toSorted((one, other) => other.pointer.length - one.pointer.length);
  return { pointer: first?.pointer ?? '', message: 'has a value that JSON Schema does not allow there' };
}
