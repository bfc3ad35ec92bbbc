// Literals of the database's arrays. They are written here, because the driver would escape each element as if it were
// any text, which doubles what a receipt costs.

const NEEDS_ESCAPE = /["\\]/;
const NEEDS_NO_QUOTES = /^[0-9a-f-]+$/;

/** An array of elements that are literals themselves. */
export function arrayLiteral(elements: readonly unknown[]): string {
  return `{${elements.join(',')}}`;
}

/** Text as an element of an array literal. */
export function textElement(value: string | null): string {
  if (value === null) return 'NULL';
  if (NEEDS_NO_QUOTES.test(value)) return value;
  return `"${NEEDS_ESCAPE.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}

/** A value as an element of an array of jsonb. */
export function jsonElement(value: object | null): string {
  return textElement(value === null ? null : JSON.stringify(value));
}
