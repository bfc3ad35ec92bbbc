import { type BodyFault, shownName } from './body-fault.ts';

// The fields of a request that no table has, at the top level of its body and below. A body is passed on unchanged, so
// an unreviewed field could buy something that the hold doesn't cover, or access something that isn't the caller's: a
// provider is sent it only if the operator has named it in `accept_fields`.

/** A field, a member below one, or a value of a member that sets the type of an object. */
export interface UnknownField {
  /** Its name in `accept_fields`: `field`, `messages.content.member` or `messages.content.type=value`. */
  readonly name: string;
  /** The path of the first one, for errors; null if it has no name that errors may repeat. */
  readonly where: string | null;
}

/** More kinds of them than any request has, and more of them than any client sends. */
const KINDS_MAX = 1_000;
const COUNT_MAX = 10_000;

const INDEX = /\[\d+\]/g;

const NONE: readonly UnknownField[] = Object.freeze([]);

const TOO_MANY: BodyFault = { message: 'The body has too many fields that are not known here.', param: null };

/** Gathers the unknown fields of one body. */
export class UnknownFields {
  #byName: Map<string, UnknownField> | null = null;
  #count = 0;

  /** Each kind once. */
  get list(): readonly UnknownField[] {
    return this.#byName === null ? NONE : [...this.#byName.values()];
  }

  /** Adds the field `key` of the object at `where`, or of the top level. Returns a fault if there are too many. */
  addField(key: string, where?: string): BodyFault | null {
    const shown = shownName(key);
    if (where === undefined) return this.#add(key, shown);
    return this.#add(`${where.replaceAll(INDEX, '')}.${key}`, shown === null ? where : `${where}.${shown}`);
  }

  /** Adds the value of the member at `where`. Returns a fault if there are too many. */
  addValue(where: string, value: string): BodyFault | null {
    return this.#add(`${where.replaceAll(INDEX, '')}=${value}`, where);
  }

  /** Adds all fields of another collection. */
  addAll({ list }: UnknownFields): BodyFault | null {
    for (const { name, where } of list) {
      const fault = this.#add(name, where);
      if (fault !== null) return fault;
    }
    return null;
  }

  #add(name: string, where: string | null): BodyFault | null {
    this.#byName ??= new Map();
    if (++this.#count > COUNT_MAX) return TOO_MANY;
    if (this.#byName.has(name)) return null;
    this.#byName.set(name, { name, where });
    return this.#byName.size > KINDS_MAX ? TOO_MANY : null;
  }
}

/** The fault of an unknown field that no provider of the model is configured to accept. */
export function unknownFault({ name, where }: UnknownField): BodyFault {
  const value = /=([\w.-]+)$/.exec(name)?.[1];
  const field = where === null ? 'A field of the body' : `'${where}'`;
  const subject = value === undefined ? `${field} is` : `${field} is '${value}', which is`;
  const admitted = name === where || where === null ? '' : `: ${name}`;
  const message =
    `${subject} not known here, so its cost can't be held: leave it out. ` +
    `The operator can admit it for a provider that needs it (providers.NAME.accept_fields${admitted}).`;
  return { message, param: where };
}
