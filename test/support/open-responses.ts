import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { type Difference, DIFFERENCES, FURTHER_EVENTS } from './open-responses-differences.ts';

// Open Responses, release 2.4, as JSON schemas. What the standard doesn't say of an object is not in it either, but for the
// differences that are listed.

type Schema = Readonly<Record<string, unknown>>;

const STANDARD = JSON.parse(
  readFileSync(new URL('../fixtures/open-responses.schema.json', import.meta.url), 'utf8'),
) as { readonly events: Readonly<Record<string, Schema>>; readonly $defs: Readonly<Record<string, Schema>> };

function closed(definition: Schema): Schema {
  return definition['properties'] === undefined ? definition : { additionalProperties: false, ...definition };
}

function withDifference(defs: Readonly<Record<string, Schema>>, { at, also }: Difference): Record<string, Schema> {
  const [name = '', member] = at.split('.');
  const definition = defs[name];
  if (definition === undefined) throw new Error(`the standard has no definition ${name}`);
  if (member === undefined) return { ...defs, [name]: { anyOf: [definition, also] } };
  // A difference of the definition itself comes before those of its members.
  const members = (definition['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const former = members[member];
  const schema = former === undefined ? also : { anyOf: [former, also] };
  return { ...defs, [name]: { ...definition, properties: { ...members, [member]: schema } } };
}

/** The standard with these differences. */
export class OpenResponses {
  readonly #defs: Readonly<Record<string, Schema>>;
  readonly #validators = new Map<Schema, Validator>();

  constructor(differences: readonly Difference[] = DIFFERENCES) {
    const defs = Object.fromEntries(Object.entries(STANDARD.$defs).map(([name, schema]) => [name, closed(schema)]));
    // Members first: a definition that has alternatives has no members of its own.
    const inOrder = [...differences].toSorted(
      (one, other) => Number(other.at.includes('.')) - Number(one.at.includes('.')),
    );
    this.#defs = inOrder.reduce(withDifference, defs);
  }

  /** What is wrong with an event. */
  eventFaults(event: Schema): readonly string[] {
    const type = String(event['type']);
    const schema = STANDARD.events[type] ?? (FURTHER_EVENTS[type] as Schema | undefined);
    if (schema === undefined) return [`${type} is no event of the standard`];
    return this.#faults(schema, event).map((fault) => `${type} ${fault}`);
  }

  /** What is wrong with a whole response. */
  responseFaults(response: unknown): readonly string[] {
    return this.#faults(RESPONSE, response);
  }

  /** What is wrong with the `error` of an answer that is none. */
  errorFaults(error: unknown): readonly string[] {
    return this.#faults(ERROR, error);
  }

  #faults(schema: Schema, value: unknown): readonly string[] {
    const validator = this.#validators.get(schema) ?? new Validator({ ...schema, $defs: this.#defs }, '2020-12', false);
    this.#validators.set(schema, validator);
    const { errors } = validator.validate(value);
    return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
  }
}

const RESPONSE = { $ref: '#/$defs/ResponseResource' };
const ERROR = { $ref: '#/$defs/ErrorPayload' };

export const OPEN_RESPONSES = new OpenResponses();
