/** A command can't be carried out. The message is one line for the person who ran it. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}
