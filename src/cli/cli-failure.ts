/** A command can't do what it was asked to. The message is one line for the person who asked. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}
