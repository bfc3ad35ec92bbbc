import pg from 'pg';

// Parsers of PostgreSQL's values: amounts are int8, which a JavaScript number can't hold.

const int8 = 20;
const int8Array = 1016;
const textArray = 1009;

type Format = 'text' | 'binary';
type TextParser = (value: string) => unknown;
type FindParser = (oid: number, format: Format) => TextParser;

const findDriverParser = pg.types.getTypeParser as FindParser;
const parseTextArray = findDriverParser(textArray, 'text');
const ownParsers: ReadonlyMap<number, TextParser> = new Map<number, TextParser>([
  [int8, BigInt],
  [int8Array, (value) => toBigInts(parseTextArray(value))],
]);

function toBigInts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigInts);
  return typeof value === 'string' ? BigInt(value) : value;
}

function findParser(oid: number, format: Format = 'text'): TextParser {
  const own = format === 'text' ? ownParsers.get(oid) : undefined;
  return own ?? findDriverParser(oid, format);
}

/** The parsers of this program's pools. The driver's global table stays unchanged. */
export const databaseTypes: pg.CustomTypesConfig = { getTypeParser: findParser };
