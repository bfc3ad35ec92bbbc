/** An example for the end of a command's help: the words after the program's name. */
export function example(words: string): string {
  return `\nExample:\n  $ faregate ${words}`;
}
