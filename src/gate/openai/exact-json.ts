// JSON that is parsed and written again. A double would round integers beyond 2^53, which occur as ids and limits in
// tools' arguments and schemas; here they keep their digits.

/** No document without such a run of digits has a number that a double would round to another whole one. */
const LONG_NUMBER = /\d{16}/;

interface RevivedSource {
  readonly source?: string;
}

interface RawJson {
  rawJSON(text: string): unknown;
}

function keepDigits(_key: string, value: unknown, context?: RevivedSource): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (source === undefined || !/^-?\d+$/.test(source)) return value;
  return (JSON as unknown as RawJson).rawJSON(source);
}

/**
 * Parses JSON so that `JSON.stringify` writes integers of any size unchanged. An integer beyond 2^53 becomes an opaque
 * object instead of a `number`. Documents must not nest deeper than a scan allows. @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}
