/** A JSON number as it is written: as a float it might be another one. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * The number times ten to this power, if that is a whole number and not beyond all measure; else null. Nothing is
   * rounded on the way.
   */
  scaled(power: number): bigint | null {
    const { whole = '', fraction = '', exponent = '0' } = NUMBER.exec(this.text)?.groups ?? {};
    const digits = `${whole}${fraction}`.replace(/^(-?)0+(?=\d)/, '$1');
    if (/^-?0$/.test(digits)) return 0n;
    const shift = Number(exponent) - fraction.length + power;
    if (digits.length + shift > DIGITS_MAX || digits.length > DIGITS_MAX) return null;
    if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
    const kept = digits.slice(0, shift);
    return /^-?$/.test(kept) || /[^0]/.test(digits.slice(shift)) ? null : BigInt(kept);
  }
}

const NUMBER = /^(?<whole>-?\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** More than any price or count has. */
const DIGITS_MAX = 100;

export type ExactJson = string | boolean | null | JsonNumber | readonly ExactJson[] | ExactJsonObject;
export interface ExactJsonObject {
  readonly [name: string]: ExactJson;
}

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** JSON with its numbers as they are written. @throws SyntaxError */
export function parseExactJson(text: string): ExactJson {
  // The type of this function lacks the parameter with each value's source.
  const parse = JSON.parse as (text: string, reviver: SourceReviver) => ExactJson;
  return parse(text, (_name, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source ?? String(value)) : value,
  );
}

/** The value where it is an object; else null. */
export function asObject(value: ExactJson | undefined): ExactJsonObject | null {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return null;
  return Array.isArray(value) ? null : (value as ExactJsonObject);
}
