// Reads CSV as RFC 4180 has it: what another program would make of an export.

/** The rows, each by the names in the first line. */
export function parseCsv(text: string): Record<string, string>[] {
  const lines = splitFields(text);
  const [names = []] = lines;
  return lines.slice(1).map((fields) => Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ''])));
}

/** The sum of a column of whole numbers. */
export function sumOf(rows: readonly Record<string, string>[], column: string): bigint {
  return rows.reduce((sum, row) => sum + BigInt(row[column] ?? ''), 0n);
}

function splitFields(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/gy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no CSV from ${text.slice(0, 100)}`);
    const [, quoted, plain = '', end] = match;
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
