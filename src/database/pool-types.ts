import pg from 'pg';

// How values come out of PostgreSQL: amounts are int8, which a number can't hold.

const int8 = 20;
const int8Array = 1016;
const textArray: number = 1009;

type TextParser = (value: string) => unknown;
const parseTextArray = pg.types.getTypeParser(textArray, 'text') as TextParser;

const parsers: ReadonlyMap<number, TextParser> = new Map<number, TextParser>([
  [int8, BigInt],
  [int8Array, (value) => toBigInts(parseTextArray(value))],
]);

function toBigInts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigInts);
  return typeof value === 'string' ? BigInt(value) : value;
}

/** Parsers of this program's pools alone; the driver's own table, which is global, stays as it is. */
export const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
};
