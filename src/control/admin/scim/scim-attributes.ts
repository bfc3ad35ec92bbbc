import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { scimRefusal } from './scim-refusals.ts';

// Attributes of a body, whose names have no case (RFC 7643, 2.1). Attributes that the API doesn't use are never read.

export type Attributes = ReadonlyMap<string, unknown>;

const TEXT_MAX = 250;
const TEXT = /^[^\p{Cc}\p{Cs}]*$/u;

/** The attributes of a value by their names in lower case; null if it is no object. */
export function attributesOf(value: unknown): Attributes | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]));
}

/** A value that must be an object. */
export function objectOf(value: unknown, what: string): Attributes | Refusal {
  return attributesOf(value) ?? scimRefusal('invalidSyntax', `${what} must be an object.`);
}

/** A value that must be a list. */
export function listOf(value: unknown, what: string): readonly unknown[] | Refusal {
  return Array.isArray(value) ? value : scimRefusal('invalidSyntax', `"${what}" must be a list.`);
}

/** A text; null if it is empty, or null. */
export function textOf(value: unknown, name: string): string | null | Refusal {
  if (value === null) return null;
  const text = typeof value === 'string' ? value.trim() : null;
  if (text === null || text.length > TEXT_MAX || !TEXT.test(text)) {
    return scimRefusal('invalidValue', `"${name}" must be up to ${TEXT_MAX} characters of text.`);
  }
  return text === '' ? null : text;
}

/** A text that has to be there. */
export function requiredText(value: unknown, name: string): string | Refusal {
  const text = textOf(value ?? null, name);
  return text ?? scimRefusal('invalidValue', `"${name}" is missing.`);
}

/** True or false, which Entra ID sends as texts. */
export function flagOf(value: unknown, name: string): boolean | Refusal {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  return scimRefusal('invalidValue', `"${name}" must be true or false.`);
}

/** Reads the values of several fields; the first refusal counts. Fields that are undefined are left out. */
export function fieldsOf<Fields extends object>(fields: {
  [Name in keyof Fields]: Fields[Name] | Refusal | undefined;
}): Partial<Fields> | Refusal {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const refused = entries.map(([, value]) => value).find((value) => isRefusal(value));
  return refused ?? (Object.fromEntries(entries) as Partial<Fields>);
}
