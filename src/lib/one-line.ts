/** The lines of a text as one, trimmed, without empty ones, and with `separator` between them. */
export function oneLine(text: string, separator: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(separator);
}
