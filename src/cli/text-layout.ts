// Tidy text for people: aligned columns, and nothing in it that a terminal would obey.

type Cell = string | number | boolean | null | undefined;

/** Rows under headings, in aligned columns; `empty` when there are none. Columns named in `right` are flush right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
  right: readonly string[] = [],
): string {
  if (rows.length === 0) return `${empty}\n`;
  const cells = [headings, ...rows.map((row) => row.map(cellText))];
  const widths = headings.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 0),
  );
  const lines = cells.map((row) =>
    headings
      .map((heading, column) => padded(row[column] ?? '', widths[column] ?? 0, right.includes(heading)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Names and what they stand for, one pair a line; pairs without a value are left out. */
export function pairs(entries: readonly (readonly [string, Cell])[]): string {
  const present = entries.filter(([, value]) => value !== undefined && value !== null);
  const widest = Math.max(0, ...present.map(([name]) => width(name)));
  return present.map(([name, value]) => `${padded(name, widest, false)}  ${cellText(value)}\n`).join('');
}

/** Warnings about a result, a line each. */
export function notes(sentences: readonly string[]): string {
  return sentences.map((sentence) => `Note: ${plain(sentence)}\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  return plain(String(cell));
}

/** The text without control characters: names are other people's input. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function width(text: string): number {
  return Array.from(text).length;
}

function padded(text: string, to: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, to - width(text)));
  return right ? space + text : text + space;
}
