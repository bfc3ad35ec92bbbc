// Text for people: aligned columns, without control characters that a terminal would interpret.

export type Cell = string | number | boolean | null | undefined;

/**
 * Rows under headings, in aligned columns; `empty` if there are no rows. Columns named in `right` are right-aligned.
 */
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

/** Names with their values, one pair a line; pairs without a value are left out. */
export function pairs(entries: readonly (readonly [string, Cell])[]): string {
  const present = entries.filter(([, value]) => value !== undefined && value !== null);
  const widest = Math.max(0, ...present.map(([name]) => width(name)));
  return present.map(([name, value]) => `${padded(name, widest, false)}  ${cellText(value)}\n`).join('');
}

/** Warnings about a result, one a line. */
export function notes(sentences: readonly string[]): string {
  return sentences.map((sentence) => `Note: ${plain(sentence)}\n`).join('');
}

/** A fact that is so or not. */
export function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  return plain(String(cell));
}

/** The text without control characters, since names are untrusted input. */
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
