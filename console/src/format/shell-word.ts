const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word of a shell command, quoted if it must be. */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
