import pg from 'pg';

// How values come out of PostgreSQL: amounts are int8, which a number can't hold.

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

/** Parsers of this program's pools alone; the driver's own table, which is global, stays as it is. */
export const databaseTypes: pg.CustomTypesConfig = { getTypeParser: findParser };
