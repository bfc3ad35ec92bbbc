/** Saves lines as a file. The page makes it, so that no address and no server has its secrets. */
export function saveCsv(name: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
