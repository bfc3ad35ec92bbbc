import type { DescribedOperation, JsonSchema } from './described-api.ts';

// Answers of the admin API made of their descriptions, for tests of what is shown of them. No two values of an answer are the
// same, as far as their schemas allow it, so that one that is shown in another's place is seen.

const NOW_MS = Date.UTC(2026, 2, 17, 14, 25);
const STEP_MS = 7 * 60_000;
const ITEMS_MIN = 2;
const ITEMS_MAX = 6;

/** The moment at which these answers are given. */
export const ANSWERED_MS = NOW_MS;

/**
 * `full`: every list has items, and each optional value is there in one of them at least; `bare`: no list has, and none is; `zero`:
 * as full, but all figures are 0, or 1 in the second item of a list and each other one after it.
 */
export type Fullness = 'full' | 'bare' | 'zero';

export interface ExampleChoice {
  readonly fullness: Fullness;
  /** With one, the answer is the last page of a list. */
  readonly cursor: string | null;
  /** Which of several examples of one thing: they differ in their words, flags, and in what is null. */
  readonly item?: number | undefined;
}

/** An answer of the operation. */
export function exampleAnswer(
  { operationId, responses }: DescribedOperation,
  { fullness, cursor, item = 0 }: ExampleChoice,
): unknown {
  const [, described] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = described?.content?.['application/json']?.schema;
  if (schema === undefined) return {};
  const answer = new Example(fullness).valueOf(
    schema,
    `${operationId}${cursor === null ? '' : '.last'}`,
    item,
  ) as object;
  return cursor === null ? answer : { ...answer, next_cursor: null };
}

/** The text at a place of an answer, such as "showOffer.providers.0.name". */
export function exampleText(place: string): string {
  return `${place.split('.').at(-1)} ${numberOf(place)}`;
}

/** The UUID at a place of an answer, such as "listKeys.data.0.id". */
export function exampleId(place: string): string {
  return `0199a9a2-0000-7000-8000-${numberOf(place).toString().padStart(12, '0')}`;
}

class Example {
  readonly #fullness: Fullness;

  constructor(fullness: Fullness) {
    this.#fullness = fullness;
  }

  /** A value for what stands at this place, such as "listKeys.data.1.name"; `item` numbers the items of the list around it. */
  valueOf(schema: JsonSchema, place: string, item: number): unknown {
    const { type, anyOf, oneOf, enum: words } = schema;
    if ('const' in schema) return schema.const;
    if (words !== undefined) return this.#word(words, item);
    const options =
      anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each: string) => ({ ...schema, type: each })) : null);
    if (options !== null) return this.#ofOptions(options, place, item);
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return item % 2 === 0;
      case 'integer':
      case 'number':
        return this.#fullness === 'zero' ? Math.max(schema.minimum ?? 0, item % 2) : numberAt(schema, place);
      case 'array':
        return this.#list(schema, place);
      case 'object':
        return this.#object(schema, place, item);
      default:
        return (this.#fullness === 'zero' ? figureAt(place, item) : null) ?? textAt(schema, place);
    }
  }

  #word(words: readonly unknown[], item: number): unknown {
    const given = this.#fullness !== 'bare' ? words.filter((word) => word !== null) : words;
    return given[item % given.length];
  }

  #ofOptions(options: readonly JsonSchema[], place: string, item: number): unknown {
    const given = options.filter(({ type }) => type !== 'null');
    const canBeNull = given.length < options.length;
    if (canBeNull && (this.#fullness === 'bare' || item % ITEMS_MAX === 1)) return null;
    return this.valueOf(given[item % given.length] ?? {}, place, item);
  }

  #list({ items = {}, minItems = 0 }: JsonSchema, place: string): readonly unknown[] {
    const count = this.#fullness === 'bare' ? minItems : Math.max(minItems, itemsOf(items));
    return Array.from({ length: count }, (_, item) => this.valueOf(items, `${place}.${item}`, item));
  }

  #object({ properties = {}, additionalProperties }: JsonSchema, place: string, item: number): unknown {
    const fields = Object.entries(properties);
    if (typeof additionalProperties === 'object' && this.#fullness !== 'bare') {
      fields.push(['one', additionalProperties], ['other', additionalProperties]);
    }
    return Object.fromEntries(
      fields.map(([name, schema]) => [name, this.valueOf(schema, `${place}.${name}`, item)]),
    ) as unknown;
  }
}

/** A number from 1000 on that belongs to a place alone, as far as there are enough. */
function numberOf(place: string): number {
  let hash = 0x811c9dc5;
  for (const character of place) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return 1000 + (hash % 99_000);
}

function numberAt({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema, place: string): number {
  return minimum + (numberOf(place) % (maximum - minimum + 1));
}

/** The text of a figure that is 0 or 1; null for what is none. The 1 of an amount is a cent. */
function figureAt(place: string, item: number): string | null {
  const one = item % 2 === 1;
  if (place.endsWith('_nano_usd')) return one ? '10000000' : '0';
  if (place.endsWith('_usd')) return one ? '0.01' : '0';
  return place.endsWith('percent') ? `${item % 2}` : null;
}

function textAt({ format, pattern }: JsonSchema, place: string): string {
  const name = place.split('.').findLast((part) => !/^\d+$/.test(part)) ?? place;
  const number = numberOf(place);
  const at = new Date(NOW_MS - number * STEP_MS).toISOString();
  if (format === 'uuid') return exampleId(place);
  if (format === 'date-time') return at;
  if (format === 'date') return at.slice(0, 10);
  if (format === 'email') return `${name}-${number}@example.com`;
  if (format === 'uri') return `https://${name.replaceAll('_', '-')}-${number}.example.com/`;
  // An amount is the same in both units.
  if (name.endsWith('_nano_usd')) return `${numberOf(place.replace(/_nano_usd$/, ''))}0000000`;
  if (name.endsWith('_usd')) return (numberOf(place.replace(/_usd$/, '')) / 100).toFixed(2);
  if (name.endsWith('percent')) return `${number % 100}`;
  const texts = [`${name.replaceAll('_', ' ')} ${number}`, `${number}`, at.slice(0, 10), at.slice(0, 7)];
  return texts.find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text)) ?? `${number}`;
}

/** As many as show each word that a field of them can be. */
function itemsOf({ properties = {} }: JsonSchema): number {
  const choices = Object.values(properties).map(({ enum: words = [], anyOf = [], oneOf = [] }) =>
    Math.max(words.length, ...[...anyOf, ...oneOf].map((each) => each.enum?.length ?? 0)),
  );
  return Math.min(ITEMS_MAX, Math.max(ITEMS_MIN, ...choices));
}
