/** A command can't be carried out. The message is one line for the person who ran it. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}

/** The code of the system's error, such as `ENOENT`; `otherwise` if it has none. */
export function codeOf(cause: unknown, otherwise: string): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : otherwise;
}
