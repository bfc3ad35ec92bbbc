import { shownName } from './body-fault.ts';
import type { JsonObject } from './json-object.ts';

/**
 * Signals that a request can't be translated to the provider's API. The message is for the caller and names what to
 * change; `param` is the field at fault, null if its name may be anything.
 */
export class Untranslatable extends Error {
  readonly param: string | null;

  constructor(param: string | null, message: string) {
    super(message);
    this.param = param;
  }
}

/** Fields that a translation reads. */
export interface ReadFields {
  readonly names: ReadonlySet<string>;
  /** Fields that it doesn't read, each with a check for values that request nothing. */
  readonly saysNothing: Readonly<Record<string, (value: unknown) => boolean>>;
}

/**
 * Refuses a field that requests something which the translation doesn't read: without it, the answer would be to
 * another question. Null requests nothing.
 * @throws Untranslatable
 */
export function refuseUnread(body: JsonObject, { names, saysNothing }: ReadFields): void {
  for (const [field, value] of Object.entries(body)) {
    if (names.has(field) || value === null) continue;
    if (Object.hasOwn(saysNothing, field) && saysNothing[field]?.(value) === true) continue;
    const param = shownName(field);
    const name = param === null ? 'A field of the body' : `'${param}'`;
    throw new Untranslatable(param, `${name} is not supported by this model; leave it out.`);
  }
}
