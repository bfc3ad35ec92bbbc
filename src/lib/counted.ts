/** How many there are, in words: "2 models". */
export function counted(things: readonly unknown[], what: string): string {
  return `${things.length} ${what}${things.length === 1 ? '' : 's'}`;
}
