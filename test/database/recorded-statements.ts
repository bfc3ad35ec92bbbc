// Statements as they were recorded in a run of tests, one a line as JSON, and as they are stored for a release.

/** The environment's name for the directory in which each process records what it sends. */
export const RECORDED_IN = 'FAREGATE_STATEMENTS';

/** What asks for rows or changes them. All else is of migrations, or frames transactions. */
const OF_ROWS = /^\s*(?:select|insert|update|delete|with|call)\b/i;
/** Of the record of the schema, which each version reads as its own. */
const OF_RECORD = /\bschema_(?:files|programs|migrations|functions)\b/;
const NAME = /[a-z_][\w.]*/g;
const TEXT = /'[^']*'/g;

/**
 * The statements of these records, but for those that have no name which a shorter one lacks: many are put together from the
 * same parts. Their order doesn't depend on the run.
 */
export function storedStatements(records: readonly string[]): readonly string[] {
  const texts = records.flatMap((record) =>
    record
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string),
  );
  const wanted = new Set(texts.filter((text) => OF_ROWS.test(text) && !OF_RECORD.test(text)).map(onOneLine));
  const stored: string[] = [];
  const known = new Set<string>();
  for (const text of [...wanted].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const names = text.replaceAll(TEXT, '').match(NAME) ?? [];
    if (names.every((name) => known.has(name))) continue;
    for (const name of names) known.add(name);
    stored.push(text);
  }
  return stored.toSorted();
}

/** A comment ends with its line. */
function onOneLine(text: string): string {
  return text.includes('--') ? text : text.trim().replaceAll(/\s+/g, ' ');
}
