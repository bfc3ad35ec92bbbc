import fc from 'fast-check';
import type { DescribedOperation, DescribedParameter, JsonSchema } from './described-api.ts';

// Requests for an operation, generated from its description: valid ones, and ones with something wrong.

/** A request, without its caller. */
export interface RandomRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Values for path parameters by their name, such as the ids of things that exist. */
export type KnownValues = Readonly<Record<string, string>>;

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '‮right to left',
  '👩‍👩‍👧‍👦'.repeat(30),
  "'; drop table workspaces; --",
  '%00',
  '../..',
  'x'.repeat(3_000),
  'null',
  '9'.repeat(40),
  '1e400',
  '00000000-0000-0000-0000-000000000000',
  '9999-99-99',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01',
];

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, -(2 ** 53), 2 ** 31, 2 ** 63, [], {}, [[]], { a: null }),
  fc.constant('x'.repeat(100_000)),
  fc.constant(Array.from({ length: 2_000 }, () => 'x')),
);

/** Values that the schema allows. */
export function validValues(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, anyOf, oneOf } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = anyOf ?? oneOf;
  if (options !== undefined) return fc.oneof(...options.map(validValues));
  if (Array.isArray(type)) return fc.oneof(...type.map((each: string) => validValues({ ...schema, type: each })));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
    case 'array':
      return fc.array(validValues(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4 + (schema.minItems ?? 0)),
      });
    case 'object':
      return objects(schema);
    case 'string':
      return texts(schema);
    default:
      return fc.jsonValue();
  }
}

function integers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const bounds = { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER };
  return fc.oneof(fc.integer(bounds), fc.constantFrom(bounds.min, bounds.max));
}

function objects({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, validValues(field)]));
  const named = fc.record(fields, { requiredKeys: required as never[] });
  if (typeof additionalProperties !== 'object') return named;
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), validValues(additionalProperties), {
    maxKeys: 3,
  });
  return fc.tuple(others, named).map(([more, own]) => ({ ...more, ...(own as object) }));
}

