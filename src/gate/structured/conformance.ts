import { readingsOf } from './readings.ts';
import type { CheckedSchema } from './schema-check.ts';
import type { Failure, Validate } from './schema-validator.ts';
import { appendPointer, type LargeInteger, pointerSteps, readStrictJson } from './strict-json.ts';

// Validates a model's text by its caller's schema.

/** The most failures that are reported. */
const FAILURES_MAX = 10;

/** Replaces property names that the schema doesn't have: names can carry an answer too. */
const MASK = '*';

/** The judgement on one text. */
export type Judgement =
  /** `content` is the text to pass on: the model's own, or the part of it that conforms. */
  | { readonly conforms: true; readonly content: string }
  | { readonly conforms: false; readonly failures: readonly Failure[] };

/** Validates a text by a schema: as it is, or else its likely JSON part. */
export function judge(text: string, checked: CheckedSchema, validate: Validate): Judgement {
  let first: readonly Failure[] | null = null;
  for (const content of readingsOf(text)) {
    const failures = failuresOf(content, checked, validate);
    if (failures.length === 0) return { conforms: true, content };
    // The failures of a part that is JSON are more helpful than those of the whole, which isn't.
    if (first === null || first[0]?.keyword === 'json') first = failures;
  }
  return { conforms: false, failures: distinct(first ?? []).slice(0, FAILURES_MAX) };
}

function failuresOf(content: string, checked: CheckedSchema, validate: Validate): readonly Failure[] {
  const { names } = checked;
  const json = readStrictJson(content);
  if (!json.ok) return [{ pointer: masked(json.fault.pointer, null, names), keyword: json.fault.keyword }];
  const unjudged = unjudgedInteger(json.largeIntegers, checked.integers);
  const failures =
    unjudged === undefined ? validate(json.value) : [{ pointer: unjudged.pointer, keyword: 'number_range' }];
  return failures.map(({ pointer, keyword }) => ({ pointer: masked(pointer, json.value, names), keyword }));
}

function unjudgedInteger(large: readonly LargeInteger[], judged: CheckedSchema['integers']): LargeInteger | undefined {
  return large.find(({ isExact }) => judged === 'safe' || (judged === 'exact' && !isExact));
}

/** The path of a position in `value`, with only those names of properties that the schema itself has. */
function masked(pointer: string, value: unknown, names: ReadonlySet<string>): string {
  let path = '';
  for (const step of pointerSteps(pointer)) {
    const isIndex = Array.isArray(value);
    path = appendPointer(path, isIndex || names.has(step) ? step : MASK);
    const holder = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = holder ? (value as Record<string, unknown>)[step] : null;
  }
  return path;
}

function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [`${failure.pointer} ${failure.keyword}`, failure])).values()];
}