function texts({ format, pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  if (format === 'uuid') return fc.uuid({ version: [4, 7] });
  if (format === 'date-time') return day.map((date) => date.toISOString());
  if (format === 'date') return day.map((date) => date.toISOString().slice(0, 10));
  if (format === 'email') return fc.emailAddress().map((address) => `a${address.replace(/[^\w.@-]/g, '')}`);
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (pattern !== undefined) return matching(pattern);
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

/** Texts that match the pattern. Assertions and classes of Unicode are what others can't generate: those are sought. */
function matching(pattern: string): fc.Arbitrary<string> {
  const expression = new RegExp(pattern, 'u');
  const isSought = /\\p\{/.test(pattern);
  const source = isSought
    ? fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    : fc.stringMatching(new RegExp(pattern.replace(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, ''), 'u'));
  return source.filter((text) => expression.test(text));
}

/** Requests that the description allows. */
export function validRequests(operation: DescribedOperation, known: KnownValues): fc.Arbitrary<RandomRequest> {
  const { method, parameters, requestBody } = operation;
  const content = requestBody?.content['application/json'];
  const bodies =
    content === undefined ? fc.constant(null) : fc.oneof(fc.constant(content.example), validValues(content.schema));
  const values = fc.record(Object.fromEntries(parameters.map((each) => [key(each), valuesOf(each, known)])));
  return fc.tuple(values, bodies).map(([given, body]) => ({
    method,
    ...placed(operation, given as Record<string, string | undefined>),
    body: body === null ? null : JSON.stringify(body),
  }));
}

/** A header's name can be a query parameter's too. */
const key = (parameter: DescribedParameter): string => `${parameter.in} ${parameter.name}`;

function valuesOf({ name, in: place, required, schema }: DescribedParameter, known: KnownValues) {
  const exact = known[name];
  if (place === 'path' && exact !== undefined) return fc.constant(exact);
  if (name === 'if-match') return fc.constantFrom('*', '0', '"1"', '999');
  const values = validValues(schema).map((value) => String(value));
  return required ? values : fc.option(values, { nil: undefined });
}

function placed(
  { path, parameters, requestBody }: DescribedOperation,
  given: Readonly<Record<string, string | undefined>>,
): Pick<RandomRequest, 'path' | 'headers'> {
  const query = new URLSearchParams();
  const headers: Record<string, string> = requestBody === undefined ? {} : { 'content-type': 'application/json' };
  let filled = path;
  for (const parameter of parameters) {
    const value = given[key(parameter)];
    if (value === undefined) continue;
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === 'query') query.append(parameter.name, value);
    else headers[parameter.name] = value;
  }
  return { path: query.size === 0 ? filled : `${filled}?${query.toString()}`, headers };
}

/** Requests with something wrong: a value, a field too many or too few, an id, the type, the JSON itself. */
export function brokenRequests(operation: DescribedOperation, known: KnownValues): fc.Arbitrary<RandomRequest> {
  const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  const right = validRequests(operation, known);
  const wrong = [brokenQueries(operation, right), brokenTypes(right)];
  if (names.length > 0) wrong.push(brokenIds(operation, known, names));
  if (operation.requestBody !== undefined) wrong.push(brokenBodies(right), brokenBodies(right), brokenBodies(right));
  return fc.oneof(...wrong);
}

function brokenIds(operation: DescribedOperation, known: KnownValues, names: readonly string[]) {
  // An empty segment, or one of dots, is another path.
  const text = oddText.filter((each) => !/^\.*$/.test(each) && each.isWellFormed());
  return fc
    .tuple(fc.constantFrom(...names), fc.oneof(fc.uuid(), text))
    .chain(([name, value]) => validRequests(operation, { ...known, [name]: value }));
}

function brokenQueries({ parameters }: DescribedOperation, right: fc.Arbitrary<RandomRequest>) {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom('unknown', ...names);
  return fc.tuple(right, name, oddText).map(([request, parameter, value]) => {
    const [path = '', query = ''] = request.path.split('?');
    const changed = new URLSearchParams(query);
    changed.set(parameter, value);
    return { ...request, path: `${path}?${changed.toString()}` };
  });
}

function brokenTypes(right: fc.Arbitrary<RandomRequest>) {
  const type = fc.constantFrom(
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'json',
    '',
  );
  const ifMatch = fc.constantFrom('*', '', 'x', '"99"', '-1', '1'.repeat(50));
  return fc.tuple(right, type, ifMatch).map(([request, contentType, version]) => ({
    ...request,
    headers: { ...request.headers, 'content-type': contentType, 'if-match': version },
  }));
}

function brokenBodies(right: fc.Arbitrary<RandomRequest>) {
  const raw = fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"a":1}{',
    `{"__proto__":{"a":1}}`,
    '['.repeat(5_000),
    '\0',
  );
  const edited = fc
    .tuple(right, fc.constantFrom('drop', 'replace', 'add'), fc.nat(), oddValue)
    .map(([request, edit, position, value]) => ({ ...request, body: brokenBody(request.body, edit, position, value) }));
  return fc.oneof(
    { weight: 4, arbitrary: edited },
    { weight: 1, arbitrary: fc.tuple(right, raw).map(([request, body]) => ({ ...request, body })) },
  );
}

function brokenBody(body: string | null, edit: string, position: number, value: unknown): string {
  const fields = Object.entries((JSON.parse(body ?? '{}') ?? {}) as Record<string, unknown>);
  const at = position % Math.max(fields.length, 1);
  const [name = 'name'] = fields[at] ?? [];
  const kept = edit === 'drop' ? fields.toSpliced(at, 1) : fields;
  const changed = Object.fromEntries(kept);
  if (edit === 'replace') changed[name] = value;
  if (edit === 'add') changed['unknown_field'] = value;
  return JSON.stringify(changed);
}
